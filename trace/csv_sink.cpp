// SPDX-License-Identifier: Apache-2.0
// Comma-separated values (RFC 4180, lines end with a line feed): a line for each record, of every
// kind in one table.  Columns that a kind does not have are empty.
#include <deque>

#include "trace/output_file.h"
#include "trace/schema/csv.h"
#include "trace/sink.h"

namespace gvp::trace {
namespace {

constexpr size_t kNumbers = 256;  // bytes that the numbers and commas of a line have at most

std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char character : text) {
    if (character == '"') result += '"';
    result += character;
  }
  return result + '"';
}

class CsvSink : public Sink {
 public:
  CsvSink(const std::string& path, const Names& names) : names_(names), file_(path) {
    std::string header;
    for (const std::string_view column : schema::csv::kColumns) {
      if (!header.empty()) header += ',';
      header += column;
    }
    header += '\n';
    file_.end_record(put(file_.begin_record(header.size()), header));
  }

  void track(TrackId id, const Track& track) override {
    if (tracks_.size() <= id) tracks_.resize(id + 1);
    const std::string place = names_.text(track.group) + '/' + names_.text(track.name);
    tracks_[id] = {std::string(to_string(track.subject)), quoted(place)};
  }

  void transaction(const Transaction& t) override {
    const std::string& port = text(t.port);
    const std::string& initiator = text(t.initiator);
    const std::string& target = text(t.target);
    const std::string& origin = text(t.origin);
    char* at = file_.begin_record(kNumbers + port.size() + initiator.size() + target.size() +
                                  origin.size());
    at = put(put(at, schema::csv::kTransaction), ',');
    at = put(put(at, port), ',');
    at = put(put(at, to_string(t.command)), ',');
    at = put(put_number(at, t.number), ',');
    if (t.parent != 0) at = put_number(at, t.parent);
    at = put(put_number(put(at, ','), t.root), ',');
    at = put(put(at, initiator), ',');
    at = put(put(at, target), ',');
    at = put(put(at, origin), ',');
    at = put(put_hexadecimal(at, t.address), ',');
    at = put(put_number(at, t.length), ',');
    at = put(put_number(at, t.begin), ',');
    at = put(put_number(at, t.response_begin), ',');
    at = put(put_number(at, t.end), ',');
    at = put(put(at, to_string(t.response)), ',');
    at = put_number(at, t.outstanding);
    file_.end_record(put(at, t.kernel ? ",kernel\n" : ",\n"));
  }

  void span(const Span& s) override {
    const std::string& name = text(s.name);
    const std::string& origin = text(s.origin);
    char* at = begin(s.track, name.size() + origin.size() + s.detail.size());
    at = put(put(put(at, name), ",,,,,,"), origin);
    at = put(put_number(put(at, ",,,"), s.begin), ",,");
    at = put(put_number(at, s.end), ",,,");
    const std::string detail = quoted(s.detail);
    file_.end_record(put(put(at, detail), '\n'));
  }

  void level(const Level& l) override {
    char* at = put(begin(l.track, 0), ",,,,,,,,,");
    at = put(put_number(at, l.time), ",,,,,");
    file_.end_record(put(put_signed(at, l.value), '\n'));
  }

  void event(const Event& e) override {
    const std::string value = quoted(e.text);
    char* at = put(begin(e.track, value.size()), ",,,,,,,,,");
    at = put(put_number(at, e.time), ",,,,,");
    file_.end_record(put(put(at, value), '\n'));
  }

  void flush() override { file_.flush(); }
  void close() override { file_.close(); }
  const std::string& failure() const override { return file_.failure(); }

 private:
  struct Place {
    std::string subject, name;
  };

  char* begin(TrackId id, size_t texts) {
    const Place& place = tracks_[id];
    // Quoting at most doubles a text.
    char* at = file_.begin_record(kNumbers + place.name.size() + 2 * texts);
    return put(put(put(put(at, place.subject), ','), place.name), ',');
  }
  const std::string& text(Id id) {
    while (texts_.size() <= id)
      texts_.push_back(quoted(names_.text(static_cast<Id>(texts_.size()))));
    return texts_[id];
  }

  const Names& names_;
  OutputFile file_;
  std::vector<Place> tracks_;
  std::deque<std::string> texts_;  // by Id, quoted where they must be; references stay valid
};

}  // namespace

std::unique_ptr<Sink> make_csv_sink(const std::string& path, const Names& names) {
  return std::make_unique<CsvSink>(path, names);
}

}  // namespace gvp::trace
