// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/perfetto_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "models/base/error.h"
#include "tools/trace-report/input_buffer.h"
#include "tools/trace-report/protobuf_reader.h"
#include "trace/schema/perfetto.h"

namespace gvp::trace_report {
namespace {

using namespace trace::schema::perfetto;

constexpr const char* kRecordAgain = "make it with gpgpu-vp --trace FILE.pftrace";

// What a slice has of each annotation.
struct Value {
  bool present = false;
  uint64_t number = 0;
  std::string_view text;
};
using Values = std::array<Value, kAnnotations.size()>;

// Texts by the numbers that the file gives them.
using Interned = std::unordered_map<uint64_t, std::string>;

void add_interned(Interned& to, std::string_view entry) {
  ProtobufReader reader(entry);
  uint64_t iid = 0;
  std::string_view name;
  while (reader.next()) {
    if (reader.field() == field::kIid) iid = reader.number();
    if (reader.field() == field::kName) name = reader.text();
  }
  to[iid] = name;
}

// A port or track that several things are on at once has several rows: "ddr3", "ddr3 #2"...
std::string_view without_row(std::string_view name) {
  const size_t hash = name.rfind(" #");
  if (hash == std::string_view::npos || hash + 2 == name.size()) return name;
  const std::string_view digits = name.substr(hash + 2);
  return digits.find_first_not_of("0123456789") == std::string_view::npos ? name.substr(0, hash)
                                                                          : name;
}

uint64_t fixed64(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

struct Row {
  uint64_t parent = 0;
  std::string name;  // of the port or track
  size_t track = ~size_t{0};
};

}  // namespace

// What has been read of the file that what follows refers to.
class PerfettoTrace::Packets {
 public:
  Packets(PerfettoTrace& trace, const TakeTransaction& transaction, const TakeSpan& span)
      : trace_(trace), input_(trace.path_), take_transaction_(transaction), take_span_(span) {}

  void read() {
    while (next()) {
    }
    if (!is_ours_)
      throw bad_input("this Perfetto trace is not one of gpgpu-vp's", {trace_.path_}, kRecordAgain);
  }

 private:
  // A last packet that is there in part, which a writer that was killed leaves, is none.
  bool next() {
    for (;;) {
      const std::string_view text = input_.text();
      if (!text.empty() && text.front() != kPacketBegins) damaged("no packet of Perfetto's begins");
      ProtobufReader reader(text);
      if (reader.next()) {
        packet(reader.text());
        input_.take(text.size() - reader.rest().size());
        return true;
      }
      if (!input_.read_on()) return false;
    }
  }
  [[noreturn]] void damaged(const std::string& why) const {
    throw bad_input(fmt::format("{} at byte {}", why, input_.offset()), {trace_.path_},
                    kRecordAgain);
  }

  void packet(std::string_view message) {
    ProtobufReader reader(message);
    while (reader.next()) {
      switch (reader.field()) {
        case field::kInternedData:
          intern(reader.text());
          break;
        case field::kTrackDescriptor:
          describe(reader.text());
          break;
        case field::kTrackEvent:
          event(reader.text());
          break;
        default:
          break;
      }
    }
    if (reader.is_damaged()) damaged("a damaged packet");
  }

  void intern(std::string_view message) {
    ProtobufReader reader(message);
    Interned annotations;
    while (reader.next()) {
      if (reader.field() == field::kCategories) add_interned(categories_, reader.text());
      if (reader.field() == field::kEventNames) add_interned(event_names_, reader.text());
      if (reader.field() == field::kAnnotationNames) add_interned(annotations, reader.text());
    }
    for (const auto& [iid, name] : annotations) {
      const auto* const known = std::find(kAnnotations.begin(), kAnnotations.end(), name);
      if (known == kAnnotations.end() || iid >= kMostIids) continue;
      if (annotation_of_.size() <= iid) annotation_of_.resize(iid + 1, kAnnotations.size());
      annotation_of_[iid] = static_cast<size_t>(known - kAnnotations.begin());
      is_ours_ = is_ours_ || annotation_of_[iid] == kBeginPs;
    }
  }

  void describe(std::string_view message) {
    ProtobufReader reader(message);
    uint64_t uuid = 0;
    Row row;
    while (reader.next()) {
      if (reader.field() == field::kUuid) uuid = reader.number();
      if (reader.field() == field::kTrackName) row.name = without_row(reader.text());
      if (reader.field() == field::kParentUuid) row.parent = reader.number();
    }
    rows_[uuid] = std::move(row);
  }

  void annotate(Values& values, std::string_view message) const {
    ProtobufReader reader(message);
    size_t which = kAnnotations.size();
    Value value{true, 0, {}};
    while (reader.next()) {
      if (reader.field() == field::kAnnotationNameIid && reader.number() < annotation_of_.size())
        which = annotation_of_[reader.number()];
      if (reader.field() == field::kUint || reader.field() == field::kPointer)
        value.number = reader.number();
      if (reader.field() == field::kString) value.text = reader.text();
    }
    if (which < values.size()) values[which] = value;
  }

  void event(std::string_view message) {
    ProtobufReader reader(message);
    Values values;
    uint64_t category = 0, name_iid = 0, uuid = 0, flow = 0;
    std::string_view name;
    while (reader.next()) {
      switch (reader.field()) {
        case field::kType:
          if (reader.number() != kSliceBegin) return;
          break;
        case field::kCategoryIid:
          category = reader.number();
          break;
        case field::kEventNameIid:
          name_iid = reader.number();
          break;
        case field::kEventName:
          name = reader.text();
          break;
        case field::kTrackUuid:
          uuid = reader.number();
          break;
        case field::kFlowId:
          flow = fixed64(reader.text());
          break;
        case field::kAnnotation:
          annotate(values, reader.text());
          break;
        default:
          break;
      }
    }
    const auto row = rows_.find(uuid);
    const auto subject = categories_.find(category);
    if (row == rows_.end() || subject == categories_.end() || !values[kBeginPs].present ||
        !values[kEndPs].present)
      damaged("a slice without its track, category or times");
    if (subject->second == kSubjectWords.front())
      transaction(row->second, event_names_[name_iid], flow, values);
    else
      span(row->second, subject->second, name, values);
  }

  template <size_t kCount>
  unsigned one_of(const std::array<std::string_view, kCount>& texts, std::string_view text) const {
    const auto* const found = std::find(texts.begin(), texts.end(), text);
    if (found == texts.end()) damaged(fmt::format("\"{}\" is no command or response", text));
    return static_cast<unsigned>(found - texts.begin());
  }

  // What is as usual is left out in the file.
  void transaction(const Row& row, std::string_view command, uint64_t root, const Values& values) {
    Transaction t;
    const auto number_of = [&](Annotation which, uint64_t usual = 0) {
      return values[which].present ? values[which].number : usual;
    };
    t.number = number_of(kNumber);
    t.parent = number_of(kParent);
    t.port = trace_.number(row.name);
    t.initiator = values[kInitiator].present ? trace_.number(values[kInitiator].text) : t.port;
    if (values[kTarget].present)
      t.target = trace_.number(values[kTarget].text);
    else if (values[kInitiator].present)
      t.target = t.port;
    t.origin = trace_.number(values[kOrigin].text);
    t.root = root;
    t.command = one_of(kCommandWords, command);
    if (values[kResponse].present) t.response = one_of(kResponseWords, values[kResponse].text);
    t.kernel = values[kKernel].present;
    t.address = number_of(kAddress);
    t.bytes = number_of(kBytes);
    t.begin = number_of(kBeginPs);
    t.end = number_of(kEndPs);
    t.response_begin = number_of(kResponsePs, t.end);
    t.outstanding = number_of(kOutstanding);
    const std::string why = contradiction(t);
    if (!why.empty()) damaged(why);
    take_transaction_(t);
  }

  void span(Row& row, const std::string& subject, std::string_view name, const Values& values) {
    if (row.track == ~size_t{0})
      row.track = trace_.track(subject, rows_[row.parent].name, row.name);
    Span s;
    s.track = row.track;
    s.name = trace_.number(name);
    s.begin = values[kBeginPs].number;
    s.end = values[kEndPs].number;
    s.detail = values[kDetail].text;
    const std::string why = contradiction(s, trace_.tracks()[s.track]);
    if (!why.empty()) damaged(why);
    take_span_(s);
  }

  static constexpr uint64_t kMostIids = 1000;

  PerfettoTrace& trace_;
  InputBuffer input_;
  const TakeTransaction& take_transaction_;
  const TakeSpan& take_span_;
  bool is_ours_ = false;
  Interned categories_, event_names_;
  std::vector<size_t> annotation_of_;       // by iid; kAnnotations.size(): none of ours
  std::unordered_map<uint64_t, Row> rows_;  // by uuid
};

void PerfettoTrace::read(const TakeTransaction& transaction, const TakeSpan& span) {
  Packets(*this, transaction, span).read();
}

}  // namespace gvp::trace_report
