// SPDX-License-Identifier: Apache-2.0
// Takes records in and gives each to the files whose filter wants it, and to the ring of the latest
// transactions.  Memory does not grow with the number of records.  No SystemC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/filter.h"
#include "trace/records.h"
#include "trace/sink.h"

namespace gvp::trace {

// A part of a port's address map.  Both ends belong to it.
struct PortRegion {
  std::string name;
  Range addresses;
};

class Recorder {
 public:
  // Opens the files.  ring: how many of the latest transactions are kept.  Throws Error (bad input)
  // for a file that cannot be written.
  explicit Recorder(const std::vector<Specification>& files, size_t ring = 0);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  Names& names() { return names_; }
  const Names& names() const { return names_; }
  // A row of the timeline, the same one for the same arguments.
  // unit: what it is a part of; bits: of the levels on it.
  TrackId track(Subject subject, std::string_view group, std::string_view name,
                std::string_view unit = "", unsigned bits = 1);

  // Whether anybody wants such records.
  bool wants(Subject subject) const;
  // Whether anybody wants to know which function or kernel caused what.
  bool wants_origins() const { return wants_origins_; }
  // The addresses of a port whose transactions somebody wants; empty: none.  Sorted, disjoint.
  // subject: what its transactions are.
  std::vector<Range> wanted(const std::string& port, const std::vector<PortRegion>& regions,
                            Subject subject = Subject::kTransactions);
  // The times (ps) in which somebody wants transactions of a port.  Sorted, disjoint.
  std::vector<Range> wanted_times(const std::string& port) const;
  // When every port has been asked for: throws Error (bad input) where a filter names a port or
  // target that there is not.
  void check_names() const;
  // sources: the Subjects that there can be records of.  Throws Error (bad input) where a file asks
  // for another by its name; why: what there would have to be.
  void check_subjects(unsigned sources, const std::function<std::string(Subject)>& why) const;
  // functions: whether the host's program has one of this name.  Throws Error (bad input) where a
  // filter without wildcards names another.
  void check_functions(const std::function<bool(const std::string&)>& exists) const;
  // All ports and tracks that are known from the beginning are there: files that list them first
  // do so now.  horizon: until when no record can come any more that begins before.
  void begin(std::function<uint64_t()> horizon);

  void transaction(const Transaction& transaction);
  void span(const Span& span);
  // For what lasts: tells its beginning, and numbers it for the span() at its end.
  void span_begins(Span& span);
  void level(const Level& level);
  void event(const Event& event);
  // This function or kernel begins at this time (ps): a trigger may wait for it.
  void begins(Id name, uint64_t time);

  // What was recorded survives the end of this process; to be called every now and then.
  void flush();
  // Files are complete.  The first failure of any, in words; empty: none.
  std::string close();
  // Of a file that could not be written further; empty: none.
  const std::string& failure() const;
  // The latest transactions, oldest first, on standard error.
  void dump_ring(const std::string& why);
  // Each file with its number of records: {"a.csv", 12}.
  struct Count {
    std::string file;
    uint64_t records = 0;
  };
  std::vector<Count> counts() const;
  // After the run, in words: triggers that never came, functions and kernels that were never seen.
  std::vector<std::string> never_seen() const;

 private:
  struct Route;

  void announce(Route& route, TrackId track);
  bool admits(Route& route, const Transaction& transaction);
  bool admits(Route& route, TrackId track, uint64_t begin, uint64_t end);
  bool wants_of(Route& route, TrackId track, Id origin);
  void tell(size_t route, uint64_t span);
  void catch_up(size_t route, uint64_t time);

  Names names_;
  std::vector<Track> tracks_;
  std::vector<std::unique_ptr<Route>> routes_;
  struct Port {
    std::string name;
    Subject subject;
  };
  std::vector<Port> ports_;
  std::vector<std::string> targets_;  // that there are
  bool wants_origins_ = false;
  bool triggers_ = false;
  std::vector<Transaction> ring_;
  size_t ring_size_ = 0;
  size_t ring_next_ = 0;
  uint64_t last_span_ = 0;
  // Of files that begin later than the run, by a trigger or a window of time: what lasts and has
  // not ended.
  struct Open {
    Span span;
    std::string detail;
    std::vector<uint8_t> during;  // by route: it was there while the trigger let records pass...
    std::vector<uint8_t> told;    // ...and the file knows of its beginning
  };
  bool some_begin_late_ = false;
  std::map<uint64_t, Open> open_;  // by number
  bool closed_ = false;
};

}  // namespace gvp::trace
