// SPDX-License-Identifier: Apache-2.0
// The table of signals against the specification's, read channel by channel.
#include "models/axi/pins/signals.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gvp::axi::pins {
namespace {

// IHI 0022, table A2-2 to A2-6: widths; 0 for those that a port chooses.
const std::map<std::string, unsigned> kAddress = {
    {"id", 0},   {"addr", 0}, {"len", 8},    {"size", 3}, {"burst", 2}, {"lock", 1}, {"cache", 4},
    {"prot", 3}, {"qos", 4},  {"region", 4}, {"user", 0}, {"valid", 1}, {"ready", 1}};
const std::map<std::string, std::map<std::string, unsigned>> kChannels = {
    {"aw", kAddress},
    {"w", {{"data", 0}, {"strb", 0}, {"last", 1}, {"user", 0}, {"valid", 1}, {"ready", 1}}},
    {"b", {{"id", 0}, {"resp", 2}, {"user", 0}, {"valid", 1}, {"ready", 1}}},
    {"ar", kAddress},
    {"r",
     {{"id", 0}, {"data", 0}, {"resp", 2}, {"last", 1}, {"user", 0}, {"valid", 1}, {"ready", 1}}}};

TEST(PinSignals, AreTheChannels) {
  std::map<std::string, unsigned> expected, found;
  for (const auto& [channel, signals] : kChannels)
    for (const auto& [name, bits] : signals) expected[channel + name] = bits;
  for (const Signal& signal : kSignals) {
    EXPECT_EQ(found.count(signal.name), 0u) << signal.name;
    found[signal.name] = signal.bits;
  }
  EXPECT_EQ(found, expected);
}

// Who sends on a channel drives all of it but ready (A2).
TEST(PinSignals, AreDrivenByWhoSendsOnTheirChannel) {
  for (const Signal& signal : kSignals) {
    const std::string name = signal.name;
    const bool master_sends = name[0] == 'a' || name[0] == 'w';
    const bool is_ready = name.size() > 5 && name.substr(name.size() - 5) == "ready";
    EXPECT_EQ(signal.from_master, master_sends != is_ready) << name;
  }
}

// Without an address, data and handshakes nothing is transferred; everything else has a default
// (A9.3).
TEST(PinSignals, AreNeededWhereThereIsNoDefault) {
  const std::set<std::string> needed = {"awaddr",  "awvalid", "awready", "wdata",  "wvalid",
                                        "wready",  "bvalid",  "bready",  "araddr", "arvalid",
                                        "arready", "rdata",   "rvalid",  "rready"};
  for (const Signal& signal : kSignals)
    EXPECT_EQ(signal.needed, needed.count(signal.name) != 0) << signal.name;
}

// B1.1: AXI4-Lite's signals.
TEST(PinSignals, OfAxi4LiteAreThese) {
  const std::set<std::string> lite = {"awvalid", "awready", "awaddr",  "awprot", "wvalid",
                                      "wready",  "wdata",   "wstrb",   "bvalid", "bready",
                                      "bresp",   "arvalid", "arready", "araddr", "arprot",
                                      "rvalid",  "rready",  "rdata",   "rresp"};
  for (const Signal& signal : kSignals)
    EXPECT_EQ(signal.lite, lite.count(signal.name) != 0) << signal.name;
}

}  // namespace
}  // namespace gvp::axi::pins
