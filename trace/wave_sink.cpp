// SPDX-License-Identifier: Apache-2.0
// Records as waveforms: what ports, interrupts, kernels, blocks and banks are at each time.
//
// A waveform is in the order of time, and records come as they end, from initiators that run ahead.
// What they say waits here, in the order of its time, until nothing earlier can come (the horizon).
// Where a file begins later than the run (a window of time, a trigger), what is there already is
// told then, and begins when it did, or where the file is.
//
// Variables of a port (scope ports.PORT):
//   number, address, length, write, origin   of the transaction that began last
//   outstanding                              transactions under way
//   request, response                        the channel is taken: BEGIN_REQ to END_REQ, BEGIN_RESP
//                                            to END_RESP; b_transport takes none
//   answered, status                         whose response began last, and what it is
//   reads, writes, bytes_read, bytes_written, errors   that have ended
// Others are scope GROUP, variable TRACK: a text, what goes on; an interrupt's or pin's level.
#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "models/base/error.h"
#include "trace/sink.h"
#include "trace/wave_file.h"

namespace gvp::trace {
namespace {

constexpr size_t kMany = size_t{1} << 16;  // changes that wait before the horizon is asked

// No spaces in names, and no dots, which are between scopes.
std::string name_of(std::string_view text) {
  std::string name(text);
  for (char& each : name)
    if (each <= ' ' || each > '~' || each == '.') each = '_';
  return name;
}

// Things by number, with room that is used again.
template <typename Thing>
class Slots {
 public:
  uint32_t add(Thing thing) {
    if (free_.empty()) {
      things_.push_back(std::move(thing));
      return static_cast<uint32_t>(things_.size() - 1);
    }
    const uint32_t slot = free_.back();
    free_.pop_back();
    things_[slot] = std::move(thing);
    return slot;
  }
  const Thing& operator[](uint32_t slot) const { return things_[slot]; }
  void free(uint32_t slot) { free_.push_back(slot); }

 private:
  std::vector<Thing> things_;
  std::vector<uint32_t> free_;
};

class WaveSink : public Sink {
 public:
  WaveSink(std::unique_ptr<WaveFile> file, const Names& names)
      : names_(names), file_(std::move(file)) {}

  bool lists_first() const override { return true; }
  void set_horizon(const std::function<uint64_t()>& horizon) override { horizon_ = horizon; }
  void port(Id id) override { port_of(id); }
  void track(TrackId id, const Track& track) override {
    if (lanes_.size() <= id) lanes_.resize(id + 1);
    Lane& lane = lanes_[id];
    lane.subject = track.subject;
    const std::string scope = name_of(names_.text(track.group));
    const std::string name = name_of(names_.text(track.name));
    if (track.subject == Subject::kInterrupts || track.subject == Subject::kPins) {
      lane.level = add(scope, name, track.bits);
      return;
    }
    lane.text = file_->add_text(scope, name);
    if (track.subject == Subject::kKernels) lane.active = add(scope, name + "_running", 1);
    if (track.subject == Subject::kBanks) lane.active = add(scope, name + "_open", 1);
    if (track.subject != Subject::kBlocks) return;
    const auto [unit, added] = units_.try_emplace({track.group, track.unit});
    if (added) unit->second = add(scope, name_of(names_.text(track.unit)) + "_blocks", kCountBits);
    lane.active = unit->second;
  }

  void transaction(const Transaction& t) override {
    const uint32_t slot = transactions_.add(t);
    const bool phases = t.request_end != t.begin || t.response_begin != t.end;
    wait(t.begin, Kind::kBegin, slot, phases ? 1 : 0);
    if (phases) wait(t.request_end, Kind::kRequestEnd, slot, 0);
    wait(t.response_begin, Kind::kResponse, slot, phases ? 1 : 0);
    wait(t.end, Kind::kEnd, slot, 0);
    if (waiting_.size() >= most_) write_until(horizon_ ? horizon_() : 0);
  }
  void span_begins(const Span& s) override {
    const uint32_t slot = spans_.add({s.track, shown(s)});
    open_[s.number] = slot;
    wait(s.begin, Kind::kSpanBegin, slot, 0);
  }
  void span(const Span& s) override {
    const auto open = open_.find(s.number);
    if (s.number == 0 || open == open_.end()) {
      const uint32_t slot = spans_.add({s.track, shown(s)});
      wait(s.begin, Kind::kSpanBegin, slot, 0);
      wait(s.end, Kind::kSpanEnd, slot, 0);
    } else {
      wait(s.end, Kind::kSpanEnd, open->second, 0);
      open_.erase(open);
    }
    if (waiting_.size() >= most_) write_until(horizon_ ? horizon_() : 0);
  }
  void level(const Level& l) override {
    wait(l.time, Kind::kLevel, l.track, static_cast<uint64_t>(l.value));
    if (waiting_.size() >= most_) write_until(horizon_ ? horizon_() : 0);
  }
  void event(const Event& e) override {
    wait(e.time, Kind::kEvent, spans_.add({e.track, std::string(e.text)}), 0);
  }

  void flush() override {
    if (horizon_) write_until(horizon_());
    file_->flush();
  }
  void close() override {
    if (closed_) return;
    closed_ = true;
    write_until(std::numeric_limits<uint64_t>::max());
    if (!begun_) begin();
    file_->close();
  }
  const std::string& failure() const override { return file_->failure(); }

 private:
  using Variable = WaveFile::Variable;
  static constexpr unsigned kCountBits = 16;

  enum class Kind : uint8_t {
    kBegin,
    kRequestEnd,
    kResponse,
    kEnd,
    kSpanBegin,
    kSpanEnd,
    kLevel,
    kEvent,
  };
  struct Change {
    uint64_t time;
    uint64_t value;
    uint32_t slot;
    Kind kind;
  };

  // A number that is written where it changes.
  struct Number {
    Variable variable = 0;
    uint64_t value = 0;
  };
  struct Port {
    Variable number, answered, origin;
    Number address, length, write, outstanding, request, response, status;
    Number reads, writes, bytes_read, bytes_written, errors;
    Id origin_value = kNobody;
  };
  struct Lane {
    Subject subject = Subject::kTransactions;
    Variable text = 0;
    size_t active = kNone, level = kNone;  // in numbers_
    std::vector<uint32_t> under_way;       // slots, the latest last
  };
  struct Shown {
    TrackId track = 0;
    std::string text;
  };

  std::string shown(const Span& s) const {
    const bool by_detail =
        lanes_[s.track].subject == Subject::kBanks || lanes_[s.track].subject == Subject::kBlocks;
    return std::string(by_detail ? s.detail : std::string_view(names_.text(s.name)));
  }

  // With its first value, 0.
  size_t add(const std::string& scope, const std::string& name, unsigned bits) {
    numbers_.push_back(make(scope, name, bits));
    return numbers_.size() - 1;
  }
  Number make(const std::string& scope, const std::string& name, unsigned bits) {
    Number number{file_->add_bits(scope, name, bits), 0};
    first_.push_back(number.variable);
    return number;
  }
  Port& port_of(Id id) {
    if (const auto found = ports_.find(id); found != ports_.end()) return found->second;
    // The writer of .fst packs bit by bit, so that width is time: a trillion transactions are
    // enough.
    constexpr unsigned kAddress = 64, kTransactions = 40, kBytes = 48, kLength = 32, kStatus = 3;
    const std::string scope = "ports." + name_of(names_.text(id));
    Port& port = ports_[id];
    port.number = make(scope, "number", kTransactions).variable;
    port.address = make(scope, "address", kAddress);
    port.length = make(scope, "length", kLength);
    port.write = make(scope, "write", 1);
    port.origin = file_->add_text(scope, "origin");
    port.outstanding = make(scope, "outstanding", kCountBits);
    port.request = make(scope, "request", 1);
    port.response = make(scope, "response", 1);
    port.answered = make(scope, "answered", kTransactions).variable;
    port.status = make(scope, "status", kStatus);
    port.reads = make(scope, "reads", kTransactions);
    port.writes = make(scope, "writes", kTransactions);
    port.bytes_read = make(scope, "bytes_read", kBytes);
    port.bytes_written = make(scope, "bytes_written", kBytes);
    port.errors = make(scope, "errors", kTransactions);
    return port;
  }

  void wait(uint64_t time, Kind kind, uint32_t slot, uint64_t value) {
    waiting_.push_back({std::max(time, written_), value, slot, kind});
  }

  // All before this time.
  void write_until(uint64_t horizon) {
    const auto rest =
        std::stable_partition(waiting_.begin(), waiting_.end(),
                              [&](const Change& change) { return change.time < horizon; });
    std::stable_sort(waiting_.begin(), rest,
                     [](const Change& a, const Change& b) { return a.time < b.time; });
    for (auto change = waiting_.begin(); change != rest; ++change) {
      if (!begun_) begin();
      if (change->time != written_) file_->time(written_ = change->time);
      for (const Variable variable : first_) file_->number(variable, 0);
      first_.clear();
      write(*change);
    }
    waiting_.erase(waiting_.begin(), rest);
    most_ = std::max(kMany, 2 * waiting_.size());
  }
  // All that there is is 0 at the beginning.
  void begin() {
    begun_ = true;
    file_->time(0);
    for (const Variable variable : first_) file_->number(variable, 0);
    first_.clear();
  }

  void set(Number& number, uint64_t value) {
    if (number.value == value) return;
    number.value = value;
    file_->number(number.variable, value);
  }

  void write(const Change& change) {
    switch (change.kind) {
      case Kind::kSpanBegin:
        return begin_span(change.slot);
      case Kind::kSpanEnd:
        return end_span(change.slot);
      case Kind::kLevel:
        return set(numbers_[lanes_[change.slot].level], change.value);
      case Kind::kEvent:
        file_->text(lanes_[spans_[change.slot].track].text, spans_[change.slot].text);
        return spans_.free(change.slot);
      default:
        write_transaction(change);
    }
  }

  void write_transaction(const Change& change) {
    const Transaction& t = transactions_[change.slot];
    Port& port = port_of(t.port);
    switch (change.kind) {
      case Kind::kBegin:
        file_->number(port.number, t.number);
        set(port.address, t.address);
        set(port.length, t.length);
        set(port.write, t.command == Command::kWrite ? 1 : 0);
        if (t.origin != port.origin_value) file_->text(port.origin, names_.text(t.origin));
        port.origin_value = t.origin;
        set(port.outstanding, port.outstanding.value + 1);
        set(port.request, change.value);
        break;
      case Kind::kRequestEnd:
        set(port.request, 0);
        break;
      case Kind::kResponse:
        file_->number(port.answered, t.number);
        set(port.status, static_cast<uint64_t>(t.response));
        set(port.response, change.value);
        break;
      default:
        set(port.response, 0);
        set(port.outstanding, port.outstanding.value - 1);
        if (t.command == Command::kRead) {
          set(port.reads, port.reads.value + 1);
          set(port.bytes_read, port.bytes_read.value + t.length);
        } else if (t.command == Command::kWrite) {
          set(port.writes, port.writes.value + 1);
          set(port.bytes_written, port.bytes_written.value + t.length);
        }
        if (is_error(t.response)) set(port.errors, port.errors.value + 1);
        transactions_.free(change.slot);
    }
  }

  void begin_span(uint32_t slot) {
    Lane& lane = lanes_[spans_[slot].track];
    lane.under_way.push_back(slot);
    file_->text(lane.text, spans_[slot].text);
    if (lane.active == kNone) return;
    Number& active = numbers_[lane.active];
    set(active, lane.subject == Subject::kBlocks ? active.value + 1 : 1);
  }
  void end_span(uint32_t slot) {
    Lane& lane = lanes_[spans_[slot].track];
    const auto found = std::find(lane.under_way.begin(), lane.under_way.end(), slot);
    if (found == lane.under_way.end()) return;
    const bool seen = found + 1 == lane.under_way.end();
    lane.under_way.erase(found);
    if (seen)
      file_->text(lane.text, lane.under_way.empty() ? "" : spans_[lane.under_way.back()].text);
    spans_.free(slot);
    if (lane.active == kNone) return;
    Number& active = numbers_[lane.active];
    set(active,
        lane.subject == Subject::kBlocks ? active.value - 1 : (lane.under_way.empty() ? 0 : 1));
  }

  static constexpr size_t kNone = std::numeric_limits<size_t>::max();

  const Names& names_;
  std::unique_ptr<WaveFile> file_;
  std::function<uint64_t()> horizon_;
  std::unordered_map<Id, Port> ports_;
  std::vector<Lane> lanes_;  // by TrackId
  std::vector<Number> numbers_;
  std::map<std::pair<Id, Id>, size_t> units_;  // in numbers_, by group and unit
  std::vector<Variable> first_;                // that have no value yet
  std::vector<Change> waiting_;
  size_t most_ = kMany;  // that wait
  Slots<Transaction> transactions_;
  Slots<Shown> spans_;
  std::unordered_map<uint64_t, uint32_t> open_;  // slots of spans, by their numbers
  uint64_t written_ = 0;                         // up to this time
  bool begun_ = false, closed_ = false;
};

}  // namespace

std::unique_ptr<Sink> make_vcd_sink(const std::string& path, const Names& names) {
  return std::make_unique<WaveSink>(make_vcd_file(path), names);
}

std::unique_ptr<Sink> make_fst_sink(const std::string& path, const Names& names) {
  std::unique_ptr<WaveFile> file = make_fst_file(path);
  if (file == nullptr)
    throw bad_input("this program was built without the FST writer, which comes with Verilator",
                    {path}, "write a .vcd, or build it where Verilator is installed");
  return std::make_unique<WaveSink>(std::move(file), names);
}

}  // namespace gvp::trace
