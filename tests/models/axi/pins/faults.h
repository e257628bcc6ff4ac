// SPDX-License-Identifier: Apache-2.0
// Faults at the pins of an AXI4 port of 32 bits of data and 4 of ID, with the rule that each
// breaks, and traffic that breaks none: what checkers of the pins are tested with.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gvp::axi::pins::test_traffic {

// What the pins are at one edge; handshake signals that are not named are low.
using Step = std::vector<std::pair<std::string, uint64_t>>;
using Steps = std::vector<Step>;

inline Step operator+(Step step, const Step& more) {
  step.insert(step.end(), more.begin(), more.end());  // the last of two counts
  return step;
}

// Address phases that are taken at once, of one full beat at 0x100 unless more says otherwise.
inline Step address(const std::string& x, const Step& more = {}) {
  Step step = {{x + "addr", 0x100}, {x + "id", 0},     {x + "len", 0},   {x + "size", 2},
               {x + "burst", 1},    {x + "lock", 0},   {x + "cache", 0}, {x + "prot", 0},
               {x + "qos", 0},      {x + "region", 0}, {x + "valid", 1}, {x + "ready", 1}};
  for (const auto& [name, value] : more) step.emplace_back(x + name, value);
  return step;
}
inline Step aw(const Step& more = {}) { return address("aw", more); }
inline Step ar(const Step& more = {}) { return address("ar", more); }
inline Step w(uint64_t last = 1, uint64_t strobes = 15) {
  return {{"wdata", 0x12345678}, {"wstrb", strobes}, {"wlast", last}, {"wvalid", 1}, {"wready", 1}};
}
inline Step b(uint64_t id = 0, uint64_t response = 0) {
  return {{"bid", id}, {"bresp", response}, {"bvalid", 1}, {"bready", 1}};
}
inline Step r(uint64_t last = 1, uint64_t id = 0, uint64_t response = 0) {
  return {{"rid", id},  {"rresp", response}, {"rlast", last},
          {"rdata", 7}, {"rvalid", 1},       {"rready", 1}};
}
inline Steps times(unsigned count, const Step& step) { return Steps(count, step); }
inline Steps operator+(Steps steps, const Steps& more) {
  steps.insert(steps.end(), more.begin(), more.end());
  return steps;
}
// The beats of a burst.
inline Steps beats(unsigned count, const std::function<Step(uint64_t)>& beat) {
  return times(count - 1, beat(0)) + Steps{beat(1)};
}
inline Step write_beat(uint64_t last) { return w(last); }
inline Step read_beat(uint64_t last) { return r(last); }

struct Fault {
  std::string name;
  Steps steps;
  std::string rule, signal;
};

inline std::vector<Fault> handshake_faults() {
  std::vector<Fault> faults;
  struct Channel {
    const char* name;
    Step step;
    std::vector<const char*> payload;
  };
  const std::vector<const char*> of_address = {"addr", "id",    "len",  "size", "burst",
                                               "lock", "cache", "prot", "qos",  "region"};
  const Channel channels[] = {{"aw", aw(), of_address},
                              {"w", w(), {"data", "strb", "last"}},
                              {"b", b(), {"id", "resp"}},
                              {"ar", ar(), of_address},
                              {"r", r(), {"id", "data", "resp", "last"}}};
  for (const Channel& channel : channels) {
    const std::string name = channel.name;
    const Step waits = channel.step + Step{{name + "ready", 0}};
    // What a response answers comes before it.
    const Steps before = name == "b" ? Steps{aw(), w()} : name == "r" ? Steps{ar()} : Steps{};
    faults.push_back(
        {name + "valid goes low", before + Steps{waits, {}}, "PIN_VALID_HELD", name + "valid"});
    for (const char* signal : channel.payload) {
      uint64_t value = 0;
      for (const auto& [pin, set] : channel.step)
        if (pin == name + signal) value = set;
      faults.push_back({name + signal + " changes",
                        before + Steps{waits, waits + Step{{name + signal, value ^ 1}}},
                        "PIN_STABLE", name + signal});
    }
  }
  return faults;
}

inline std::vector<Fault> address_faults() {
  std::vector<Fault> faults;
  for (const std::string x : {"aw", "ar"}) {
    const auto fault = [&](const std::string& name, const Step& more, const std::string& rule,
                           const std::string& signal) {
      faults.push_back({x + " " + name, {address(x, more)}, rule, x + signal});
    };
    fault("reserved burst", {{"burst", 3}}, "PIN_BURST_TYPE", "burst");
    fault("too wide", {{"size", 3}}, "PIN_SIZE", "size");
    fault("FIXED too long", {{"burst", 0}, {"len", 16}}, "PIN_LENGTH", "len");
    fault("WRAP of one beat", {{"burst", 2}, {"len", 0}}, "PIN_LENGTH", "len");
    fault("WRAP of three beats", {{"burst", 2}, {"len", 2}}, "PIN_LENGTH", "len");
    fault("WRAP of 32 beats", {{"burst", 2}, {"len", 31}}, "PIN_LENGTH", "len");
    fault("WRAP unaligned", {{"burst", 2}, {"len", 3}, {"addr", 0x102}}, "PIN_WRAP_ALIGNED",
          "addr");
    fault("across 4 KiB", {{"len", 3}, {"addr", 0xff8}}, "PIN_BOUNDARY", "addr");
    fault("allocates, not modifiable", {{"cache", 4}}, "PIN_CACHE", "cache");
    fault("exclusive of 17 beats", {{"lock", 1}, {"len", 16}}, "PIN_EXCLUSIVE_LENGTH", "len");
    fault("exclusive of 12 bytes", {{"lock", 1}, {"len", 2}}, "PIN_EXCLUSIVE_SIZE", "len");
    fault("exclusive unaligned", {{"lock", 1}, {"len", 1}, {"addr", 0x104}},
          "PIN_EXCLUSIVE_ALIGNED", "addr");
  }
  faults.push_back(
      {"exclusive write without read", {aw({{"lock", 1}})}, "PIN_EXCLUSIVE_PAIR", "awlock"});
  const Steps exclusive_read = {ar({{"lock", 1}}), r(1, 0, 1)};
  faults.push_back({"exclusive write elsewhere",
                    exclusive_read + Steps{aw({{"lock", 1}, {"addr", 0x200}})},
                    "PIN_EXCLUSIVE_PAIR", "awlock"});
  faults.push_back({"exclusive write of another size",
                    exclusive_read + Steps{aw({{"lock", 1}, {"size", 1}})}, "PIN_EXCLUSIVE_PAIR",
                    "awlock"});
  faults.push_back({"exclusive write before the read's data",
                    {ar({{"lock", 1}}), aw({{"lock", 1}})},
                    "PIN_EXCLUSIVE_PAIR",
                    "awlock"});
  faults.push_back({"exclusive write before the next read's data",
                    exclusive_read + Steps{ar({{"lock", 1}}), aw({{"lock", 1}})},
                    "PIN_EXCLUSIVE_PAIR", "awlock"});
  return faults;
}

inline std::vector<Fault> data_faults() {
  const Step burst_write = aw({{"len", 3}}), burst_read = ar({{"len", 3}});
  return {
      {"WLAST early", Steps{burst_write, w(0), w(1)}, "PIN_LAST", "wlast"},
      {"WLAST missing", Steps{burst_write} + times(4, w(0)), "PIN_LAST", "wlast"},
      {"WLAST missing, data first", Steps{w(0), aw()}, "PIN_LAST", "wlast"},
      {"strobe outside of a narrow beat",
       {aw({{"size", 0}, {"addr", 0x101}}), w(1, 4)},
       "PIN_STROBES",
       "wstrb"},
      {"strobe before an unaligned address",
       {aw({{"addr", 0x102}}), w(1, 15)},
       "PIN_STROBES",
       "wstrb"},
      {"strobe of the wrong half",
       {aw({{"size", 1}, {"len", 1}}), w(0, 3), w(1, 3)},
       "PIN_STROBES",
       "wstrb"},
      {"write response to nothing", {b()}, "PIN_RESPONSE", "bvalid"},
      {"two responses to a write", {aw(), w(), b(), b()}, "PIN_RESPONSE", "bvalid"},
      {"response before the data", {aw(), b()}, "PIN_RESPONSE_EARLY", "bvalid"},
      {"response before the last data", {burst_write, w(0), b()}, "PIN_RESPONSE_EARLY", "bvalid"},
      {"response before the address", {w(), b()}, "PIN_RESPONSE", "bvalid"},
      {"BID of nobody", {aw({{"id", 2}}), w(), b(3)}, "PIN_ID", "bid"},
      {"EXOKAY for an ordinary write", {aw(), w(), b(0, 1)}, "PIN_EXOKAY", "bresp"},
      {"data to nothing", {r()}, "PIN_RESPONSE", "rvalid"},
      {"one beat too many", {ar(), r(), r()}, "PIN_RESPONSE", "rvalid"},
      {"RID of nobody", {ar({{"id", 2}}), r(1, 3)}, "PIN_ID", "rid"},
      {"RLAST early", {burst_read, r(0), r(1)}, "PIN_LAST", "rlast"},
      {"RLAST missing", {ar(), r(0)}, "PIN_LAST", "rlast"},
      {"EXOKAY for an ordinary read", {ar(), r(1, 0, 1)}, "PIN_EXOKAY", "rresp"},
      {"OKAY after EXOKAY",
       {ar({{"lock", 1}, {"len", 1}}), r(0, 0, 1), r(1, 0, 0)},
       "PIN_EXOKAY_MIXED",
       "rresp"},
      {"EXOKAY after OKAY",
       {ar({{"lock", 1}, {"len", 1}}), r(0, 0, 0), r(1, 0, 1)},
       "PIN_EXOKAY_MIXED",
       "rresp"},
      {"EXOKAY for a write whose read was not answered so",
       {ar({{"lock", 1}}), r(1, 0, 0), aw({{"lock", 1}}), w(), b(0, 1)},
       "PIN_EXOKAY",
       "bresp"},
      {"EXOKAY twice for one read",
       {ar({{"lock", 1}}), r(1, 0, 1), aw({{"lock", 1}}), w(), b(0, 1), aw({{"lock", 1}}), w(),
        b(0, 1)},
       "PIN_EXOKAY",
       "bresp"},
  };
}

// Bursts of all types, several at once, exclusive ones, waiting on each channel: 18 transactions.
inline Steps legal_traffic() {
  return
      // data before, with and after its address; bursts of all types; both directions at once
      Steps{aw() + w(), b(), w(), aw(), b(), aw(), w(), b()} + Steps{aw({{"len", 3}})} +
      beats(4, write_beat) + Steps{b()} + Steps{aw({{"len", 255}, {"size", 0}})} +
      [] {
        Steps narrow;
        for (unsigned i = 0; i < 256; ++i) narrow.push_back(w(i == 255, 1u << (i % 4)));
        return narrow;
      }() +
      Steps{b()} + Steps{ar({{"burst", 2}, {"len", 7}, {"addr", 0x10c}})} + beats(8, read_beat) +
      Steps{ar({{"burst", 0}, {"len", 15}})} + beats(16, read_beat) + Steps{ar({{"addr", 0xffe}})} +
      Steps{r()} +  // unaligned, up to the end of the page
      // several outstanding, answered in another order and interleaved
      Steps{ar({{"id", 1}, {"len", 1}}),
            ar({{"id", 2}, {"len", 1}}),
            r(0, 2),
            r(0, 1),
            r(1, 1),
            r(1, 2)} +
      Steps{aw({{"id", 1}}), aw({{"id", 2}}), w(), w(), b(2), b(1)} +
      // exclusive, granted and not
      Steps{ar({{"lock", 1}}), r(1, 0, 1), aw({{"lock", 1}}), w(), b(0, 1)} +
      Steps{ar({{"lock", 1}}), r(1, 0, 0), aw({{"lock", 1}}), w(), b(0, 0)} +
      // waiting on each channel
      Steps{aw() + Step{{"awready", 0}}, aw(), w() + Step{{"wready", 0}}, w(),
            b() + Step{{"bready", 0}},   b()} +
      Steps{ar() + Step{{"arready", 0}}, ar(), r() + Step{{"rready", 0}}, r()};
}

}  // namespace gvp::axi::pins::test_traffic
