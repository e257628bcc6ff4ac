// SPDX-License-Identifier: Apache-2.0
// The way from an instruction to memory that the host serves.  An instruction cannot be stopped in
// its midst, and the host takes its time over each word.  The instruction is therefore executed
// twice: the first time its accesses are recorded, loads giving 0; when the host has served them,
// the second time gives it what the host brought.  No SystemC.
//
// Not possible here: accesses that depend on what others of the same instruction load, which are
// atomic operations, and stores of less than a word, for which the host's registers have no byte
// enables.  Both are unsupported instructions.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpgpu/global_memory.h"

namespace gvp::gpgpu::miaow {

class HostPort : public GlobalPort {
 public:
  struct Request {
    bool store = false;
    uint32_t address = 0;  // of a word
    uint32_t data = 0;
  };

  // An instruction begins, for the first time.
  void record(bool is_atomic);
  // The same one begins for the second time.
  void replay();
  std::vector<Request>& requests() { return requests_; }

  FaultCause read(uint32_t address, void* data, unsigned bytes) override;
  FaultCause write(uint32_t address, const void* data, unsigned bytes) override;

 private:
  uint32_t load(uint32_t address);

  std::vector<Request> requests_;
  bool replays_ = false;
  bool is_atomic_ = false;
  std::size_t next_ = 0;
};

}  // namespace gvp::gpgpu::miaow
