// SPDX-License-Identifier: Apache-2.0
// Text for people and grep: a line for each record, with its time first.
#include "trace/output_file.h"
#include "trace/sink.h"

namespace gvp::trace {
namespace {

constexpr size_t kNumbers = 256;

// Microseconds with all picoseconds: "12.345678".
char* put_time(char* at, uint64_t ps) {
  constexpr uint64_t kMicrosecond = 1000000;
  at = put(put_number(at, ps / kMicrosecond), '.');
  for (uint64_t unit = kMicrosecond / 10, rest = ps % kMicrosecond; unit > 0; unit /= 10) {
    *at++ = static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
  return put(at, " us ");
}

class TextSink : public Sink {
 public:
  TextSink(const std::string& path, const Names& names) : names_(names), file_(path) {}
  explicit TextSink(const Names& names) : names_(names) {}

  void track(TrackId id, const Track& track) override {
    if (tracks_.size() <= id) tracks_.resize(id + 1);
    tracks_[id] = names_.text(track.group) + '/' + names_.text(track.name);
  }

  void transaction(const Transaction& t) override {
    const std::string& port = names_.text(t.port);
    const std::string& initiator = names_.text(t.initiator);
    const std::string& target = names_.text(t.target);
    const std::string& origin = names_.text(t.origin);
    char* at = file_.begin_record(kNumbers + port.size() + initiator.size() + target.size() +
                                  origin.size());
    at = put(put(put_time(at, t.begin), port), ' ');
    at = put(put(at, to_string(t.command)), ' ');
    at = put(put_number(put(put_hexadecimal(at, t.address), ' '), t.length), " bytes, ");
    at = put(put(at, to_string(t.response)), " after ");
    at = put_number(at, t.latency() / 1000);
    if (const auto rest = static_cast<unsigned>(t.latency() % 1000); rest != 0) {
      *at++ = '.';
      for (unsigned unit = 100, left = rest; unit > 0; left %= unit, unit /= 10)
        *at++ = static_cast<char>('0' + left / unit);
    }
    at = put_number(put(at, " ns, #"), t.number);
    if (t.parent != 0) at = put_number(put(at, " for #"), t.parent);
    if (t.initiator != t.port && t.initiator != kNobody) at = put(put(at, ", from "), initiator);
    if (t.target != kNobody && t.target != t.port) at = put(put(at, ", to "), target);
    if (t.origin != kNobody) at = put(put(at, ", by "), origin);
    file_.end_record(put(at, '\n'));
  }

  void span(const Span& s) override {
    const std::string& name = names_.text(s.name);
    char* at = begin(s.track, s.begin, name.size() + s.detail.size());
    at = put(put(at, name), " until ");
    at = put_time(at, s.end);
    if (!s.detail.empty()) at = put(put(at, ' '), s.detail);
    file_.end_record(put(at, '\n'));
  }

  void level(const Level& l) override {
    file_.end_record(put(put_signed(begin(l.track, l.time, 0), l.value), '\n'));
  }

  void event(const Event& e) override {
    file_.end_record(put(put(begin(e.track, e.time, e.text.size()), e.text), '\n'));
  }

  void flush() override { file_.flush(); }
  void close() override { file_.close(); }
  const std::string& failure() const override { return file_.failure(); }

 private:
  char* begin(TrackId id, uint64_t time, size_t texts) {
    const std::string& place = tracks_[id];
    char* at = file_.begin_record(kNumbers + place.size() + texts);
    return put(put(put_time(at, time), place), ' ');
  }

  const Names& names_;
  OutputFile file_;
  std::vector<std::string> tracks_;
};

}  // namespace

std::unique_ptr<Sink> make_text_sink(const std::string& path, const Names& names) {
  return std::make_unique<TextSink>(path, names);
}
std::unique_ptr<Sink> make_error_text_sink(const Names& names) {
  return std::make_unique<TextSink>(names);
}

}  // namespace gvp::trace
