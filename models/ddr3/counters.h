// SPDX-License-Identifier: Apache-2.0
// What a DDR3 memory counts at its socket and for each bank, and its statistics.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "models/ddr3/bank_counters.h"
#include "models/tlm/direct_account.h"
#include "models/tlm/port_counters.h"

namespace gvp::ddr3 {

// The port's beats are bursts here: each takes the SDRAM's data bus for burst_ps.
nlohmann::ordered_json statistics_json(const kit::PortCounters& port, uint64_t burst_ps,
                                       const std::vector<BankCounters>& banks,
                                       const kit::DirectTraffic& direct);

}  // namespace gvp::ddr3
