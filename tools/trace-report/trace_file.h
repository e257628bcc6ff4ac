// SPDX-License-Identifier: Apache-2.0
// A trace as the report reads it, whatever its format: row by row, nothing of it is kept but texts
// and tracks.  Times are picoseconds, sizes bytes; texts that come again and again are numbers, to
// which name() has the text.
//
// Read are .db, .csv and .pftrace (docs/tracing.md).  What a waveform or a .txt has is less than
// the report needs.  Levels and events are left out.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/schema/words.h"

namespace gvp::trace_report {

using trace::schema::kCommandWords;
using trace::schema::kResponseWords;
using trace::schema::kSubjectWords;

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
  uint32_t name = 0;
  uint64_t begin = 0, end = 0;
  std::string_view detail;  // valid during the call
};

// Spans that begin in a window on some tracks.
struct SpanWindow {
  std::string subject;
  uint64_t begin = 0, end = 0;
};

class TraceFile {
 public:
  using TakeTransaction = std::function<void(const Transaction&)>;
  using TakeSpan = std::function<void(const Span&)>;

  virtual ~TraceFile() = default;
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;

  // Of what has been read so far.
  const std::string& name(uint32_t id) const { return names_[id]; }
  const std::vector<Track>& tracks() const { return tracks_; }

  // Each transaction and each span, both in the order of recording.  These throw Error (bad input)
  // for a damaged file and for records that contradict themselves.
  virtual void records(const TakeTransaction& transaction, const TakeSpan& span) = 0;
  // The transactions that serve one of these roots.
  virtual void transactions_of(const std::vector<uint64_t>& roots, const TakeTransaction& take) = 0;
  virtual void spans_in(const SpanWindow& window, const TakeSpan& take) = 0;

 protected:
  TraceFile() = default;

  std::deque<std::string> names_;  // by number; references stay valid
  std::vector<Track> tracks_;      // by number
};

// Why a record contradicts itself; "": it does not.
std::string contradiction(const Transaction& transaction);
std::string contradiction(const Span& span, const Track& track);

// What a file is, by its first bytes.
enum class FileType { kDatabase, kCsv, kPerfetto, kStatistics, kStatisticsCsv };
// Throws Error (bad input) that names the file and the remedy for what cannot be read or is none of
// these.
FileType type_of(const std::string& path);
inline bool is_trace(FileType type) {
  return type != FileType::kStatistics && type != FileType::kStatisticsCsv;
}
// Throws Error (bad input) for what is no trace of ours.
std::unique_ptr<TraceFile> open_trace(const std::string& path);

}  // namespace gvp::trace_report
