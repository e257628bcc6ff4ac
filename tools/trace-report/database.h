// SPDX-License-Identifier: Apache-2.0
// A trace in SQLite (docs/tracing.md, "Database").  The one place that knows the schema.  POSIX.
//
// A trace whose writer was killed is rolled back to its last whole batch as it is opened, which
// needs the permission to write it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tools/trace-report/trace_file.h"

struct sqlite3;

namespace gvp::trace_report {

class Database : public TraceFile {
 public:
  // Throws Error (bad input) that names the file and the remedy for what is no trace of ours.
  explicit Database(const std::string& path);
  ~Database() override;

  void records(const TakeTransaction& transaction, const TakeSpan& span) override {
    read_transactions("", transaction);
    read_spans("", span);
  }
  void transactions_of(const std::vector<uint64_t>& roots, const TakeTransaction& take) override;
  void spans_in(const SpanWindow& window, const TakeSpan& take) override;

 private:
  class Statement;

  void check_schema() const;
  void read_names();
  void read_tracks();
  void read_transactions(const std::string& where, const TakeTransaction& take) const;
  void read_spans(const std::string& where, const TakeSpan& take) const;
  [[noreturn]] void damaged(const std::string& why) const;

  std::string path_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
};

}  // namespace gvp::trace_report
