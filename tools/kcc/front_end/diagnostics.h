// SPDX-License-Identifier: Apache-2.0
// What clang says, taken apart: "FILE:LINE:COLUMN: error: TEXT" and the notes behind it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace gvp::kcc {

struct Diagnostic {
  struct Place {
    std::string file;
    size_t line = 0;
    size_t column = 0;
  };
  Place place;
  std::string text;            // without "error: "
  std::vector<Place> through;  // "in instantiation of ... requested here", innermost first
};

// The errors, fatal ones included.
std::vector<Diagnostic> errors_in(const std::string& messages);
// The functions without __device__ that the device's code calls: where they are declared.
std::vector<Diagnostic::Place> host_functions_called(const std::string& messages);
// Where a name is one of the global namespace as well as one of another, which is used there.
std::vector<Diagnostic::Place> ambiguous_globals(const std::string& messages);
// The errors among the messages that stand at these places, by file and line, with all that belongs
// to them.
std::string only_errors_at(const std::string& messages, const std::vector<Diagnostic>& errors);
// Without the warnings at places that are unwanted, and with as many fewer in the summary.
std::string without_warnings(const std::string& messages,
                             const std::function<bool(const Diagnostic::Place&)>& unwanted);
// The header that an error says is not there; empty if it says anything else.
std::string missing_header(const Diagnostic& error);
// The name that an error says is no type; empty if it says anything else.
std::string unknown_type(const Diagnostic& error);

// How many declarations clang has read, instances of templates among them, where it says so in a
// check (Clang::parse_preprocessed); else 0.
size_t declarations_in(const std::string& messages);

}  // namespace gvp::kcc
