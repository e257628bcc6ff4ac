// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/off_chip.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/base/error.h"

namespace gvp::gpgpu::flexgrip {

OffChip::OffChip(const Configuration& configuration, const kit::Clock& clock, MemoryPort& bus,
                 hierarchy::MemoryHierarchy& hierarchy)
    : clock_(clock),
      bus_(bus),
      is_perfect_(configuration.perfect_memory),
      code_(configuration.off_chip_base, configuration.code_bytes),
      constant_memory_(configuration.off_chip_constants(), configuration.constant_bytes) {
  for (unsigned sm = 0; sm < configuration.sms; ++sm) {
    if (hierarchy::ReadPort* const port = hierarchy.instructions(sm))
      instructions_.push_back(std::make_unique<InstructionFetch>(*port, code_, changed_));
    if (hierarchy::ReadPort* const port = hierarchy.constants(sm))
      constants_.push_back(std::make_unique<ConstantReads>(*port, constant_memory_.base()));
  }
}

bool OffChip::write_out(const std::vector<uint32_t>& code, const std::vector<uint8_t>& constants,
                        StopRequest& stop) {
  changed_.reset();
  writes_ = bytes_ = cycles_ = 0;
  const sc_core::sc_time begin = sc_core::sc_time_stamp();
  bus_.set_time(begin);
  const auto update = [&](MovedMemory& memory, const void* data, size_t bytes) {
    return memory.update(static_cast<const uint8_t*>(data), bytes,
                         [&](uint64_t address, const uint8_t* from, uint32_t count) {
                           return write(address, from, count, stop);
                         });
  };
  bool goes_on = true;
  if (!instructions_.empty()) goes_on = update(code_, code.data(), code.size() * sizeof(uint32_t));
  if (goes_on && !constants_.empty())
    goes_on = update(constant_memory_, constants.data(), constants.size());
  if (!goes_on || writes_ == 0 || is_perfect_) return goes_on;
  cycles_ = clock_.cycles_up(bus_.time() - begin);
  return stop.wait_until(begin + clock_.at(cycles_));
}

bool OffChip::write(uint64_t address, const uint8_t* data, uint32_t bytes,
                    const StopRequest& stop) {
  if (stop.requested()) return false;
  const auto at = static_cast<uint32_t>(address);
  const bool done = is_perfect_ ? bus_.debug_write(at, data, bytes) == bytes
                                : bus_.write(at, data, bytes) == FaultCause::kNone;
  if (!done)
    throw bad_input(
        fmt::format("memory refuses {} bytes of the GPGPU's code or constants at {:#x}", bytes, at),
        {}, "set gpgpu.off_chip_base to where the GPGPU's bus has memory that nobody else uses");
  ++writes_;
  bytes_ += bytes;
  return true;
}

nlohmann::ordered_json OffChip::statistics() const {
  return {{"writes", writes_}, {"bytes", bytes_}, {"cycles", cycles_}};
}

}  // namespace gvp::gpgpu::flexgrip
