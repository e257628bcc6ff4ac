// SPDX-License-Identifier: Apache-2.0
// Perfetto's native format (perfetto.dev, protos/perfetto/trace): a file is a sequence of packets,
// each a TracePacket as field 1 of Trace, readable up to the last whole one.
//
// Slices of a track must nest, and what goes on at a port or in a bank may overlap: each track of
// ours has a row for each thing that goes on at once, and a record takes the first row that is free
// at its beginning.  Perfetto's times are nanoseconds, rounded down; picoseconds are annotations.
// A transaction's slices at all ports, and the bursts of SDRAM banks that serve it, have the flow
// of its root, which the viewer draws as arrows.
#include <algorithm>
#include <map>

#include "trace/output_file.h"
#include "trace/protobuf_writer.h"
#include "trace/schema/perfetto.h"
#include "trace/sink.h"

namespace gvp::trace {
namespace {

using namespace schema::perfetto;

constexpr uint64_t kSequence = 1;
constexpr size_t kFixedPart = 512;        // bytes of a packet but for its texts
constexpr size_t kLongestText = 2000;     // of one annotation, so that a packet is a short one
constexpr uint64_t kWindow = 10'000'000;  // ps: of bandwidth
constexpr uint64_t kPsPerNs = 1000;

std::string_view cut(std::string_view text) { return text.substr(0, kLongestText); }

class PerfettoSink : public Sink {
 public:
  PerfettoSink(const std::string& path, const Names& names) : names_(names), file_(path) {
    begin_interning();
  }

  void track(TrackId id, const Track& track) override {
    if (rows_.size() <= id) rows_.resize(id + 1);
    rows_[id].group = names_.text(track.group);
    rows_[id].name = names_.text(track.name);
    rows_[id].category = category(track.subject);
    if (track.subject == Subject::kInterrupts) rows_[id].counter = new_counter(rows_[id], "", "");
  }

  void transaction(const Transaction& t) override {
    Port& port = port_of(t.port);
    measure(port, t);
    Packet begin(*this, t.begin, kSliceBegin, row(port.rows, t.begin, t.end), 4 * kLongestText);
    begin.event.number(field::kCategoryIid, category(Subject::kTransactions));
    begin.event.number(field::kEventNameIid, t.command == Command::kRead    ? 1
                                             : t.command == Command::kWrite ? 2
                                                                            : 3);
    begin.event.fixed64(field::kFlowId, t.root);
    begin.annotate(kAddress, t.address, field::kPointer);
    begin.annotate(kBytes, t.length);
    begin.annotate(kNumber, t.number);
    if (t.parent != 0) begin.annotate(kParent, t.parent);
    if (t.initiator != t.port) begin.annotate(kInitiator, names_.text(t.initiator));
    if (t.target != t.port && t.target != kNobody) begin.annotate(kTarget, names_.text(t.target));
    if (t.origin != kNobody) begin.annotate(kOrigin, names_.text(t.origin));
    if (t.kernel) begin.annotate(kKernel, 1);
    begin.annotate(kBeginPs, t.begin);
    if (t.response_begin != t.end) begin.annotate(kResponsePs, t.response_begin);
    begin.annotate(kEndPs, t.end);
    if (t.response != Response::kOkay) begin.annotate(kResponse, to_string(t.response));
    begin.annotate(kOutstanding, t.outstanding);
    begin.finish();
    end(t.end, begin.track);
  }

  void span(const Span& s) override {
    Packet begin(*this, s.begin, kSliceBegin, row(rows_[s.track], s.begin, s.end),
                 2 * kLongestText);
    begin.event.number(field::kCategoryIid, rows_[s.track].category);
    begin.event.text(field::kEventName, cut(names_.text(s.name)));
    if (s.root != 0) begin.event.fixed64(field::kFlowId, s.root);
    begin.annotate(kBeginPs, s.begin);
    begin.annotate(kEndPs, s.end);
    if (!s.detail.empty()) begin.annotate(kDetail, s.detail);
    begin.finish();
    end(s.end, begin.track);
  }

  void level(const Level& l) override {
    Rows& rows = rows_[l.track];
    if (rows.counter == 0) rows.counter = new_counter(rows, "", "");
    count(rows.counter, l.time, l.value);
  }

  void event(const Event& e) override {
    Packet packet(*this, e.time, kInstant, row(rows_[e.track], e.time, e.time), kLongestText);
    packet.event.number(field::kCategoryIid, rows_[e.track].category);
    packet.event.text(field::kEventName, cut(e.text));
    packet.annotate(kBeginPs, e.time);
    packet.finish();
  }

  void flush() override { file_.flush(); }
  void close() override {
    if (closed_) return;
    closed_ = true;
    for (auto& [id, port] : ports_) end_window(port, port.window + 1);
    file_.close();
  }
  const std::string& failure() const override { return file_.failure(); }

 private:
  // What is shown as one track in the words of records.h: a row for each thing that goes on at
  // once.
  struct Rows {
    struct Row {
      uint64_t uuid;
      uint64_t free;  // ps
    };
    std::string group, name;
    uint64_t category = 0;
    uint64_t counter = 0;  // uuid
    std::vector<Row> rows;
  };
  struct Port {
    Rows rows;
    uint64_t bandwidth = 0, outstanding = 0;  // uuids of counters
    uint64_t window = 0;                      // its number
    uint64_t bytes = 0, most = 0;             // in it
  };

  // A packet with a track event under construction.
  struct Packet {
    Packet(PerfettoSink& sink, uint64_t time, EventType type, uint64_t track_uuid, size_t texts)
        : file(sink.file_), track(track_uuid), event(file.begin_record(kFixedPart + texts)) {
      packet = event.begin_message(field::kPacket);
      event.number(field::kTimestamp, time / kPsPerNs);
      event.number(field::kSequenceId, kSequence);
      event.number(field::kSequenceFlags, kNeedsState);
      track_event = event.begin_message(field::kTrackEvent);
      event.number(field::kType, type);
      event.number(field::kTrackUuid, track);
    }
    void annotate(Annotation name, uint64_t value, unsigned kind = field::kUint) {
      char* annotation = event.begin_message(field::kAnnotation);
      event.number(field::kAnnotationNameIid, name + 1);
      event.number(kind, value);
      event.end_message(annotation);
    }
    void annotate(Annotation name, std::string_view value) {
      char* annotation = event.begin_message(field::kAnnotation);
      event.number(field::kAnnotationNameIid, name + 1);
      event.text(field::kString, cut(value));
      event.end_message(annotation);
    }
    void finish() {
      event.end_message(track_event);
      event.end_message(packet);
      file.end_record(event.end());
    }

    OutputFile& file;
    uint64_t track;
    ProtobufWriter event;
    char* packet = nullptr;
    char* track_event = nullptr;
  };

  static uint64_t category(Subject subject) {
    return static_cast<uint64_t>(__builtin_ctz(static_cast<unsigned>(subject))) + 1;
  }

  void begin_interning() {
    ProtobufWriter writer(file_.begin_record(2 * kFixedPart));
    char* packet = writer.begin_message(field::kPacket);
    writer.number(field::kSequenceId, kSequence);
    writer.number(field::kSequenceFlags, kCleared);
    char* data = writer.begin_message(field::kInternedData);
    const auto intern = [&](unsigned kind, uint64_t iid, std::string_view name) {
      char* entry = writer.begin_message(kind);
      writer.number(field::kIid, iid);
      writer.text(field::kName, name);
      writer.end_message(entry);
    };
    for (unsigned i = 0; i < kSubjects; ++i)
      intern(field::kCategories, category(subject_at(i)), to_string(subject_at(i)));
    for (const Command command : {Command::kRead, Command::kWrite, Command::kIgnore})
      intern(field::kEventNames, static_cast<uint64_t>(command) + 1, to_string(command));
    for (size_t i = 0; i < kAnnotations.size(); ++i)
      intern(field::kAnnotationNames, i + 1, kAnnotations[i]);
    writer.end_message(data);
    writer.end_message(packet);
    file_.end_record(writer.end());
  }

  // A track of Perfetto's.  unit: of a counter, "" where it has none; kind: 0 for what is no
  // counter.
  uint64_t describe(const std::string& name, uint64_t parent, bool counter, std::string_view unit) {
    const uint64_t uuid = ++uuids_;
    ProtobufWriter writer(file_.begin_record(kFixedPart + kLongestText));
    char* packet = writer.begin_message(field::kPacket);
    writer.number(field::kSequenceId, kSequence);
    char* descriptor = writer.begin_message(field::kTrackDescriptor);
    writer.number(field::kUuid, uuid);
    if (parent != 0) writer.number(field::kParentUuid, parent);
    writer.text(field::kTrackName, cut(name));
    if (counter) {
      char* message = writer.begin_message(field::kCounter);
      if (unit.empty())
        writer.number(field::kUnit, kCount);
      else
        writer.text(field::kUnitName, unit);
      writer.end_message(message);
    }
    writer.end_message(descriptor);
    writer.end_message(packet);
    file_.end_record(writer.end());
    return uuid;
  }

  uint64_t group(const std::string& name) {
    const auto found = groups_.find(name);
    if (found != groups_.end()) return found->second;
    return groups_[name] = describe(name, 0, false, "");
  }
  uint64_t new_counter(const Rows& of, const std::string& what, std::string_view unit) {
    return describe(of.name + what, group(of.group), true, unit);
  }

  // The row that is free from begin on; taken to end.
  uint64_t row(Rows& of, uint64_t begin, uint64_t end) {
    for (Rows::Row& each : of.rows) {
      if (each.free > begin) continue;
      each.free = end;
      return each.uuid;
    }
    const size_t number = of.rows.size() + 1;
    const std::string name = number == 1 ? of.name : of.name + " #" + std::to_string(number);
    of.rows.push_back({describe(name, group(of.group), false, ""), end});
    return of.rows.back().uuid;
  }

  void end(uint64_t time, uint64_t uuid) { Packet(*this, time, kSliceEnd, uuid, 0).finish(); }

  void count(uint64_t counter, uint64_t time, int64_t value) {
    Packet packet(*this, time, kCounterEvent, counter, 0);
    packet.event.number(field::kCounterValue, static_cast<uint64_t>(value));
    packet.finish();
  }

  Port& port_of(Id id) {
    const auto found = ports_.find(id);
    if (found != ports_.end()) return found->second;
    Port& port = ports_[id];
    port.rows.group = "ports";
    port.rows.name = names_.text(id);
    return port;
  }

  // Bandwidth and outstanding transactions, a value for each window that has any.
  void measure(Port& port, const Transaction& t) {
    const uint64_t window = t.end / kWindow;
    if (window > port.window) end_window(port, window);
    port.bytes += t.length;
    port.most = std::max<uint64_t>(port.most, t.outstanding);
  }
  void end_window(Port& port, uint64_t next) {
    if (port.most != 0) {
      if (port.bandwidth == 0) {
        port.bandwidth = new_counter(port.rows, " bandwidth", "MB/s");
        port.outstanding = new_counter(port.rows, " outstanding", "");
      }
      const uint64_t begin = port.window * kWindow;
      count(port.bandwidth, begin, static_cast<int64_t>(port.bytes * 1000000 / kWindow));
      count(port.outstanding, begin, static_cast<int64_t>(port.most));
      if (next > port.window + 1) {  // and then nothing
        count(port.bandwidth, begin + kWindow, 0);
        count(port.outstanding, begin + kWindow, 0);
      }
    }
    port.window = next;
    port.bytes = port.most = 0;
  }

  const Names& names_;
  OutputFile file_;
  std::vector<Rows> rows_;  // by TrackId
  std::map<Id, Port> ports_;
  std::map<std::string, uint64_t> groups_;
  uint64_t uuids_ = 0;
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<Sink> make_perfetto_sink(const std::string& path, const Names& names) {
  return std::make_unique<PerfettoSink>(path, names);
}

}  // namespace gvp::trace
