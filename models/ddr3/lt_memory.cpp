// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/lt_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::ddr3 {
namespace {

const Log log_ddr3("ddr3");

unsigned log2_of(unsigned value) {
  unsigned bits = 0;
  while ((1u << bits) < value) ++bits;
  return bits;
}

}  // namespace

LtMemory::LtMemory(const sc_core::sc_module_name& name, const Configuration& configuration)
    : MemoryController(name),
      kit::AnnotatedAccess("target"),
      device_(find_device(configuration.device)),
      timing_(timing_at(device_, configuration.clock_hz)),
      storage_(configuration.size),
      clock_(configuration.clock_hz, "the DDR3 clock"),
      front_end_(configuration.front_end_ns, sc_core::SC_NS),
      open_rows_(device_.banks, -1),
      banks_(device_.banks) {
  if (configuration.size > device_.size())
    throw bad_input(fmt::format("{} bytes of DDR3, but device {} has {}", configuration.size,
                                device_.name, device_.size()));
  bank_shift_ = log2_of(device_.columns * device_.data_bits / 8);  // row-bank-column
  bank_mask_ = device_.banks - 1;
  row_shift_ = bank_shift_ + log2_of(device_.banks);
  burst_shift_ = log2_of(device_.burst_bytes());
  const unsigned worst =
      1 + timing_.trp + timing_.trcd + std::max(timing_.cl, timing_.cwl) + timing_.burst;
  for (unsigned c = 0; c <= worst; ++c) latency_.push_back(front_end_ + clock_.at(c));
}

unsigned LtMemory::access_row(uint64_t address, bool write) {
  const auto row = static_cast<int64_t>(address >> row_shift_);
  const uint64_t bank = (address >> bank_shift_) & bank_mask_;
  int64_t& open = open_rows_[bank];
  BankCounters& counters = banks_[bank];
  unsigned cycles = 1 + (write ? timing_.cwl : timing_.cl) + timing_.burst;
  if (open == row) {
    ++counters.hits;
    return cycles;
  }
  cycles += timing_.trcd;
  if (open < 0) {
    ++counters.misses;
    ++counters.activates;
  } else {
    ++counters.conflicts;
    ++counters.activates;
    cycles += timing_.trp;
  }
  open = row;
  return cycles;
}

void LtMemory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!kit::check_attributes(payload)) return;
  const uint64_t address = payload.get_address();
  const uint64_t bytes = kit::touched_bytes(payload);
  if (!storage_.contains(address, bytes)) {
    log_ddr3.warning("{} @ {}: {} is outside the {} bytes of this memory", name(),
                     kit::time_text(sc_core::sc_time_stamp() + delay), kit::describe(payload),
                     storage_.size());
    ++port_.of(payload.is_write()).errors;
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) {
    storage_.transfer(payload);
    if (log_ddr3.enabled(LogLevel::kDebug)) tell(payload, sc_core::sc_time_stamp() + delay);
    const bool write = payload.is_write();
    const sc_core::sc_time begin = delay;
    delay += latency_[access_row(address, write)];
    const uint64_t further = further_bursts(address, bytes);
    delay += time_of(further);
    port_.of(write).count(payload.get_data_length(), 1 + further, false, (delay - begin).value());
    port_.note_outstanding(std::max(target_.under_way(), 1u));
  }
  payload.set_dmi_allowed(true);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

// An access that comes now, and what it finds in its bank.
void LtMemory::tell(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& time) const {
  const uint64_t address = payload.get_address();
  const auto row = static_cast<int64_t>(address >> row_shift_);
  const uint64_t bank = (address >> bank_shift_) & bank_mask_;
  const int64_t open = open_rows_[bank];
  const std::string place = fmt::format("{} @ {}", name(), kit::time_text(time));
  if (open >= 0 && open != row)
    log_ddr3.debug("{}: page conflict in bank {}: row {:#x} is open, row {:#x} wanted", place, bank,
                   open, row);
  log_ddr3.trace("{}: {}: bank {}, row {:#x}, {}", place, kit::describe(payload), bank, row,
                 open == row ? "hit"
                 : open < 0  ? "miss"
                             : "conflict");
}

bool LtMemory::run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                         uint64_t limit) {
  const sc_core::sc_time longest =
      latency_.back() + time_of(further_bursts(payload.get_address(), payload.get_data_length()));
  if ((sc_core::sc_time_stamp() + delay + longest).value() > limit) return false;
  b_transport(payload, delay);
  return true;
}

unsigned LtMemory::transport_dbg(tlm::tlm_generic_payload& payload) {
  return storage_.debug_access(payload);
}

bool LtMemory::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  kit::account_for_direct(payload, direct_);
  return storage_.grant(dmi, kit::Storage::Grant::kReadWrite,
                        latency_[1 + timing_.cl + timing_.burst],
                        latency_[1 + timing_.cwl + timing_.burst]);
}

nlohmann::ordered_json LtMemory::statistics() const {
  return statistics_json(port_, clock_.ps(timing_.burst), banks_, direct_);
}

}  // namespace gvp::ddr3
