// SPDX-License-Identifier: Apache-2.0
// The block RAMs at the pins of FlexGrip's RTL: code, constant, local and global memory.  They
// answer in the cycle after the request; writes are there for the next edge.  Addresses are bytes.
// Each SM has ports of its own and its own part of local memory; the others are one memory for all.
// Not modelled: what is read at one port while another one writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/rtl/agent.h"
#include "models/rtl/block.h"
#include "models/rtl/pin.h"
#include "models/tlm/storage.h"

namespace gvp::gpgpu::flexgrip {

// One port: a word is read into `data`, or written where there are strobes.
class MemoryPort32 {
 public:
  struct Pins {
    rtl::Pin enable, address, read_data, strobes, write_data;
  };

  // Of the memory `count` bytes from `data` on.  Pins that are not there stay away: a port without
  // strobes only reads.  Pins have a bit or word for each SM; this is the port of one of them.
  MemoryPort32(uint8_t* data, uint64_t count, Pins pins, unsigned sm = 0);
  void sample();
  void drive();

 private:
  uint32_t word_of(const rtl::Pin& pin) const;

  uint8_t* data_;
  uint64_t count_;
  Pins pins_;
  unsigned sm_;
  uint32_t read_ = 0;
  bool reads_ = false;
};

class MemoryPins : public rtl::Agent {
 public:
  // global: null where it is elsewhere, and nobody drives or reads its pins.  Throws Error (bad
  // input) where the block has no such pins.
  MemoryPins(rtl::Block& block, kit::Storage& code, kit::Storage& constants, kit::Storage& local,
             kit::Storage* global);

 private:
  // One SM's.
  struct Ports {
    MemoryPort32 code, constants, local_read, local_write;
    std::optional<MemoryPort32> global_read, global_write;
    bool local_is_written = false;
  };

  void clear_local(unsigned sm);
  void sample() override;
  void drive() override;
  // Between kernels only the host's accesses get here, and their transactor keeps the clock busy.
  uint64_t idle_edges() const override { return busy_.high() ? 0 : kForever; }

  rtl::Pin busy_;
  rtl::Pin local_clear_, local_write_enable_;
  kit::Storage& local_;
  MemoryPort32 host_constants_;
  std::vector<Ports> ports_;  // of each SM
};

}  // namespace gvp::gpgpu::flexgrip
