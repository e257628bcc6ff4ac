// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/axi/pins/lanes.h"
#include "models/base/error.h"
#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::axi::pins {
namespace {

const Log log_pins("axi-pins");

constexpr size_t kMostListed = 100;
constexpr uint64_t kPage = 4096;
constexpr unsigned kMostFixedBeats = 16;
constexpr unsigned kReservedBurst = 3;
// The first cycle of a reset is the one whose edge a synchronous reset needs.
constexpr unsigned kResetTakesCycles = 1;

}  // namespace

Checker::Checker(rtl::Block& block, const Port& port, const CheckerSettings& settings)
    : block_(block), port_(port), settings_(settings) {
  const auto address = [](const AddressPins& a) {
    return std::vector<rtl::Pin>{a.address, a.id,    a.length,     a.size, a.burst,
                                 a.lock,    a.cache, a.protection, a.qos,  a.region};
  };
  if (port_.writes) {
    add_channel(kAw, "AW", port_.aw.valid, port_.aw.ready, address(port_.aw));
    add_channel(kW, "W", port_.w.valid, port_.w.ready,
                {port_.w.data, port_.w.strobes, port_.w.last});
    add_channel(kB, "B", port_.b.valid, port_.b.ready, {port_.b.id, port_.b.response});
  }
  if (port_.reads) {
    add_channel(kAr, "AR", port_.ar.valid, port_.ar.ready, address(port_.ar));
    add_channel(kR, "R", port_.r.valid, port_.r.ready,
                {port_.r.id, port_.r.data, port_.r.response, port_.r.last});
  }
  block.add(*this);
}

void Checker::add_channel(Name name, const char* text, const rtl::Pin& valid, const rtl::Pin& ready,
                          std::vector<rtl::Pin> payload) {
  Channel& channel = channels_[name];
  channel.name = text;
  channel.valid = valid;
  channel.ready = ready;
  size_t bytes = 0;
  for (const rtl::Pin& pin : payload) {
    if (!pin.exists()) continue;
    channel.payload.push_back(pin);
    bytes += pin.bytes();
  }
  channel.last.resize(bytes);
  valids_.push_back(valid.data());
  if (!valid.is_input()) block_.watch(valid, *this);
}

uint64_t Checker::idle_edges() const {
  for (const uint8_t* valid : valids_)
    if (*valid != 0) return 0;
  const bool open = !unwritten_.empty() || !early_.empty() || !written_.empty() || !reads_.empty();
  if (open) return 0;
  for (const Channel& channel : channels_)
    if (channel.waiting) return 0;
  return kForever;
}

void Checker::sample() {
  bool any = false;
  for (const uint8_t* valid : valids_) any = any || *valid != 0;
  for (Channel& channel : channels_)
    if (channel.waiting || (any && channel.valid.high())) check_handshake(channel);
  if (any) {
    const auto taken = [&](Name name) {
      return channels_[name].valid.high() && channels_[name].ready.high();
    };
    // Responses first: what is taken at this edge cannot be answered at it.
    if (channels_[kB].valid.high()) look_at_write_response(taken(kB));
    if (channels_[kR].valid.high()) look_at_read_data(taken(kR));
    if (taken(kAw)) begin_write();
    if (taken(kW)) take_write_beat(write_beat());
    if (taken(kAr)) begin_read();
  }
  if (settings_.time_out != 0) check_time_out();
}

// ---- handshakes ----

void Checker::check_handshake(Channel& channel) {
  const uint64_t edge = block_.edge() + 1;
  if (channel.waiting && !channel.valid.high()) {
    report("PIN_VALID_HELD", "A3.2.1", channel.valid,
           fmt::format("low again before {} was high", channel.ready.name()));
    channel.waiting = false;
    return;
  }
  size_t at = 0;
  for (const rtl::Pin& pin : channel.payload) {
    const unsigned bytes = pin.bytes();
    if (channel.waiting && !std::equal(pin.data(), pin.data() + bytes, channel.last.data() + at))
      report(
          "PIN_STABLE", "A3.2.1", pin,
          fmt::format("changes while {} waits for {}", channel.valid.name(), channel.ready.name()));
    pin.get_bytes(channel.last.data() + at, 0, bytes);
    at += bytes;
  }
  const bool waits = !channel.ready.high();
  if (waits && !channel.waiting) channel.since = edge;
  channel.waiting = waits;
}

void Checker::in_reset(unsigned cycle) {
  if (cycle < kResetTakesCycles) return;
  for (const Channel& channel : channels_)
    if (channel.valid.high())
      report("PIN_RESET", "A3.1.2", channel.valid, "high while reset is active");
}

void Checker::reset() {
  for (Channel& channel : channels_) channel.waiting = false;
  unwritten_.clear();
  early_.clear();
  written_.clear();
  reads_.clear();
  exclusive_.clear();
}

void Checker::check_time_out() {
  const uint64_t edge = block_.edge() + 1;
  const auto late = [&](uint64_t since) { return edge - since > settings_.time_out; };
  for (const Channel& channel : channels_)
    if (channel.waiting && late(channel.since))
      give_up(channel.ready,
              fmt::format("{} has been high for {} cycles and {} has not come",
                          channel.valid.name(), settings_.time_out, channel.ready.name()));
  // What waits for a handshake is said above, in its time.
  if (!written_.empty() && !channels_[kB].waiting && late(written_.front().since))
    give_up(port_.b.valid, fmt::format("no response to the {}", describe(written_.front())));
  if (!reads_.empty() && !channels_[kR].waiting && late(reads_.front().since))
    give_up(port_.r.valid, fmt::format("no data for the {}", describe(reads_.front())));
  if (!unwritten_.empty() && !channels_[kW].waiting && late(unwritten_.front().since))
    give_up(port_.w.valid, fmt::format("no data of the {}", describe(unwritten_.front())));
  if (!early_.empty() && !channels_[kAw].waiting && late(early_.front().since))
    give_up(port_.aw.valid, "no address of the write data that came before it");
}

// ---- addresses ----

Checker::Burst Checker::burst_of(const AddressPins& pins, bool write) const {
  Burst burst;
  burst.write = write;
  burst.id = pins.id.get();
  burst.address = pins.address.get();
  burst.beats = static_cast<unsigned>(pins.length.get()) + 1;
  const uint64_t full = static_cast<uint64_t>(__builtin_ctz(port_.data_bytes));
  burst.bytes = 1u << pins.size.get(full);
  burst.type = static_cast<axi::Burst>(pins.burst.get(1));
  burst.lock = pins.lock.high();
  burst.since = block_.edge() + 1;
  return burst;
}

std::string Checker::describe(const Burst& burst) const {
  std::string text = fmt::format("{} of {} x {} bytes at {:#x}", burst.write ? "write" : "read",
                                 burst.beats, burst.bytes, burst.address);
  if ((burst.write ? port_.aw : port_.ar).id.exists()) text += fmt::format(", ID {}", burst.id);
  return text;
}

void Checker::check_address(const AddressPins& pins, const Burst& burst) {
  const std::string what = describe(burst);
  const uint64_t total = uint64_t{burst.beats} * burst.bytes;
  const auto type = static_cast<unsigned>(burst.type);
  if (type == kReservedBurst)
    report("PIN_BURST_TYPE", "A3.4.1", pins.burst, fmt::format("a reserved burst type: {}", what));
  if (burst.bytes > port_.data_bytes)
    report("PIN_SIZE", "A3.4.1", pins.size,
           fmt::format("beats wider than the {} bytes of the data: {}", port_.data_bytes, what));
  if (burst.type == axi::Burst::kFixed && burst.beats > kMostFixedBeats)
    report("PIN_LENGTH", "A3.4.1", pins.length,
           fmt::format("a FIXED burst of more than {} beats: {}", kMostFixedBeats, what));
  if (burst.type == axi::Burst::kWrapping) {
    if (burst.beats > 16 || burst.beats < 2 || !power_of_two(burst.beats))
      report("PIN_LENGTH", "A3.4.1", pins.length,
             fmt::format("a WRAP burst has 2, 4, 8 or 16 beats: {}", what));
    if (burst.address % burst.bytes != 0)
      report("PIN_WRAP_ALIGNED", "A3.4.1", pins.address,
             fmt::format("a WRAP burst whose address is not aligned to its beats: {}", what));
  }
  const uint64_t aligned = burst.address - burst.address % burst.bytes;
  if (burst.type == axi::Burst::kIncrementing && aligned % kPage + total > kPage)
    report("PIN_BOUNDARY", "A3.4.1", pins.address,
           fmt::format("a burst across a boundary of 4 KiB: {}", what));
  if (const uint64_t cache = pins.cache.get(); (cache & 0xc) != 0 && (cache & 0x2) == 0)
    report("PIN_CACHE", "A4.4", pins.cache,
           fmt::format("{:#x} allocates without being modifiable: {}", cache, what));
  if (burst.lock) check_exclusive(pins, burst);
}

// ---- writes ----

void Checker::begin_write() {
  const Burst burst = burst_of(port_.aw, true);
  ++transactions_;
  check_address(port_.aw, burst);
  unwritten_.push_back(burst);
  match_write_data();
}

Checker::WriteBeat Checker::write_beat() const {
  WriteBeat beat;
  const bool all = !port_.w.strobes.exists();
  for (unsigned lane = 0; lane < port_.data_bytes; ++lane)
    if (all || (port_.w.strobes.data()[lane / 8] >> (lane % 8) & 1) != 0)
      beat.strobes[lane / 64] |= uint64_t{1} << (lane % 64);
  beat.last = !port_.w.last.exists() || port_.w.last.high();
  beat.since = block_.edge() + 1;
  return beat;
}

void Checker::take_write_beat(const WriteBeat& beat) {
  early_.push_back(beat);
  match_write_data();
}

void Checker::match_write_data() {
  while (!unwritten_.empty() && !early_.empty()) {
    Burst& burst = unwritten_.front();
    const WriteBeat beat = early_.front();
    early_.pop_front();
    if (port_.w.strobes.exists() && !port_.lite) check_strobes(burst, beat);
    ++burst.done;
    burst.since = block_.edge() + 1;
    const bool is_last = burst.done == burst.beats;
    if (port_.w.last.exists() && beat.last != is_last)
      report("PIN_LAST", "A3.4.1", port_.w.last,
             fmt::format("{} at beat {} of the {}", beat.last ? "high" : "low", burst.done,
                         describe(burst)));
    if (!is_last && !(port_.w.last.exists() && beat.last)) continue;
    written_.push_back(burst);
    unwritten_.pop_front();
  }
}

void Checker::check_strobes(const Burst& burst, const WriteBeat& beat) {
  const Lanes lanes =
      lanes_of({burst.address, burst.beats, burst.bytes, burst.type}, burst.done, port_.data_bytes);
  for (unsigned lane = 0; lane < port_.data_bytes; ++lane) {
    const bool strobe = (beat.strobes[lane / 64] >> (lane % 64) & 1) != 0;
    if (!strobe || (lane >= lanes.first && lane < lanes.first + lanes.count)) continue;
    report("PIN_STROBES", "A3.4.3", port_.w.strobes,
           fmt::format("lane {} is none of beat {}'s, of the {}", lane, burst.done + 1,
                       describe(burst)));
    return;
  }
}

void Checker::look_at_write_response(bool taken) {
  const bool first = !channels_[kB].waiting || channels_[kB].since == block_.edge() + 1;
  const uint64_t id = port_.b.id.get();
  const auto with_id = [&](const Burst& burst) { return !port_.b.id.exists() || burst.id == id; };
  const auto found = std::find_if(written_.begin(), written_.end(), with_id);
  if (found == written_.end()) {
    if (!first) return;
    const auto early = std::find_if(unwritten_.begin(), unwritten_.end(), with_id);
    if (!written_.empty() && port_.b.id.exists())
      report("PIN_ID", "A5.3", port_.b.id,
             fmt::format("{} is the ID of no write that waits for a response", id));
    else if (early != unwritten_.end())
      report("PIN_RESPONSE_EARLY", "A3.3.1", port_.b.valid,
             fmt::format("a response before the last data of the {}", describe(*early)));
    else
      report("PIN_RESPONSE", "A3.3.1", port_.b.valid, "a response that no write waits for");
    return;
  }
  check_exokay(*found, first, taken);
  if (taken) written_.erase(found);
}

// ---- reads ----

void Checker::begin_read() {
  const Burst burst = burst_of(port_.ar, false);
  ++transactions_;
  check_address(port_.ar, burst);
  // A write after it is one of the pair that begins now.
  if (burst.lock) forget_exclusive(burst.id);
  reads_.push_back(burst);
}

void Checker::look_at_read_data(bool taken) {
  const bool first = !channels_[kR].waiting || channels_[kR].since == block_.edge() + 1;
  if (!first && !taken) return;
  const uint64_t id = port_.r.id.get();
  const auto found = std::find_if(reads_.begin(), reads_.end(), [&](const Burst& read) {
    return !port_.r.id.exists() || read.id == id;
  });
  if (found == reads_.end()) {
    if (!reads_.empty() && port_.r.id.exists())
      report("PIN_ID", "A5.3", port_.r.id,
             fmt::format("{} is the ID of no read that waits for data", id));
    else
      report("PIN_RESPONSE", "A3.3.1", port_.r.valid, "data that no read waits for");
    return;
  }
  const bool is_last = found->done + 1 == found->beats;
  if (first) check_exokay_of_read(*found);
  if (first && port_.r.last.exists() && port_.r.last.high() != is_last)
    report("PIN_LAST", "A3.4.1", port_.r.last,
           fmt::format("{} at beat {} of the {}", is_last ? "low" : "high", found->done + 1,
                       describe(*found)));
  if (!taken) return;
  ++found->done;
  found->since = block_.edge() + 1;
  if (!is_last && !(port_.r.last.exists() && port_.r.last.high())) return;
  if (found->lock) {
    forget_exclusive(id);
    exclusive_.push_back(*found);
  }
  reads_.erase(found);
}

// ---- reports ----

void Checker::report(const char* rule, const char* section, const rtl::Pin& signal,
                     const std::string& text) {
  ++count_;
  const uint64_t time = block_.next_edge_ps();
  const std::string message =
      fmt::format("{}.{}: {} ({}, IHI 0022 {}), {}", block_.name(),
                  signal.exists() ? signal.name() : port_.name, text, rule, section,
                  kit::time_text(sc_core::sc_time::from_value(time)));
  if (violations_.size() < kMostListed) {
    log_pins.error("{}", message);
    violations_.push_back({rule, section, signal.name(), text, time});
  } else if (count_ == kMostListed + 1) {
    log_pins.error("{}.{}: more than {} violations: further ones are only counted", block_.name(),
                   port_.name, kMostListed);
  }
}

void Checker::give_up(const rtl::Pin& signal, const std::string& text) {
  report("PIN_DEADLOCK", "A3.2.1", signal, text);
  throw model_error(
      fmt::format("the bus hangs: {}", text),
      fmt::format("{}.{} @ {}", block_.name(), signal.name(),
                  kit::time_text(sc_core::sc_time::from_value(block_.next_edge_ps()))),
      "look at the block's handshakes with --wave FILE.fst");
}

}  // namespace gvp::axi::pins
