// SPDX-License-Identifier: Apache-2.0
// A block of RTL for tests, written in C++ instead of compiled by Verilator: pins by name, and a
// function that is called at every evaluation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "models/rtl/block_interface.h"

namespace gvp::test {

class FakeRtl {
 public:
  // Called at every evaluation; rising: of the clock since the one before.
  std::function<void(bool rising)> on_eval;
  unsigned evaluations = 0;
  unsigned destroyed = 0;
  uint32_t seed = 0;      // it was created with
  std::string failure;    // if set, evaluations fail with it
  bool has_state = true;  // the pins and `memory`

  // clock, reset: the roles of its first pins.
  explicit FakeRtl(std::string name, const char* clock = "clock", const char* reset = "reset_n")
      : name_(std::move(name)) {
    add("aclk", 1, 1, clock);
    add("aresetn", 1, 1, reset);
  }
  void input(const std::string& name, unsigned bits, const char* role = "") {
    add(name, bits, 1, role);
  }
  void output(const std::string& name, unsigned bits) { add(name, bits, 0); }
  // The pins of an AXI4 port, as a subordinate or a master; data_bits up to 512.
  void axi_port(const std::string& prefix, bool is_master, unsigned data_bits, unsigned id_bits,
                bool lite = false) {
    axi_port(prefix, is_master, data_bits, id_bits, id_bits, lite);
  }
  // IDs of AW and B, and of AR and R; 0: none.
  void axi_port(const std::string& prefix, bool is_master, unsigned data_bits,
                unsigned write_id_bits, unsigned read_id_bits, bool lite);

  // The low 64 bits of a pin.
  uint64_t& operator[](const std::string& pin) { return values_[index(pin)][0]; }
  bool has(const std::string& pin) const { return find(pin) != names_.size(); }
  // Eight words of them.
  uint64_t* words(const std::string& pin) { return values_[index(pin)]; }
  const std::vector<gvp_rtl_pin>& all_pins() const { return pins_; }
  uint64_t* memory() { return values_[kPins - 1]; }  // eight words of state beside the pins

  // The table stays valid as long as this; one instance can be made of it.
  const gvp_rtl_block& table() {
    current() = this;
    table_ = {GVP_RTL_INTERFACE_VERSION,
              name_.c_str(),
              "a test",
              pins_.data(),
              pins_.size(),
              create,
              destroy,
              pin_data,
              eval,
              error,
              output_text,
              state,
              nullptr,
              nullptr,
              nullptr};
    return table_;
  }

 private:
  static constexpr size_t kPins = 96, kWords = 8;
  static FakeRtl*& current() {
    static FakeRtl* fake = nullptr;
    return fake;
  }
  static FakeRtl& of(void* model) { return *static_cast<FakeRtl*>(model); }
  static void* create(const char*, uint32_t seed) {
    current()->seed = seed;
    return current();
  }
  static void destroy(void* model) { ++of(model).destroyed; }
  static void* pin_data(void* model, size_t pin) { return of(model).values_[pin]; }
  static int eval(void* model) {
    FakeRtl& fake = of(model);
    ++fake.evaluations;
    const bool clock = (fake.values_[0][0] & 1) != 0;
    const bool rising = clock && !fake.clock_before_;
    fake.clock_before_ = clock;
    if (fake.on_eval) fake.on_eval(rising);
    return fake.failure.empty() ? 0 : 1;
  }
  static const char* error(void* model) { return of(model).failure.c_str(); }
  static const char* output_text(void*) { return ""; }
  static const void* state(void* model, size_t* bytes) {
    FakeRtl& fake = of(model);
    *bytes = fake.has_state ? sizeof fake.values_ : 0;
    return fake.has_state ? fake.values_ : nullptr;
  }
  size_t find(const std::string& pin) const {
    return static_cast<size_t>(std::find(names_.begin(), names_.end(), pin) - names_.begin());
  }
  size_t index(const std::string& pin) const {
    if (!has(pin)) std::abort();
    return find(pin);
  }
  void add(const std::string& name, unsigned bits, uint32_t is_input, const char* role = "") {
    if (bits == 0) return;
    names_.push_back(name);
    pins_.push_back({names_.back().c_str(), bits, is_input, role});
  }

  std::string name_;
  std::deque<std::string> names_;
  std::vector<gvp_rtl_pin> pins_;
  uint64_t values_[kPins][kWords] = {};
  bool clock_before_ = false;
  gvp_rtl_block table_{};
};

inline void FakeRtl::axi_port(const std::string& prefix, bool is_master, unsigned data_bits,
                              unsigned write_id_bits, unsigned read_id_bits, bool lite) {
  const auto from_master = [&](const std::string& name, unsigned bits) {
    add(prefix + name, bits, is_master ? 0 : 1);
  };
  const auto to_master = [&](const std::string& name, unsigned bits) {
    add(prefix + name, bits, is_master ? 1 : 0);
  };
  for (const std::string channel : {"aw", "ar"}) {
    from_master(channel + "addr", 32);
    from_master(channel + "prot", 3);
    from_master(channel + "valid", 1);
    to_master(channel + "ready", 1);
    if (lite) continue;
    from_master(channel + "id", channel == "aw" ? write_id_bits : read_id_bits);
    from_master(channel + "len", 8);
    from_master(channel + "size", 3);
    from_master(channel + "burst", 2);
    from_master(channel + "lock", 1);
    from_master(channel + "cache", 4);
    from_master(channel + "qos", 4);
    from_master(channel + "region", 4);
  }
  from_master("wdata", data_bits);
  from_master("wstrb", data_bits / 8);
  from_master("wvalid", 1);
  to_master("wready", 1);
  to_master("bresp", 2);
  to_master("bvalid", 1);
  from_master("bready", 1);
  to_master("rdata", data_bits);
  to_master("rresp", 2);
  to_master("rvalid", 1);
  from_master("rready", 1);
  if (lite) return;
  from_master("wlast", 1);
  to_master("bid", write_id_bits);
  to_master("rid", read_id_bits);
  to_master("rlast", 1);
}

}  // namespace gvp::test
