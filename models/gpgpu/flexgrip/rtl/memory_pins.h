// SPDX-License-Identifier: Apache-2.0
// The block RAMs at the pins of FlexGrip's RTL: code, constant, local and global memory.  They
// answer in the cycle after the request; writes are there for the next edge.  Addresses are bytes.
// Not modelled: what is read at one port while the other writes it.
#pragma once

#include <cstdint>

#include "models/rtl/agent.h"
#include "models/rtl/block.h"
#include "models/rtl/pin.h"
#include "models/tlm/storage.h"

namespace gvp::gpgpu::flexgrip {

// One port: a word is read into `data`, or written where there are strobes.
class MemoryPort32 {
 public:
  // Names of pins that the block has not got stay away: a port without strobes only reads.
  MemoryPort32(kit::Storage& storage, rtl::Pin enable, rtl::Pin address, rtl::Pin read_data,
               rtl::Pin strobes, rtl::Pin write_data);
  void sample();
  void drive();

 private:
  kit::Storage& storage_;
  rtl::Pin enable_, address_, read_data_, strobes_, write_data_;
  uint32_t read_ = 0;
  bool reads_ = false;
};

class MemoryPins : public rtl::Agent {
 public:
  // Throws Error (bad input) where the block has no such pins.
  MemoryPins(rtl::Block& block, kit::Storage& code, kit::Storage& constants, kit::Storage& local,
             kit::Storage& global);

 private:
  void clear_local();
  void sample() override;
  void drive() override;
  // Between kernels only the host's accesses get here, and their transactor keeps the clock busy.
  uint64_t idle_edges() const override { return busy_.high() ? 0 : kForever; }

  rtl::Pin busy_;
  rtl::Pin local_clear_, local_write_enable_;
  kit::Storage& local_;
  bool local_is_written_ = false;
  MemoryPort32 code_, constants_, host_constants_, local_read_, local_write_, global_read_,
      global_write_;
};

}  // namespace gvp::gpgpu::flexgrip
