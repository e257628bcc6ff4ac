// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/database.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <iterator>

#include "models/base/error.h"

namespace gvp::trace_report {
namespace {

constexpr int kSchemaVersion = 2;      // PRAGMA user_version
constexpr int kWaitForWriter = 10000;  // ms
constexpr const char* kRecordAgain =
    "make it with gpgpu-vp --trace FILE.db; a copy must be made after the run's end";

// What is read of each table, in this order.
struct Table {
  const char* name;
  std::vector<std::string> columns;
};
const Table kNames{"names", {"id", "text"}};
const Table kTracks{"tracks", {"id", "subject", "place", "name"}};
const Table kTransactions{
    "transaction_rows",
    {"number", "parent", "root", "port", "initiator", "target", "origin", "command", "response",
     "kernel", "address", "bytes", "begin_ps", "response_ps", "end_ps", "outstanding"}};
const Table kSpans{"span_rows", {"track", "name", "origin", "begin_ps", "end_ps", "detail"}};

std::string selection(const Table& table) {
  return fmt::format("SELECT {} FROM {}", fmt::join(table.columns, ","), table.name);
}

}  // namespace

// A query, row by row.
class Database::Statement {
 public:
  Statement(const Database& database, const std::string& text) : database_(database) {
    if (sqlite3_prepare_v2(database.database_.get(), text.c_str(), -1, &statement_, nullptr) !=
        SQLITE_OK)
      database.damaged(sqlite3_errmsg(database.database_.get()));
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  bool next() {
    const int result = sqlite3_step(statement_);
    if (result == SQLITE_ROW) return true;
    if (result != SQLITE_DONE) database_.damaged(sqlite3_errmsg(database_.database_.get()));
    return false;
  }
  uint64_t number(int column) const {
    return static_cast<uint64_t>(sqlite3_column_int64(statement_, column));
  }
  std::string_view text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    if (text == nullptr) return {};
    return {text, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
  }

 private:
  const Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

Database::Database(const std::string& path) : path_(path), database_(nullptr, sqlite3_close) {
  // A writer that was killed leaves a journal, which only who may write the file can apply.
  sqlite3* opened = nullptr;
  int result = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE, nullptr);
  database_.reset(opened);
  if (result != SQLITE_OK) {
    result = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    database_.reset(opened);
  }
  if (result != SQLITE_OK)
    throw bad_input(fmt::format("cannot open the trace: {}", sqlite3_errmsg(database_.get())),
                    {path_});
  sqlite3_busy_timeout(database_.get(), kWaitForWriter);
  check_schema();
  read_names();
  read_tracks();
}

Database::~Database() = default;

void Database::damaged(const std::string& why) const {
  throw bad_input(fmt::format("cannot read the trace: {}", why), {path_}, kRecordAgain);
}

void Database::check_schema() const {
  for (const Table* table : {&kNames, &kTracks, &kTransactions, &kSpans}) {
    std::vector<std::string> present;
    Statement columns(*this, fmt::format("SELECT name FROM pragma_table_info('{}')", table->name));
    while (columns.next()) present.emplace_back(columns.text(0));
    if (present.empty())
      throw bad_input(fmt::format("this database is no trace: it has no table \"{}\"", table->name),
                      {path_}, kRecordAgain);
    for (const std::string& column : table->columns)
      if (std::find(present.begin(), present.end(), column) == present.end())
        throw bad_input(
            fmt::format("the trace's table \"{}\" has no column \"{}\"", table->name, column),
            {path_}, "record it again with the gpgpu-vp that trace-report came with");
  }
  Statement version(*this, "PRAGMA user_version");
  version.next();
  if (version.number(0) > kSchemaVersion)
    throw bad_input(fmt::format("the trace's schema has version {}, this trace-report reads {}",
                                version.number(0), kSchemaVersion),
                    {path_}, "use the trace-report that came with the gpgpu-vp that recorded it");
}

void Database::read_names() {
  Statement rows(*this, selection(kNames) + " ORDER BY id");
  while (rows.next()) {
    if (rows.number(0) != names_.size())
      damaged(fmt::format("name {} follows name {}", rows.number(0), names_.size()));
    names_.emplace_back(rows.text(1));
  }
}

void Database::read_tracks() {
  Statement rows(*this, selection(kTracks) + " ORDER BY id");
  constexpr uint64_t kMost = 1 << 20;
  while (rows.next()) {
    const uint64_t id = rows.number(0);  // a filter may have left out some
    if (id >= kMost) damaged(fmt::format("there is no track {}", id));
    tracks_.resize(id + 1);
    tracks_[id] = {std::string(rows.text(1)), std::string(rows.text(2)), std::string(rows.text(3))};
  }
}

void Database::read_transactions(const std::string& where, const TakeTransaction& take) const {
  Statement rows(*this, selection(kTransactions) + where);
  uint64_t read = 0;
  while (rows.next()) {
    ++read;
    Transaction t;
    t.number = rows.number(0);
    t.parent = rows.number(1);
    t.root = rows.number(2);
    const uint64_t port = rows.number(3), initiator = rows.number(4), target = rows.number(5),
                   origin = rows.number(6), command = rows.number(7), response = rows.number(8);
    if (std::max({port, initiator, target, origin}) >= names_.size())
      damaged(fmt::format("transaction {} (row {}) has a name that is not in the table \"names\"",
                          t.number, read));
    if (command >= std::size(kCommandWords) || response >= std::size(kResponseWords))
      damaged(fmt::format("transaction {} (row {}) has command {} and response {}", t.number, read,
                          command, response));
    t.port = static_cast<uint32_t>(port);
    t.initiator = static_cast<uint32_t>(initiator);
    t.target = static_cast<uint32_t>(target);
    t.origin = static_cast<uint32_t>(origin);
    t.command = static_cast<unsigned>(command);
    t.response = static_cast<unsigned>(response);
    t.kernel = rows.number(9) != 0;
    t.address = rows.number(10);
    t.bytes = rows.number(11);
    t.begin = rows.number(12);
    t.response_begin = rows.number(13);
    t.end = rows.number(14);
    t.outstanding = rows.number(15);
    const std::string why = contradiction(t);
    if (!why.empty()) damaged(why);
    take(t);
  }
}

void Database::transactions_of(const std::vector<uint64_t>& roots, const TakeTransaction& take) {
  read_transactions(fmt::format(" WHERE root IN ({})", fmt::join(roots, ",")), take);
}

void Database::read_spans(const std::string& where, const TakeSpan& take) const {
  Statement rows(*this, selection(kSpans) + where);
  while (rows.next()) {
    const uint64_t track = rows.number(0), name = rows.number(1), origin = rows.number(2);
    if (track >= tracks_.size() || std::max(name, origin) >= names_.size())
      damaged(fmt::format("a span on track {} has names {} and {}", track, name, origin));
    Span span{track, static_cast<uint32_t>(name), rows.number(3), rows.number(4), rows.text(5)};
    const std::string why = contradiction(span, tracks_[track]);
    if (!why.empty()) damaged(why);
    take(span);
  }
}

void Database::spans_in(const SpanWindow& window, const TakeSpan& take) {
  std::vector<size_t> tracks;
  for (size_t i = 0; i < tracks_.size(); ++i)
    if (tracks_[i].subject == window.subject) tracks.push_back(i);
  read_spans(fmt::format(" WHERE track IN ({}) AND begin_ps >= {} AND begin_ps < {}",
                         fmt::join(tracks, ","), window.begin, window.end),
             take);
}

}  // namespace gvp::trace_report
