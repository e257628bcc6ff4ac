// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/port.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace gvp::axi::pins {
namespace {

using rtl::Block;
using rtl::Pin;

// Finds the pins of one port, which all come from the one side or the other.
class Finder {
 public:
  Finder(Block& block, std::string prefix, bool is_master, Naming naming)
      : block_(block),
        prefix_(std::move(prefix)),
        is_master_(is_master),
        naming_(std::move(naming)) {}

  std::string name_of(const std::string& signal) const {
    return naming_ ? naming_(signal) : prefix_ + signal;
  }
  bool has(const std::string& signal) const { return block_.pin(name_of(signal)).exists(); }
  // from_master: who drives it.  bits 0: any number.
  Pin need(const std::string& signal, bool from_master, unsigned bits = 0) const {
    const std::string name = name_of(signal);
    return from_master == is_master_ ? block_.output_pin(name, bits) : block_.input_pin(name, bits);
  }
  Pin optional(const std::string& signal, bool from_master, unsigned bits = 0) const {
    return has(signal) ? need(signal, from_master, bits) : Pin();
  }

 private:
  Block& block_;
  std::string prefix_;
  bool is_master_;
  Naming naming_;
};

constexpr unsigned kLengthBits = 8, kSizeBits = 3, kBurstBits = 2, kCacheBits = 4,
                   kProtectionBits = 3, kQosBits = 4, kRegionBits = 4, kResponseBits = 2;

AddressPins address_pins(const Finder& find, const std::string& channel, bool lite) {
  AddressPins pins;
  pins.address = find.need(channel + "addr", true);
  pins.valid = find.need(channel + "valid", true, 1);
  pins.ready = find.need(channel + "ready", false, 1);
  pins.protection = find.optional(channel + "prot", true, kProtectionBits);
  if (lite) return pins;
  pins.length = find.need(channel + "len", true, kLengthBits);
  pins.size = find.optional(channel + "size", true, kSizeBits);
  pins.burst = find.optional(channel + "burst", true, kBurstBits);
  pins.id = find.optional(channel + "id", true);
  pins.lock = find.optional(channel + "lock", true);  // AXI3's second bit stays 0
  pins.cache = find.optional(channel + "cache", true, kCacheBits);
  pins.qos = find.optional(channel + "qos", true, kQosBits);
  pins.region = find.optional(channel + "region", true, kRegionBits);
  return pins;
}

void check_widths(const Port& port, const std::string& block) {
  const rtl::Pin& data = port.reads ? port.r.data : port.w.data;
  const bool power =
      data.bits() >= 8 && data.bits() <= 1024 && (data.bits() & (data.bits() - 1)) == 0;
  if (!power || (port.lite && data.bits() != 32 && data.bits() != 64))
    throw bad_input(
        fmt::format("RTL block {}: port {} has {} bits", block, data.name(), data.bits()), {},
        port.lite ? "AXI4-Lite has 32 or 64 (IHI 0022 B1.1.1)"
                  : "AXI4 has a power of two from 8 to 1024 (IHI 0022 A1.3)");
  if (port.reads && port.writes && port.w.data.bits() != port.r.data.bits())
    throw bad_input(fmt::format("RTL block {}: port {} has {} bits, {} has {}", block,
                                port.w.data.name(), port.w.data.bits(), port.r.data.name(),
                                port.r.data.bits()));
  if (port.writes && port.w.strobes.exists() && port.w.strobes.bits() != port.data_bytes)
    throw bad_input(fmt::format("RTL block {}: port {} has {} bits, not one for each of {} bytes",
                                block, port.w.strobes.name(), port.w.strobes.bits(),
                                port.data_bytes));
}

}  // namespace

bool has_port(Block& block, const std::string& prefix, const Naming& naming) {
  const Finder find(block, prefix, false, naming);
  return find.has("awaddr") || find.has("araddr") || find.has("awvalid") || find.has("arvalid");
}

Port find_port(Block& block, const std::string& prefix, bool is_master, const Naming& naming) {
  const Finder find(block, prefix, is_master, naming);
  Port port;
  port.name = prefix.substr(0, prefix.find_last_not_of('_') + 1);
  port.is_master = is_master;
  port.writes = find.has("awaddr") || find.has("awvalid");
  port.reads = find.has("araddr") || find.has("arvalid");
  port.lite = !find.has("awlen") && !find.has("arlen");
  if (port.writes) {
    port.aw = address_pins(find, "aw", port.lite);
    port.w.data = find.need("wdata", true);
    port.w.strobes = find.optional("wstrb", true);
    port.w.valid = find.need("wvalid", true, 1);
    port.w.ready = find.need("wready", false, 1);
    if (!port.lite) port.w.last = find.optional("wlast", true, 1);
    port.b.response = find.optional("bresp", false, kResponseBits);
    port.b.valid = find.need("bvalid", false, 1);
    port.b.ready = find.need("bready", true, 1);
    if (!port.lite) port.b.id = find.optional("bid", false);
    port.address_bits = port.aw.address.bits();
    port.data_bytes = port.w.data.bits() / 8;
  }
  if (port.reads) {
    port.ar = address_pins(find, "ar", port.lite);
    port.r.data = find.need("rdata", false);
    port.r.response = find.optional("rresp", false, kResponseBits);
    port.r.valid = find.need("rvalid", false, 1);
    port.r.ready = find.need("rready", true, 1);
    if (!port.lite) {
      port.r.last = find.optional("rlast", false, 1);
      port.r.id = find.optional("rid", false);
    }
    port.address_bits = port.ar.address.bits();
    port.data_bytes = port.r.data.bits() / 8;
  }
  check_widths(port, block.type().name);
  return port;
}

}  // namespace gvp::axi::pins
