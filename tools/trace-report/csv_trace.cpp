// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/csv_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "models/base/error.h"
#include "tools/trace-report/csv_records.h"
#include "trace/schema/csv.h"

namespace gvp::trace_report {
namespace {

using namespace trace::schema::csv;

constexpr const char* kRecordAgain = "record the trace again: gpgpu-vp --trace FILE.csv";

// The records of a file, by the names of their columns.
class Rows {
 public:
  explicit Rows(const std::string& path) : path_(path), records_(path) {
    if (!records_.next())
      throw bad_input("this trace has no line with the names of its columns", {path_},
                      kRecordAgain);
    const std::vector<std::string_view>& names = records_.fields();
    count_ = names.size();
    for (size_t i = 0; i < kColumns.size(); ++i) {
      const auto found = std::find(names.begin(), names.end(), kColumns[i]);
      if (found == names.end())
        throw bad_input(fmt::format("the trace has no column \"{}\"", kColumns[i]), {path_, 1, 0},
                        kRecordAgain);
      place_[i] = static_cast<size_t>(found - names.begin());
    }
  }

  bool next() {
    if (!records_.next()) return false;
    if (records_.fields().size() != count_)
      damaged(fmt::format("this line has {} fields, the first line {}", records_.fields().size(),
                          count_));
    return true;
  }
  std::string_view text(Column column) const { return records_.fields()[place_[column]]; }
  // Empty: 0.
  uint64_t number(Column column) const {
    std::string_view text = this->text(column);
    if (text.empty()) return 0;
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && text[1] == 'x') {
      text.remove_prefix(2);
      base = 16;
    }
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size())
      damaged(fmt::format("\"{}\" is no {}", this->text(column), kColumns[column]));
    return value;
  }
  template <size_t kCount>
  unsigned one_of(const std::array<std::string_view, kCount>& texts, Column column) const {
    const auto* const found = std::find(texts.begin(), texts.end(), text(column));
    if (found == texts.end())
      damaged(fmt::format("\"{}\" is no {}", text(column),
                          column == kName ? "command" : kColumns[column]));
    return static_cast<unsigned>(found - texts.begin());
  }
  [[noreturn]] void damaged(const std::string& why) const {
    throw bad_input(why, {path_, records_.line(), 0}, kRecordAgain);
  }

 private:
  const std::string& path_;
  CsvRecords records_;
  size_t count_ = 0;
  std::array<size_t, kColumns.size()> place_{};
};

}  // namespace

void CsvTrace::read(const TakeTransaction& transaction, const TakeSpan& span) {
  Rows rows(path_);
  while (rows.next()) {
    if (rows.text(kRecord) == kTransaction) {
      Transaction t;
      t.number = rows.number(kNumber);
      t.parent = rows.number(kParent);
      t.root = rows.number(kRoot);
      t.port = number(rows.text(kPlace));
      t.initiator = number(rows.text(kInitiator));
      t.target = number(rows.text(kTarget));
      t.origin = number(rows.text(kOrigin));
      t.command = rows.one_of(kCommandWords, kName);
      t.response = rows.one_of(kResponseWords, kResponse);
      t.kernel = rows.text(kValue) == "kernel";
      t.address = rows.number(kAddress);
      t.bytes = rows.number(kBytes);
      t.begin = rows.number(kBegin);
      t.response_begin = rows.number(kResponseBegin);
      t.end = rows.number(kEnd);
      t.outstanding = rows.number(kOutstanding);
      const std::string why = contradiction(t);
      if (!why.empty()) rows.damaged(why);
      transaction(t);
    } else if (!rows.text(kEnd).empty()) {  // levels and events have none
      const std::string_view place = rows.text(kPlace);
      const size_t slash = place.find('/');
      if (slash == std::string_view::npos)
        rows.damaged(fmt::format("\"{}\" is no place of a span (GROUP/TRACK)", place));
      Span s;
      s.track = track(rows.text(kRecord), place.substr(0, slash), place.substr(slash + 1));
      s.name = number(rows.text(kName));
      s.begin = rows.number(kBegin);
      s.end = rows.number(kEnd);
      s.detail = rows.text(kValue);
      const std::string why = contradiction(s, tracks_[s.track]);
      if (!why.empty()) rows.damaged(why);
      span(s);
    }
  }
}

}  // namespace gvp::trace_report
