// SPDX-License-Identifier: Apache-2.0
#include "models/base/error.h"

#include <utility>

namespace gvp {
namespace {

// Messages quote their input, which may be anything: control characters, which would end the
// message or move the terminal's cursor, are shown as \xNN.
std::string printable(const std::string& text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string result;
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if ((byte >= ' ' && byte != 0x7f) || byte == '\n' || byte == '\t')
      result += character;
    else
      result += std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
  }
  return result;
}

std::string compose(const std::string& what, const std::string& where, const std::string& remedy) {
  std::string text = where.empty() ? what : where + ": " + what;
  if (!remedy.empty()) text += " (" + remedy + ")";
  return printable(text);
}

}  // namespace

Error::Error(ExitCode code, std::string what, std::string where, std::string remedy)
    : std::runtime_error(compose(what, where, remedy)),
      code_(code),
      message_(std::move(what)),
      where_(std::move(where)),
      remedy_(std::move(remedy)) {}

Error bad_input(std::string what, const SourceLocation& where, std::string remedy) {
  return Error(ExitCode::kBadInput, std::move(what), to_string(where), std::move(remedy));
}

Error model_error(std::string what, std::string where, std::string remedy) {
  return Error(ExitCode::kModelError, std::move(what), std::move(where), std::move(remedy));
}

std::string to_string(const SourceLocation& location) {
  std::string text = location.file;
  if (location.line != 0) text += ":" + std::to_string(location.line);
  if (location.line != 0 && location.column != 0) text += ":" + std::to_string(location.column);
  return text;
}

}  // namespace gvp
