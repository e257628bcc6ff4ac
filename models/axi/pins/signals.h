// SPDX-License-Identifier: Apache-2.0
// The signals of an AXI4 or AXI4-Lite port (AMBA AXI and ACE specification, IHI 0022 A2, B1.1): who
// drives each, how wide it is, and which of them a port cannot be without.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace gvp::axi::pins {

struct Signal {
  const char* name;
  bool from_master;  // who drives it
  unsigned bits;     // 0: any number
  bool needed;       // wherever its channel is there (A9.3, B1.1)
  bool lite;         // AXI4-Lite has it, too
};
inline constexpr Signal kSignals[] = {
    {"awaddr", true, 0, true, true},   {"awvalid", true, 1, true, true},
    {"awready", false, 1, true, true}, {"awprot", true, 3, false, true},
    {"awid", true, 0, false, false},   {"awlen", true, 8, false, false},
    {"awsize", true, 3, false, false}, {"awburst", true, 2, false, false},
    {"awlock", true, 1, false, false}, {"awcache", true, 4, false, false},
    {"awqos", true, 4, false, false},  {"awregion", true, 4, false, false},
    {"awuser", true, 0, false, false}, {"wdata", true, 0, true, true},
    {"wvalid", true, 1, true, true},   {"wready", false, 1, true, true},
    {"wstrb", true, 0, false, true},   {"wlast", true, 1, false, false},
    {"wuser", true, 0, false, false},  {"bvalid", false, 1, true, true},
    {"bready", true, 1, true, true},   {"bresp", false, 2, false, true},
    {"bid", false, 0, false, false},   {"buser", false, 0, false, false},
    {"araddr", true, 0, true, true},   {"arvalid", true, 1, true, true},
    {"arready", false, 1, true, true}, {"arprot", true, 3, false, true},
    {"arid", true, 0, false, false},   {"arlen", true, 8, false, false},
    {"arsize", true, 3, false, false}, {"arburst", true, 2, false, false},
    {"arlock", true, 1, false, false}, {"arcache", true, 4, false, false},
    {"arqos", true, 4, false, false},  {"arregion", true, 4, false, false},
    {"aruser", true, 0, false, false}, {"rdata", false, 0, true, true},
    {"rvalid", false, 1, true, true},  {"rready", true, 1, true, true},
    {"rresp", false, 2, false, true},  {"rid", false, 0, false, false},
    {"rlast", false, 1, false, false}, {"ruser", false, 0, false, false},
};

// One of the table.
inline const Signal& signal_named(std::string_view name) {
  return *std::find_if(std::begin(kSignals), std::end(kSignals),
                       [&](const Signal& each) { return name == each.name; });
}

}  // namespace gvp::axi::pins
