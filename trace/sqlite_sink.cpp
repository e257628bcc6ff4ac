// SPDX-License-Identifier: Apache-2.0
// A SQLite database.  Tables hold numbers, names their texts; views join the two and answer what is
// asked first (docs/tracing.md).  Rows go in by batches, one database transaction each, so that a
// reader, and who comes after this process has died, sees whole batches.
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <vector>

#include "models/base/error.h"
#include "trace/sink.h"

namespace gvp::trace {
namespace {

constexpr unsigned kBatch = 20000;  // rows
constexpr unsigned kRows = 32;  // of transactions by one statement, which costs less than one each

constexpr const char* kSchema = R"(
PRAGMA page_size = 8192;
PRAGMA journal_mode = DELETE;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -16384;
PRAGMA foreign_keys = OFF;
PRAGMA user_version = 2;
CREATE TABLE names (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE tracks (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, place TEXT NOT NULL,
                     name TEXT NOT NULL);
CREATE TABLE transaction_rows (
  number INTEGER NOT NULL, parent INTEGER, root INTEGER NOT NULL, port INTEGER NOT NULL,
  initiator INTEGER NOT NULL, target INTEGER NOT NULL, origin INTEGER NOT NULL,
  command INTEGER NOT NULL, response INTEGER NOT NULL, address INTEGER NOT NULL,
  bytes INTEGER NOT NULL, begin_ps INTEGER NOT NULL, response_ps INTEGER NOT NULL,
  end_ps INTEGER NOT NULL, outstanding INTEGER NOT NULL, kernel INTEGER NOT NULL);
CREATE TABLE span_rows (track INTEGER NOT NULL, name INTEGER NOT NULL, origin INTEGER NOT NULL,
                        begin_ps INTEGER NOT NULL, end_ps INTEGER NOT NULL, detail TEXT);
CREATE TABLE level_rows (track INTEGER NOT NULL, time_ps INTEGER NOT NULL, value INTEGER NOT NULL);
CREATE TABLE event_rows (track INTEGER NOT NULL, time_ps INTEGER NOT NULL, text TEXT NOT NULL);
CREATE VIEW transactions AS
  SELECT t.rowid AS id, number, parent, root, p.text AS port, i.text AS initiator,
         g.text AS target, o.text AS origin, kernel,
         CASE command WHEN 0 THEN 'read' WHEN 1 THEN 'write' ELSE 'ignore' END AS command,
         CASE response WHEN 0 THEN 'ok' WHEN 1 THEN 'incomplete' WHEN 2 THEN 'generic error'
                       WHEN 3 THEN 'address error' WHEN 4 THEN 'command error'
                       WHEN 5 THEN 'burst error' ELSE 'byte enable error' END AS response,
         address, bytes, begin_ps, response_ps, end_ps, (end_ps - begin_ps) / 1e3 AS latency_ns,
         outstanding
  FROM transaction_rows t JOIN names p ON p.id = t.port JOIN names i ON i.id = t.initiator
       JOIN names g ON g.id = t.target JOIN names o ON o.id = t.origin;
CREATE VIEW spans AS
  SELECT subject, place, tracks.name AS track, n.text AS name, o.text AS origin, begin_ps, end_ps,
         (end_ps - begin_ps) / 1e3 AS duration_ns, detail
  FROM span_rows s JOIN tracks ON tracks.id = s.track JOIN names n ON n.id = s.name
       JOIN names o ON o.id = s.origin;
CREATE VIEW levels AS
  SELECT subject, place, name AS track, time_ps, value
  FROM level_rows JOIN tracks ON tracks.id = level_rows.track;
CREATE VIEW events AS
  SELECT subject, place, name AS track, time_ps, text
  FROM event_rows JOIN tracks ON tracks.id = event_rows.track;
CREATE VIEW by_port AS
  SELECT port, command, count(*) AS transactions, sum(bytes) AS bytes,
         sum(response NOT IN ('ok', 'incomplete')) AS errors, avg(latency_ns) AS mean_latency_ns,
         max(latency_ns) AS max_latency_ns, max(outstanding) AS most_outstanding,
         sum(response = 'incomplete') AS incomplete
  FROM transactions GROUP BY port, command;
CREATE VIEW by_target AS
  SELECT port, target, command, count(*) AS transactions, sum(bytes) AS bytes,
         sum(response NOT IN ('ok', 'incomplete')) AS errors, avg(latency_ns) AS mean_latency_ns
  FROM transactions GROUP BY port, target, command;
CREATE VIEW by_origin AS
  SELECT port, origin, kernel, command, count(*) AS transactions, sum(bytes) AS bytes,
         avg(latency_ns) AS mean_latency_ns
  FROM transactions GROUP BY port, origin, kernel, command;
CREATE VIEW slowest AS SELECT * FROM transactions ORDER BY latency_ns DESC, id LIMIT 100;
CREATE VIEW bandwidth AS
  SELECT port, end_ps / 10000000 * 10 AS begin_us, sum(bytes) AS bytes, sum(bytes) / 10.0 AS mb_per_s
  FROM transactions GROUP BY port, end_ps / 10000000;
CREATE VIEW pages AS
  SELECT port, address / 4096 * 4096 AS page, command, count(*) AS transactions,
         sum(bytes) AS bytes
  FROM transactions GROUP BY port, address / 4096, command;
BEGIN;
)";

class SqliteSink : public Sink {
 public:
  SqliteSink(const std::string& path, const Names& names) : path_(path), names_(names) {
    std::signal(SIGXFSZ, SIG_IGN);
    std::FILE* file = std::fopen(path.c_str(), "wb");  // empty, whatever was there
    if (file != nullptr) std::fclose(file);
    ::unlink((path + "-journal").c_str());
    if (file == nullptr || sqlite3_open(path.c_str(), &database_) != SQLITE_OK ||
        sqlite3_exec(database_, kSchema, nullptr, nullptr, nullptr) != SQLITE_OK) {
      const std::string why = database_ != nullptr ? sqlite3_errmsg(database_) : "not a file";
      sqlite3_close(database_);
      throw bad_input(fmt::format("cannot write the trace: {}", why), {path},
                      "check the directory, its permissions and its free space");
    }
    name_ = prepare("INSERT INTO names VALUES (?,?)");
    track_ = prepare("INSERT INTO tracks VALUES (?,?,?,?)");
    const std::string row = "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
    std::string rows = "INSERT INTO transaction_rows VALUES " + row;
    transaction_ = prepare(rows.c_str());
    for (unsigned i = 1; i < kRows; ++i) rows += ',' + row;
    transactions_ = prepare(rows.c_str());
    waiting_.reserve(kRows);
    span_ = prepare("INSERT INTO span_rows VALUES (?,?,?,?,?,?)");
    level_ = prepare("INSERT INTO level_rows VALUES (?,?,?)");
    event_ = prepare("INSERT INTO event_rows VALUES (?,?,?)");
  }
  ~SqliteSink() override { close(); }
  SqliteSink(const SqliteSink&) = delete;
  SqliteSink& operator=(const SqliteSink&) = delete;

  void track(TrackId id, const Track& track) override {
    const std::string_view subject = to_string(track.subject);
    bind(track_, id, subject, names_.text(track.group), names_.text(track.name));
    insert(track_);
  }
  void transaction(const Transaction& t) override {
    waiting_.push_back(t);
    if (waiting_.size() < kRows) return;
    int place = 0;
    for (const Transaction& each : waiting_) bind_row(transactions_, each, place);
    waiting_.clear();
    insert(transactions_, kRows);
  }
  void span(const Span& s) override {
    bind(span_, s.track, s.name, s.origin, s.begin, s.end, s.detail);
    insert(span_);
  }
  void level(const Level& l) override {
    bind(level_, l.track, l.time, l.value);
    insert(level_);
  }
  void event(const Event& e) override {
    bind(event_, e.track, e.time, e.text);
    insert(event_);
  }

  // Batches are cut by their number of rows alone, and by the calls of this that many come to.
  void flush() override {
    constexpr unsigned kCalls = 64;
    if (++flushes_ % kCalls == 0 && rows_ + waiting_.size() != 0) commit();
  }
  void close() override {
    if (database_ == nullptr) return;
    add_waiting();
    add_names();
    if (ok()) check(sqlite3_exec(database_, "COMMIT", nullptr, nullptr, nullptr));
    for (sqlite3_stmt* each : {name_, track_, transaction_, transactions_, span_, level_, event_})
      sqlite3_finalize(each);
    const int result = sqlite3_close(database_);
    database_ = nullptr;
    if (ok() && result != SQLITE_OK) failure_ = path_ + ": cannot be closed";
  }
  const std::string& failure() const override { return failure_; }

 private:
  bool ok() const { return failure_.empty(); }
  void check(int result) {
    if (result == SQLITE_OK || result == SQLITE_DONE || !ok()) return;
    failure_ = fmt::format("{}: cannot write: {}", path_, sqlite3_errmsg(database_));
  }
  sqlite3_stmt* prepare(const char* text) {
    sqlite3_stmt* statement = nullptr;
    check(sqlite3_prepare_v2(database_, text, -1, &statement, nullptr));
    return statement;
  }

  static int bind_one(sqlite3_stmt* to, int place, std::string_view text) {
    return sqlite3_bind_text(to, place, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  }
  static int bind_one(sqlite3_stmt* to, int place, const std::string& text) {
    return bind_one(to, place, std::string_view(text));
  }
  template <typename Number>
  static int bind_one(sqlite3_stmt* to, int place, Number number) {
    return sqlite3_bind_int64(to, place, static_cast<sqlite3_int64>(number));
  }
  void bind_row(sqlite3_stmt* to, const Transaction& t, int& place) const {
    if (!ok()) return;
    const auto number = [&](uint64_t value) {
      sqlite3_bind_int64(to, ++place, static_cast<sqlite3_int64>(value));
    };
    number(t.number);
    if (t.parent != 0)
      number(t.parent);
    else
      sqlite3_bind_null(to, ++place);
    number(t.root);
    for (const Id id : {t.port, t.initiator, t.target, t.origin}) number(id);
    number(static_cast<uint64_t>(t.command));
    number(static_cast<uint64_t>(t.response));
    for (const uint64_t value : {t.address, uint64_t{t.length}, t.begin, t.response_begin, t.end})
      number(value);
    number(t.outstanding);
    number(t.kernel ? 1 : 0);
  }
  template <typename... Values>
  void bind(sqlite3_stmt* to, const Values&... values) {
    if (!ok()) return;
    int place = 0;
    (bind_one(to, ++place, values), ...);
  }
  // The statement, with what was bound to it.
  void insert(sqlite3_stmt* statement, unsigned rows = 1) {
    if (!ok()) return;
    check(sqlite3_step(statement));
    sqlite3_reset(statement);
    rows_ += rows;
    if (rows_ >= kBatch) commit();
  }
  // Transactions that are too few for one statement.
  void add_waiting() {
    for (const Transaction& each : waiting_) {
      int place = 0;
      bind_row(transaction_, each, place);
      if (!ok()) break;
      check(sqlite3_step(transaction_));
      sqlite3_reset(transaction_);
    }
    waiting_.clear();
  }
  void commit() {
    rows_ = 0;
    add_waiting();
    add_names();
    if (ok()) check(sqlite3_exec(database_, "COMMIT; BEGIN", nullptr, nullptr, nullptr));
  }
  // Those that are new since the last batch.
  void add_names() {
    for (; ok() && named_ < names_.size(); ++named_) {
      bind(name_, named_, names_.text(static_cast<Id>(named_)));
      check(sqlite3_step(name_));
      sqlite3_reset(name_);
    }
  }

  std::string path_;
  const Names& names_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt *name_ = nullptr, *track_ = nullptr, *transaction_ = nullptr, *span_ = nullptr,
               *level_ = nullptr, *event_ = nullptr;
  sqlite3_stmt* transactions_ = nullptr;  // kRows at once
  std::vector<Transaction> waiting_;      // fewer
  unsigned rows_ = 0;
  unsigned flushes_ = 0;
  size_t named_ = 0;
  std::string failure_;
};

}  // namespace

std::unique_ptr<Sink> make_sqlite_sink(const std::string& path, const Names& names) {
  return std::make_unique<SqliteSink>(path, names);
}

}  // namespace gvp::trace
