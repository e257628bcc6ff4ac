// SPDX-License-Identifier: Apache-2.0
#include "models/rtl/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/base/nearest.h"
#include "models/tlm/payload.h"

namespace gvp::rtl {
namespace {

const Log log_rtl("rtl");

constexpr unsigned kResetCycles = 16;  // what IHI 0022 A3.1.2 leaves open, Xilinx's blocks ask for
// How often an idle block's state is compared: soon after it has done something, then ever less.
constexpr uint64_t kFirstLook = 8, kLastLook = 1024;
constexpr size_t kBytesPerCycle = 8;   // comparing shall cost little beside a cycle
constexpr unsigned kSampleEvery = 64;  // steps: reading the clock costs as much as one of them

uint64_t now() { return sc_core::sc_time_stamp().value(); }

uint64_t nanoseconds_since(std::chrono::steady_clock::time_point begun) {
  return static_cast<uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - begun).count());
}

}  // namespace

Block::Block(const sc_core::sc_module_name& name, const gvp_rtl_block& type,
             const BlockConfiguration& configuration)
    : sc_module(name),
      type_(type),
      model_(type.create(basename(), configuration.seed)),
      owned_(model_, type.destroy),
      eval_(type.eval),
      clock_(configuration.clock_hz, "an RTL block's clock"),
      scheduler_(Scheduler::instance()) {
  if (model_ == nullptr) throw model_error(fmt::format("no memory for RTL block {}", type.name));
  for (const Pin& clock : pins_of_role("clock"))
    clocks_.push_back(const_cast<uint8_t*>(clock.data()));
  if (clocks_.empty())
    throw bad_input(fmt::format("RTL block {} has no clock", type.name), {},
                    "call the input aclk, clk or clock, or name it in the mapping");
  high_resets_ = pins_of_role("reset");
  low_resets_ = pins_of_role("reset_n");
  state_ = static_cast<const uint8_t*>(type.state(model_, &state_bytes_));
  remembered_.resize(state_bytes_);
  look_interval_ = until_look_ = kFirstLook;
  for (Pin& pin : pins())  // also with a seed, which draws them, too
    if (pin.is_input()) pin.clear();
  set_reset(false);
  eval();
  scheduler_->add(*this);
}

Block::~Block() {
  scheduler_->remove(*this);
  if (waves_) type_.wave_close(model_);
}

// ---- pins ----

Pin Block::find(const std::string& name) const {
  for (size_t i = 0; i < type_.pin_count; ++i)
    if (name == type_.pins[i].name)
      return {name, type_.pin_data(model_, i), type_.pins[i].bits, type_.pins[i].is_input != 0};
  return {};
}

Pin Block::pin(const std::string& name) { return find(name); }

std::vector<Pin> Block::pins_of_role(const std::string& role) {
  std::vector<Pin> found;
  for (size_t i = 0; i < type_.pin_count; ++i)
    if (type_.pins[i].role != nullptr && role == type_.pins[i].role)
      found.push_back(find(type_.pins[i].name));
  return found;
}

std::vector<Pin> Block::pins() {
  std::vector<Pin> all;
  for (size_t i = 0; i < type_.pin_count; ++i) all.push_back(find(type_.pins[i].name));
  return all;
}

void Block::refuse_pin(const std::string& name, const std::string& trouble) const {
  std::vector<std::string> names;
  for (size_t i = 0; i < type_.pin_count; ++i) names.emplace_back(type_.pins[i].name);
  const std::string meant = nearest(name, names);
  throw bad_input(fmt::format("RTL block {}: {}", type_.name, trouble), {},
                  meant.empty() || meant == name ? "correct the port in the RTL or the mapping file"
                                                 : fmt::format("did you mean {}?", meant));
}

Pin Block::input_pin(const std::string& name, unsigned bits) {
  Pin found = find(name);
  if (!found.exists()) refuse_pin(name, fmt::format("it has no port {}", name));
  if (!found.is_input()) refuse_pin(name, fmt::format("port {} is an output, not an input", name));
  if (bits != 0 && found.bits() != bits)
    refuse_pin(name, fmt::format("port {} has {} bits, not {}", name, found.bits(), bits));
  return found;
}

Pin Block::output_pin(const std::string& name, unsigned bits) {
  Pin found = find(name);
  if (!found.exists()) refuse_pin(name, fmt::format("it has no port {}", name));
  if (found.is_input()) refuse_pin(name, fmt::format("port {} is an input, not an output", name));
  if (bits != 0 && found.bits() != bits)
    refuse_pin(name, fmt::format("port {} has {} bits, not {}", name, found.bits(), bits));
  return found;
}

void Block::add(Agent& agent) { agents_.push_back(&agent); }

void Block::watch(const Pin& pin, Agent& agent) {
  watches_.push_back({pin.data(), *pin.data(), &agent});
}

// ---- edges ----

void Block::eval() {
  if (eval_(model_) == 0) return;
  const std::string error = type_.error(model_);
  const bool loop = error.find("did not converge") != std::string::npos;
  throw model_error(error, fmt::format("{} @ {}", name(), kit::time_text(clock_.at(edge_))),
                    fmt::format("this is RTL block {}{}", type_.name,
                                loop ? "; it has a combinational loop, whose signals Verilator's "
                                       "warning UNOPTFLAT named when the block was built"
                                     : ""));
}

void Block::set_reset(bool active) {
  for (Pin& pin : high_resets_) pin.set(active ? 1 : 0);
  for (Pin& pin : low_resets_) pin.set(active ? 0 : 1);
}

void Block::cycle() {
  ++edge_;
  ++evaluated_;
  set_clock(1);
  eval();
  if (observed_) show(clock_.ps(edge_));
  set_clock(0);
  eval();
  if (observed_) show(clock_.ps(edge_) + clock_.period_ps() / 2);
}

void Block::make_edge() {
  if (unsettled_) settle();
  for (Agent* agent : agents_) agent->sample();
  ++edge_;
  ++evaluated_;
  set_clock(1);
  eval();
  if (observed_) show(clock_.ps(edge_));
  for (Agent* agent : agents_) agent->drive();
  set_clock(0);
  eval();
  if (observed_) show(clock_.ps(edge_) + clock_.period_ps() / 2);
  for (Agent* agent : agents_) agent->settled();
  look_at_watches();
  fixed_ = false;
  idle_ = 0;
  look_interval_ = until_look_ = kFirstLook;
}

bool Block::look_at_watches() {
  bool changed = false;
  for (Watch& watch : watches_) {
    if (*watch.data == watch.last) continue;
    watch.last = *watch.data;
    watch.agent->pin_changed();
    changed = true;
    idle_ = 0;
  }
  return changed;
}

bool Block::stands_still() {
  std::copy_n(state_, state_bytes_, remembered_.begin());
  cycle();
  return std::equal(remembered_.begin(), remembered_.end(), state_);
}

uint64_t Block::make_idle_edges(uint64_t most) {
  uint64_t made = 0;
  if (until_look_ == 0 && state_ != nullptr) {
    fixed_ = stands_still();
    made = 1;
    look_interval_ =
        std::min(2 * look_interval_, std::max<uint64_t>(kLastLook, state_bytes_ / kBytesPerCycle));
    until_look_ = look_interval_;
    if (look_at_watches() || fixed_) return made;
  }
  const uint64_t until = state_ == nullptr ? most : std::min(most, made + until_look_);
  while (made < until) {
    cycle();
    ++made;
    --until_look_;
    if (look_at_watches()) break;
  }
  return made;
}

uint64_t Block::idle_edges() const {
  uint64_t idle = Agent::kForever;
  for (const Agent* agent : agents_) idle = std::min(idle, agent->idle_edges());
  return idle;
}

bool Block::may_sleep() const {
  return std::all_of(agents_.begin(), agents_.end(),
                     [](const Agent* agent) { return agent->may_sleep(); });
}

// There is an edge before `limit`: that one with the agents, or several without; returns how many.
uint64_t Block::make_edges(uint64_t limit, uint64_t most) {
  if (idle_ == 0 && !unsettled_) idle_ = idle_edges();
  if (unsettled_ || idle_ == 0) {
    make_edge();
    return 1;
  }
  if (fixed_ && may_sleep()) {
    stopped_ = true;
    return 0;
  }
  const uint64_t room = (limit - 1) / clock_.period_ps() - edge_;
  const uint64_t skip = std::min(idle_, room);
  if (fixed_) {  // what stands still needs no evaluation
    edge_ += skip;
    idle_ -= skip;
    return 1;
  }
  const uint64_t idle = idle_;
  const uint64_t made = make_idle_edges(std::min(skip, most));
  if (idle_ != 0) idle_ = idle - made;  // else a pin has changed
  return made;
}

uint64_t Block::advance(uint64_t limit, uint64_t most) {
  const auto begun = std::chrono::steady_clock::now();
  uint64_t made = 0;
  while (!stopped_ && !told_ && made < most && next_edge_ps() < limit)
    made += make_edges(limit, most - made);
  busy_ns_ += nanoseconds_since(begun);
  pass_output_on();
  return made;
}

void Block::step() {
  if (until_sample_ != 0) {
    --until_sample_;
    make_edges(next_edge_ps() + 1, 1);
  } else {
    until_sample_ = kSampleEvery - 1;
    const auto begun = std::chrono::steady_clock::now();
    make_edges(next_edge_ps() + 1, 1);
    busy_ns_ += kSampleEvery * nanoseconds_since(begun);
  }
  pass_output_on();
}

void Block::pass_output_on() {
  if (const char* text = type_.output(model_); *text != '\0') log_rtl.info("{}: {}", name(), text);
}

void Block::catch_up() {
  const uint64_t present = now();
  const uint64_t last = clock_.cycles(sc_core::sc_time_stamp());
  while (!stopped_ || wake_for_overdue(last)) {
    while (!stopped_ && next_edge_ps() <= present) {
      const bool told =
          told_;  // at an edge before: still to be published, at this time at the latest
      told_ = false;
      advance(present + 1, Agent::kForever);
      told_ = told_ || told;
    }
    if (!stopped_) return;
  }
  edge_ = std::max(edge_, last);
}

// A block that stands still goes on where an agent has something to make up for.
bool Block::wake_for_overdue(uint64_t present) {
  uint64_t due = Agent::kForever;
  for (Agent* agent : agents_) due = std::min(due, agent->overdue(present));
  if (due > present) return false;
  edge_ = std::max(edge_, due - 1);
  stopped_ = false;
  idle_ = 0;
  return true;
}

void Block::input() {
  catch_up();
  stopped_ = false;
  fixed_ = false;
  unsettled_ = true;
  idle_ = 0;
  look_interval_ = until_look_ = kFirstLook;
  scheduler_->look_again();
}

std::optional<uint64_t> Block::told_at() const {
  if (!told_) return std::nullopt;
  return std::max(clock_.ps(edge_), now());
}

void Block::publish() {
  if (!told_ || clock_.ps(edge_) > now()) return;
  told_ = false;
  idle_ = 0;
  for (Agent* agent : agents_) agent->publish();
}

// ---- reset, waves, statistics ----

void Block::reset() {
  if (!has_reset()) return;  // it goes on, and so does what is under way at its pins
  input();
  set_reset(true);
  for (Agent* agent : agents_) agent->reset();
  for (unsigned i = 0; i < kResetCycles; ++i) {
    set_clock(1);
    eval();
    set_clock(0);
    eval();
    for (Agent* agent : agents_) agent->in_reset(i);
  }
  set_reset(false);
  settle();
  look_at_watches();
}

void Block::start_of_simulation() {
  if (has_reset()) return reset();
  for (Agent* agent : agents_) agent->reset();
  unsettled_ = true;
}

void Block::open_wave(const std::string& file) {
  if (type_.wave_open == nullptr)
    throw bad_input(fmt::format("RTL block {} was built without waveforms", type_.name));
  if (type_.wave_open(model_, file.c_str()) != 0) throw bad_input(type_.error(model_), {file});
  waves_ = observed_ = true;
}

void Block::show(uint64_t picoseconds) {
  if (picoseconds < dumped_ps_) return;
  if (waves_ && Scheduler::shows_waves_at(picoseconds)) type_.wave_dump(model_, picoseconds);
  if (observer_) observer_(picoseconds);
  dumped_ps_ = picoseconds + 1;
}

nlohmann::ordered_json Block::statistics() const {
  const uint64_t cycles =
      stopped_ ? std::max(edge_, clock_.cycles(sc_core::sc_time_stamp())) : edge_;
  nlohmann::ordered_json json;
  json["block"] = type_.name;
  json["clock_hz"] = clock_.hz();
  json["cycles"] = cycles;
  json["evaluated_cycles"] = evaluated_;
  json["cycles_per_second"] =
      busy_ns_ == 0 ? 0.0 : 1e9 * static_cast<double>(evaluated_) / static_cast<double>(busy_ns_);
  return json;
}

}  // namespace gvp::rtl
