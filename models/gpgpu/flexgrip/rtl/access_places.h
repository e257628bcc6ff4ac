// SPDX-License-Identifier: Apache-2.0
// Which instructions of a model access global memory where, so that what differs on the bus can be
// told of one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "models/gpgpu/flexgrip/warp_observer.h"

namespace gvp::gpgpu::flexgrip {

class AccessPlaces : public WarpObserver {
 public:
  struct Access {
    WarpPlace place;
    uint32_t pc = 0;
    int lane = -1;  // -1: not known
  };

  // Before a kernel.
  void clear();
  // The first one that reads, or writes, from this address on, or the last one; or that of the
  // only SM that is just at such an instruction.  Nothing: there is none.
  std::optional<Access> find(bool write, uint64_t address, bool first) const;

  void blocks_loaded(unsigned, unsigned, const Kernel&) override {}
  void before(const WarpPlace& place, const g80::Op& op, g80::Warp& warp) override;
  void after(const WarpPlace& place, const g80::Step& step, g80::Warp& warp) override;
  void barrier_passed(unsigned, unsigned) override {}

 private:
  struct Accesses {
    Access first, last;
  };
  std::map<std::pair<bool, uint64_t>, Accesses> accesses_;
  std::map<std::pair<bool, uint32_t>, Access> under_way_;  // by SM
};

}  // namespace gvp::gpgpu::flexgrip
