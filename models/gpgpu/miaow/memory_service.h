// SPDX-License-Identifier: Apache-2.0
// How the host serves the compute unit's memory: one word at a time.  A request waits for a rising
// edge of the acknowledge bit and is then accepted; it waits for a rising edge of the done bit and
// then ends.  States are those of MIAOW's fpga_memory.  Cycles are the wavefront's.  No SystemC.
#pragma once

#include <cstdint>
#include <optional>

#include "models/gpgpu/miaow/miaow_registers.h"

namespace gvp::gpgpu::miaow {

class MemoryService {
 public:
  struct Completion {
    uint64_t cycle = 0;
    uint32_t data = 0;  // of a load
  };

  // Forgets a request; what was written to registers stays, but the levels of the two bits.
  void reset();

  // The compute unit's side.
  void request(bool store, uint32_t address, uint32_t data);
  // The end of the request, once.
  std::optional<Completion> take_completion();

  bool busy() const { return phase_ != Phase::kIdle; }

  // Where several units share the host's registers: this one has them after another one, until one
  // request of it has ended.  The levels of the two bits are the registers', whoever has them.
  void begin_turn(const MemoryService& before);
  bool turn_over() const { return served_; }

  // The host's side.
  uint32_t state(uint64_t cycle) const;  // MIAOW_MEMORY_*
  uint32_t address() const { return address_; }
  uint32_t store_data() const { return store_data_; }
  uint32_t load_data() const { return load_data_; }
  bool done() const { return done_; }  // the bit
  void write_load_data(uint32_t data) { load_data_ = data; }
  void write_acknowledge(bool level);
  void write_done(bool level, uint64_t cycle);

 private:
  enum class Phase : uint8_t { kIdle, kRequested, kAccepted };

  Phase phase_ = Phase::kIdle;
  bool store_ = false;
  uint32_t address_ = 0;
  uint32_t store_data_ = 0;
  uint32_t load_data_ = 0;
  bool acknowledge_ = false;
  bool done_ = false;
  bool served_ = false;                   // a request has ended in this turn
  std::optional<Completion> completion_;  // not yet taken
  std::optional<uint64_t> ended_;         // the cycle of the last one's end
};

}  // namespace gvp::gpgpu::miaow
