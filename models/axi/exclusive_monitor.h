// SPDX-License-Identifier: Apache-2.0
// The exclusive access monitor of AXI4 (IHI 0022, A7.2): an exclusive read reserves its bytes for
// its master, identified by port and AXI ID; an exclusive write succeeds only while the
// reservation stands; any write to reserved bytes by anybody ends it.  One reservation for each
// master, as A7.2.4 demands at least.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gvp::axi {

class ExclusiveMonitor {
 public:
  void reserve(unsigned port, uint32_t id, uint64_t address, uint64_t bytes) {
    release(port, id);
    reservations_.push_back({port, id, address, bytes});
  }
  // May this exclusive write go ahead?
  bool holds(unsigned port, uint32_t id, uint64_t address, uint64_t bytes) const {
    return std::any_of(reservations_.begin(), reservations_.end(), [&](const Reservation& r) {
      return r.port == port && r.id == id && r.address == address && r.bytes == bytes;
    });
  }
  // Somebody writes these bytes.
  void written(uint64_t address, uint64_t bytes) {
    if (reservations_.empty()) return;
    erase_if([&](const Reservation& r) {
      return address < r.address + r.bytes && r.address < address + bytes;
    });
  }
  bool empty() const { return reservations_.empty(); }

 private:
  struct Reservation {
    unsigned port;
    uint32_t id;
    uint64_t address, bytes;
  };
  template <typename Predicate>
  void erase_if(Predicate predicate) {
    reservations_.erase(std::remove_if(reservations_.begin(), reservations_.end(), predicate),
                        reservations_.end());
  }
  void release(unsigned port, uint32_t id) {
    erase_if([&](const Reservation& r) { return r.port == port && r.id == id; });
  }

  std::vector<Reservation> reservations_;
};

}  // namespace gvp::axi
