// SPDX-License-Identifier: Apache-2.0
// The one exception type of the project.  An Error says what happened, where (a file with line
// and column, or a simulated place such as "host.data @ 12 us") and what the user can do about
// it.  One place, the command line's main(), turns it into text and an exit code.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace gvp {

// Exit codes of every command-line tool.  0..123 belong to the guest program.
enum class ExitCode : int {
  kSuccess = 0,
  kLimitReached = 124,  // --max-time, --max-instructions
  kModelError = 125,    // the simulator or a model went wrong
  kBadInput = 126,      // command line, configuration, ELF, cubin, kernel text...
};

// A place in an input file.  Line and column count from 1; 0 means unknown.
struct SourceLocation {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

class Error : public std::runtime_error {
 public:
  // what: a sentence without full stop; where: may be empty; remedy: what to do, may be empty.
  Error(ExitCode code, std::string what, std::string where = "", std::string remedy = "");

  ExitCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& where() const { return where_; }
  const std::string& remedy() const { return remedy_; }

 private:
  ExitCode code_;
  std::string message_;
  std::string where_;
  std::string remedy_;
};

// The user's input is at fault: file.toml:3:7: unknown key "gpgpu.spss" (did you mean "sps"?)
Error bad_input(std::string what, const SourceLocation& where = {}, std::string remedy = "");
// The simulation is at fault, or what runs in it in a way that no guest-visible error covers.
Error model_error(std::string what, std::string where = "", std::string remedy = "");

// "file:line:column", leaving out what is unknown.
std::string to_string(const SourceLocation& location);

}  // namespace gvp
