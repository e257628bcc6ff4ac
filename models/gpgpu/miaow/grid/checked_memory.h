// SPDX-License-Identifier: Apache-2.0
// Global memory that looks at what kernels do there: accesses outside of the buffers that they were
// given, and races between wavefronts: two that reach the same word, one of them writing, without a
// barrier between them.  Wavefronts of different work-groups are never held apart by a barrier.
// Atomic operations do not race with each other.  Each instruction is reported once.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/gpgpu/miaow/grid/global_memory.h"
#include "models/gpgpu/miaow/grid/grid.h"

namespace gvp::gpgpu::miaow {

struct CheckedBuffer {
  std::string name;
  uint32_t address = 0;
  uint32_t bytes = 0;
};

class CheckedMemory : public GlobalPort, public GridObserver {
 public:
  // No buffers: accesses are free.
  CheckedMemory(GridMemory& memory, bool null_page, std::vector<CheckedBuffer> buffers)
      : memory_(memory), null_page_(null_page), buffers_(std::move(buffers)) {}

  FaultCause read(uint32_t address, void* data, unsigned bytes) override;
  FaultCause write(uint32_t address, const void* data, unsigned bytes) override;
  void instruction(const GridPlace& place, const southern_islands::Wavefront& wavefront,
                   const southern_islands::Op& op) override;
  void barrier(const GridPlace& place, uint32_t ended) override;

  const std::vector<std::string>& findings() const { return findings_; }

 private:
  struct Access {
    uint64_t wavefront = 0;  // of the grid, from 1 on; 0: none yet
    uint64_t group = 0;
    uint64_t interval = 0;  // between barriers
    bool atomic = false;
  };
  struct Word {
    Access write;
    Access read;
  };
  FaultCause check(uint32_t address, unsigned bytes, bool write);
  bool races(const Access& before) const;
  void report(const std::string& what);

  GridMemory& memory_;
  bool null_page_;
  std::vector<CheckedBuffer> buffers_;
  std::unordered_map<uint32_t, Word> words_;
  Access now_;
  GridPlace place_;
  const southern_islands::Op* op_ = nullptr;
  std::set<uint32_t> reported_;  // pc
  std::vector<std::string> findings_;
};

// "work-group (0, 1, 0), wavefront 2".
std::string text_of(const GridPlace& place);
// "pc 0x0044 (buffer_load_dword ...)".
std::string text_of(const southern_islands::Op& op);

}  // namespace gvp::gpgpu::miaow
