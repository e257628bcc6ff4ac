// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/port.h"

#include <fmt/format.h>

#include "models/axi/pins/signals.h"
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
  // Null if it is not there and may be missing.
  Pin find(const std::string& signal) const {
    const Signal& known = signal_named(signal);
    if (!known.needed && !has(signal)) return {};
    return pin(known, known.bits);
  }
  Pin need(const std::string& signal) const {
    return pin(signal_named(signal), signal_named(signal).bits);
  }
  // AXI3's has a second bit, which stays 0.
  Pin find_lock(const std::string& signal) const {
    return has(signal) ? pin(signal_named(signal), 0) : Pin();
  }

 private:
  // bits 0: any number.
  Pin pin(const Signal& signal, unsigned bits) const {
    const std::string name = name_of(signal.name);
    return signal.from_master == is_master_ ? block_.output_pin(name, bits)
                                            : block_.input_pin(name, bits);
  }

  Block& block_;
  std::string prefix_;
  bool is_master_;
  Naming naming_;
};

AddressPins address_pins(const Finder& port, const std::string& channel, bool lite) {
  AddressPins pins;
  pins.address = port.find(channel + "addr");
  pins.valid = port.find(channel + "valid");
  pins.ready = port.find(channel + "ready");
  pins.protection = port.find(channel + "prot");
  if (lite) return pins;
  pins.length = port.need(channel + "len");
  pins.size = port.find(channel + "size");
  pins.burst = port.find(channel + "burst");
  pins.id = port.find(channel + "id");
  pins.lock = port.find_lock(channel + "lock");
  pins.cache = port.find(channel + "cache");
  pins.qos = port.find(channel + "qos");
  pins.region = port.find(channel + "region");
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
  const Finder finder(block, prefix, is_master, naming);
  Port port;
  port.name = prefix.substr(0, prefix.find_last_not_of('_') + 1);
  port.is_master = is_master;
  port.writes = finder.has("awaddr") || finder.has("awvalid");
  port.reads = finder.has("araddr") || finder.has("arvalid");
  port.lite = !finder.has("awlen") && !finder.has("arlen");
  if (port.writes) {
    port.aw = address_pins(finder, "aw", port.lite);
    port.w.data = finder.find("wdata");
    port.w.strobes = finder.find("wstrb");
    port.w.valid = finder.find("wvalid");
    port.w.ready = finder.find("wready");
    if (!port.lite) port.w.last = finder.find("wlast");
    port.b.response = finder.find("bresp");
    port.b.valid = finder.find("bvalid");
    port.b.ready = finder.find("bready");
    if (!port.lite) port.b.id = finder.find("bid");
    port.address_bits = port.aw.address.bits();
    port.data_bytes = port.w.data.bits() / 8;
  }
  if (port.reads) {
    port.ar = address_pins(finder, "ar", port.lite);
    port.r.data = finder.find("rdata");
    port.r.response = finder.find("rresp");
    port.r.valid = finder.find("rvalid");
    port.r.ready = finder.find("rready");
    if (!port.lite) {
      port.r.last = finder.find("rlast");
      port.r.id = finder.find("rid");
    }
    port.address_bits = port.ar.address.bits();
    port.data_bytes = port.r.data.bits() / 8;
  }
  check_widths(port, block.type().name);
  return port;
}

}  // namespace gvp::axi::pins
