// SPDX-License-Identifier: Apache-2.0
// The bytes of a guest memory, all zero at first, and what every memory model does with them: bus
// accesses, debug accesses (IEEE 1666-2011, 11.3), grants of direct access (11.2).  The address
// space is reserved from the operating system but no host page exists before it is written, so
// 512 MiB that the guest does not touch cost nothing.  Addresses and sizes are bytes, from 0.
// Knows nothing of time: latencies, and who may access when, are the model's.
#pragma once

#include <cstdint>
#include <cstring>
#include <tlm>

#include "models/tlm/payload.h"

namespace gvp::kit {

class Storage {
 public:
  // Throws Error (bad input) for size 0 or what the host cannot reserve.
  explicit Storage(uint64_t size);
  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  uint8_t* data() { return data_; }
  const uint8_t* data() const { return data_; }
  uint64_t size() const { return size_; }
  // Is [address, address + count) inside?  Free of overflow for any arguments.
  bool contains(uint64_t address, uint64_t count) const {
    return address <= size_ && count <= size_ - address;
  }

  // In the next two, base is the transactions' address of the first byte.
  // Moves the data of a transaction that lies inside.
  void transfer(tlm::tlm_generic_payload& payload, uint64_t base = 0) {
    kit::transfer(payload, data_ + (payload.get_address() - base));
  }
  // As transport_dbg: moves the bytes that exist and returns how many.
  unsigned debug_access(tlm::tlm_generic_payload& payload, uint64_t base = 0);
  // As get_direct_mem_ptr: the answer that grants all bytes, with what an access of a word takes.
  enum class Grant : uint8_t { kNone, kRead, kReadWrite };
  bool grant(tlm::tlm_dmi& dmi, Grant allowed, const sc_core::sc_time& read_latency,
             const sc_core::sc_time& write_latency);

 private:
  uint8_t* data_;
  uint64_t size_;
};

}  // namespace gvp::kit
