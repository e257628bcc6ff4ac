// SPDX-License-Identifier: Apache-2.0
// What goes into a trace file: terms in the form KEY=VALUE, separated by commas, all of which must
// hold.  Alternatives of a value are separated by "|"; names may have "*" and "?" in them.
//
//   port=host_data|gpgpu     where the transaction was seen
//   target=ddr3              where its address leads, or the port of a target itself
//   address=0x50000000..0x50000fff   it touches one of these bytes; both ends belong to it
//   command=read             or write
//   errors                   its response is not OK
//   latency=500ns..          from its beginning to the end of its response
//   kernel=matmul*           caused by, or a part of, this kernel
//   function=memcpy          caused by the host while in this function
//   time=1ms..2ms            it lies in this window, or reaches into it
//   trigger=start..stop      from the time when this function or kernel begins, to when that does
//   record=transactions|warps        which records at all (default: all but warps,
//                            stages, functions and local, which are many; of pins only .fst and
//                            .vcd have some by themselves)
//
// Port, target, address, command, errors and latency choose among transactions and let all other
// records pass; kernel and function hold for whatever has an origin.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/error.h"
#include "trace/records.h"

namespace gvp::trace {

// Both ends belong to it.
struct Range {
  uint64_t first = 0;
  uint64_t last = ~uint64_t{0};
  bool contains(uint64_t value) const { return first <= value && value <= last; }
};

// Names with "*" (any characters) and "?" (any one).
bool matches(std::string_view pattern, std::string_view text);

class Patterns {
 public:
  Patterns() = default;
  explicit Patterns(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {}
  bool any() const { return patterns_.empty(); }  // all texts match
  bool match(const std::string& text) const;
  const std::vector<std::string>& patterns() const { return patterns_; }

 private:
  std::vector<std::string> patterns_;
};

struct Filter {
  Patterns ports, targets, kernels, functions;
  std::vector<Range> addresses;  // empty: all
  std::optional<Command> command;
  bool errors = false;
  Range latency;  // ps
  Range time;     // ps
  std::string trigger_from, trigger_to;
  unsigned subjects = 0;  // sum of Subject
  unsigned named = 0;     // those that somebody has asked for by name
  bool usual = true;      // nobody has said which

  bool wants(Subject subject) const { return (subjects & static_cast<unsigned>(subject)) != 0; }
};

// Throws Error (bad input) that says where in the text, and what would be right.  start: where the
// user wrote its first character.
Filter parse_filter(std::string_view text, const SourceLocation& start);

// FILE or FILE:FILTER; the file ends with the suffix of a format.
struct Specification {
  std::string file;
  Filter filter;
};
Specification parse_specification(const std::string& text, const SourceLocation& start);

}  // namespace gvp::trace
