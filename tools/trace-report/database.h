// SPDX-License-Identifier: Apache-2.0
// Reads a trace in SQLite (docs/tracing.md), row by row: nothing of it is kept.  The one place that
// knows the schema.  Times are picoseconds, sizes bytes; texts that come again and again are
// numbers, to which name() has the text.  POSIX.
//
// A trace whose writer was killed is rolled back to its last whole batch as it is opened, which
// needs the permission to write it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace gvp::trace_report {

inline constexpr const char* kCommands[] = {"read", "write", "ignore"};
inline constexpr const char* kResponses[] = {
    "ok",          "incomplete",       "generic error", "address error", "command error",
    "burst error", "byte enable error"};

// One pass of a transaction through one port.
struct Transaction {
  uint64_t number = 0;
  uint64_t parent = 0;  // 0: none
  uint64_t root = 0;
  uint32_t port = 0, initiator = 0, target = 0, origin = 0;
  unsigned command = 0, response = 0;
  bool kernel = false;  // the origin is a kernel, not a function of the host
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t begin = 0, response_begin = 0, end = 0;
  uint64_t outstanding = 0;

  uint64_t latency() const { return end - begin; }
  bool is_error() const { return response > 1; }  // what was under way at the end is none
  // As its initiator began it, before any other socket.
  bool is_begun_here() const { return number == root && port == initiator; }
};

struct Track {
  std::string subject;  // "kernels", "banks"...
  std::string place;    // "ddr3"
  std::string name;     // "bank 0"
};

struct Span {
  size_t track = 0;
  uint32_t name = 0, origin = 0;
  uint64_t begin = 0, end = 0;
  std::string_view detail;  // valid during the call
};

// Spans that begin in a window on some tracks.
struct SpanWindow {
  std::string subject;
  uint64_t begin = 0, end = 0;
};

class Database {
 public:
  // Throws Error (bad input) that names the file and the remedy for what is no trace of ours.
  explicit Database(const std::string& path);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& name(uint32_t id) const { return names_[id]; }
  size_t names() const { return names_.size(); }
  const std::vector<Track>& tracks() const { return tracks_; }

  // Each row, in the order of recording.  Throws Error (bad input) for a damaged file and for rows
  // that contradict themselves.
  void transactions(const std::function<void(const Transaction&)>& take) const;
  // Those that serve one of these roots.
  void transactions_of(const std::vector<uint64_t>& roots,
                       const std::function<void(const Transaction&)>& take) const;
  void spans(const std::function<void(const Span&)>& take) const;
  void spans_in(const SpanWindow& window, const std::function<void(const Span&)>& take) const;

 private:
  class Statement;

  void check_schema() const;
  void read_names();
  void read_tracks();
  void read_transactions(const std::string& where,
                         const std::function<void(const Transaction&)>& take) const;
  void read_spans(const std::string& where, const std::function<void(const Span&)>& take) const;
  [[noreturn]] void damaged(const std::string& why) const;

  std::string path_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_;
  std::vector<std::string> names_;
  std::vector<Track> tracks_;
};

}  // namespace gvp::trace_report
