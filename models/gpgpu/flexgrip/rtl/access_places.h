// SPDX-License-Identifier: Apache-2.0
// Which instructions of a model access global memory where, so that what differs on the bus can be
// told of one.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "models/gpgpu/flexgrip/warp_observer.h"

namespace gvp::gpgpu::flexgrip {

class AccessPlaces : public WarpObserver {
 public:
  struct Access {
    WarpPlace place;
    uint32_t pc = 0;
    int lane = 0;
  };

  // Before a kernel.
  void clear() { accesses_.clear(); }
  // The last one that reads, or writes, from this address on; null: there is none.
  const Access* find(bool write, uint64_t address) const;

  void blocks_loaded(unsigned, unsigned, const Kernel&) override {}
  void before(const WarpPlace&, const g80::Op&, g80::Warp&) override {}
  void after(const WarpPlace& place, const g80::Step& step, g80::Warp& warp) override;
  void barrier_passed(unsigned, unsigned) override {}

 private:
  std::map<std::pair<bool, uint64_t>, Access> accesses_;
};

}  // namespace gvp::gpgpu::flexgrip
