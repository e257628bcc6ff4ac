// SPDX-License-Identifier: Apache-2.0
// What clang warns of in host code, of which nothing is made.
#pragma once

#include <map>
#include <set>
#include <string>

#include "tools/kcc/front_end/diagnostics.h"
#include "tools/kcc/front_end/source_text.h"

namespace gvp::kcc {

// The lines of the sources, as linemarkers say them, that belong to functions of the host and to
// nothing else.  Macros and words that were inserted move columns, so these tell nothing; a line
// that both have is the device's.
class HostLines {
 public:
  explicit HostLines(const SourceText& preprocessed);

  bool contains(const Diagnostic::Place& place) const;

 private:
  using Lines = std::map<std::string, std::set<size_t>>;  // by file

  static void add(Lines& lines, const SourceText& text, size_t at);
  static void add_range(Lines& lines, const SourceText& text, const Span& span);

  Lines host_;
  Lines others_;
};

// Without the warnings that stand in functions of the host.
std::string without_host_warnings(const std::string& messages, const SourceText& preprocessed);

}  // namespace gvp::kcc
