// SPDX-License-Identifier: Apache-2.0
// The pins of one AXI4 or AXI4-Lite port of a block of RTL (AMBA AXI and ACE specification, IHI
// 0022): found by the names that follow a prefix ("s_axi_awaddr"), or by those of a mapping.
// Signals that the specification lets a component do without (A9.3) may be missing.
#pragma once

#include <functional>
#include <string>

#include "models/rtl/block.h"
#include "models/rtl/pin.h"

namespace gvp::axi::pins {

struct AddressPins {  // AW or AR
  rtl::Pin address, id, length, size, burst, lock, cache, protection, qos, region, valid, ready;
};
struct WritePins {
  rtl::Pin data, strobes, last, valid, ready;
};
struct WriteResponsePins {
  rtl::Pin id, response, valid, ready;
};
struct ReadPins {
  rtl::Pin id, data, response, last, valid, ready;
};

struct Port {
  std::string name;        // the prefix without its underscore
  bool is_master = false;  // the block sends the requests
  bool lite = false;
  unsigned data_bytes = 4;
  unsigned address_bits = 32;
  bool reads = true, writes = true;  // AR and R, AW and W and B
  // Of a slave: what transactors add to addresses, a multiple of 4 KiB, where the block is to see
  // those of the bus.
  uint64_t base = 0;
  AddressPins aw, ar;
  WritePins w;
  WriteResponsePins b;
  ReadPins r;
};

// From a signal's name ("awaddr") to the block's; null for prefix + name.
using Naming = std::function<std::string(const std::string& signal)>;

// Throws Error (bad input) that names the pin which is missing, or has a width or direction that a
// port cannot have.
Port find_port(rtl::Block& block, const std::string& prefix, bool is_master,
               const Naming& naming = {});
// Whether there is a port with this prefix at all.
bool has_port(rtl::Block& block, const std::string& prefix, const Naming& naming = {});

}  // namespace gvp::axi::pins
