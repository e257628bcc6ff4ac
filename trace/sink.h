// SPDX-License-Identifier: Apache-2.0
// Where records go: a file in one of the formats.  Records come in the order in which they are
// complete, which is not that of their beginnings.  A sink that cannot go on (a full disk) says so
// in failure() from then on and takes no more; what it has written stays readable.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "trace/records.h"

namespace gvp::trace {

class Sink {
 public:
  virtual ~Sink() = default;
  // Before the first record that is on it; tracks count from 0.
  virtual void track(TrackId, const Track&) {}
  // Whether it is told of all ports and tracks that there are from the beginning, before the first
  // record: of ports by port(), and of tracks that nothing will ever be on, too.
  virtual bool lists_first() const { return false; }
  virtual void port(Id) {}
  // Of formats that are in the order of time: until when no record can come any more that begins
  // before.  Asked when much waits for its turn.
  virtual void set_horizon(const std::function<uint64_t()>&) {}
  virtual void transaction(const Transaction& transaction) = 0;
  virtual void span(const Span& span) = 0;
  // It has a number; span() will come with the same.  Only the beginning is valid.
  virtual void span_begins(const Span&) {}
  virtual void level(const Level& level) = 0;
  virtual void event(const Event& event) = 0;
  // Called now and then: what has been recorded so far survives the end of this process.
  virtual void flush() = 0;
  // The last call: the file is complete.
  virtual void close() = 0;
  // Why nothing more is written, in words; empty: all is well.
  virtual const std::string& failure() const = 0;
};

struct Format {
  std::string suffix;  // ".csv"
  std::string description;
  // Throws Error (bad input) for a file that cannot be written.  names outlives the sink.
  std::unique_ptr<Sink> (*make)(const std::string& path, const Names& names);
  unsigned more = 0;  // Subjects that it has without being asked, beside what all have
};
const std::vector<Format>& formats();
// By the suffix of the path; null where there is none.
const Format* find_format(const std::string& path);

std::unique_ptr<Sink> make_csv_sink(const std::string& path, const Names& names);
std::unique_ptr<Sink> make_text_sink(const std::string& path, const Names& names);
std::unique_ptr<Sink> make_perfetto_sink(const std::string& path, const Names& names);
std::unique_ptr<Sink> make_sqlite_sink(const std::string& path, const Names& names);
std::unique_ptr<Sink> make_fst_sink(const std::string& path, const Names& names);
std::unique_ptr<Sink> make_vcd_sink(const std::string& path, const Names& names);
// To standard error.
std::unique_ptr<Sink> make_error_text_sink(const Names& names);

}  // namespace gvp::trace
