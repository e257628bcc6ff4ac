// SPDX-License-Identifier: Apache-2.0
// The energy that an SDRAM module takes, from the currents of its data sheet and from what it did:
// the calculation of Micron's technical note TN-41-01.  A current is what flows while one thing is
// done again and again, so what an operation takes is its current less that which flows anyway.
//
// Background currents grow with the clock, the energy of an operation does not.  Not modelled: the
// power of the data pins and their termination, power-down, temperature.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "models/ddr3/device.h"

namespace gvp::ddr3 {

struct Activity {
  uint64_t cycles = 0;         // SDRAM clock cycles, all together
  uint64_t active_cycles = 0;  // of these, any bank had an open row
  uint64_t activates = 0;
  uint64_t reads = 0;  // bursts
  uint64_t writes = 0;
  uint64_t refreshes = 0;
};

// Of the whole module, pJ.
struct Energy {
  double background = 0;
  double activate = 0;
  double read = 0;
  double write = 0;
  double refresh = 0;

  double total() const { return background + activate + read + write + refresh; }
};

Energy energy_of(const Device& device, const Currents& currents, const Activity& activity);

// Adds "energy_mj" and "power_mw" to a memory's statistics, where its device file has currents.
void add_energy(nlohmann::ordered_json& statistics, const Device& device, uint64_t tck_ps,
                const Activity& activity);

}  // namespace gvp::ddr3
