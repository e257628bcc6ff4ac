// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/diagnostics.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>

namespace gvp::kcc {
namespace {

// Without the escape sequences that colour a terminal.
std::string plain(const std::string& text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\x1b') {
      result += text[at];
      continue;
    }
    while (at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) == 0) ++at;
  }
  return result;
}

// "FILE:LINE:COLUMN" in front of a mark; nothing if it is none.
std::optional<Diagnostic::Place> place_in(std::string_view text) {
  Diagnostic::Place place;
  for (size_t* number : {&place.column, &place.line}) {
    const size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == text.size() || text.size() - colon > 9)
      return std::nullopt;
    for (const char c : text.substr(colon + 1)) {
      if (c < '0' || c > '9') return std::nullopt;
      *number = 10 * *number + static_cast<size_t>(c - '0');
    }
    text = text.substr(0, colon);
  }
  place.file = std::string(text);
  return place;
}

// "2 warnings generated when compiling for sm_20." with fewer; empty if none is left.
std::string with_fewer_warnings(const std::string& summary, size_t fewer) {
  const size_t word = summary.find(' ');
  const size_t count = std::stoul(summary);
  if (count <= fewer) return "";
  const size_t left = count - fewer;
  return std::to_string(left) + (left == 1 ? " warning" : " warnings") +
         summary.substr(summary.find(' ', word + 1));
}

bool is_summary_of_warnings(const std::string& line) {
  const size_t word = line.find_first_not_of("0123456789");
  return word != 0 && word != std::string::npos && word < 9 &&
         (line.compare(word, 19, " warnings generated") == 0 ||
          line.compare(word, 18, " warning generated") == 0);
}

}  // namespace

std::vector<Diagnostic> errors_in(const std::string& messages) {
  std::vector<Diagnostic> errors;
  std::istringstream lines(plain(messages));
  bool of_error = false;
  for (std::string line; std::getline(lines, line);) {
    for (const std::string_view mark :
         {": error: ", ": fatal error: ", ": warning: ", ": note: "}) {
      const size_t at = line.find(mark);
      if (at == std::string::npos) continue;
      const auto place = place_in(std::string_view(line).substr(0, at));
      if (!place) continue;
      const std::string text = line.substr(at + mark.size());
      if (mark.find("error") != std::string_view::npos) {
        errors.push_back({*place, text, {}});
        of_error = true;
      } else if (mark == ": warning: ") {
        of_error = false;
      } else if (of_error && text.find("requested here") != std::string::npos) {
        errors.back().through.push_back(*place);
      }
      break;
    }
  }
  return errors;
}

// "candidate ... not viable: call to __host__ function from __device__ function", or a reference to
// one, whose declaration is named in the next note.
std::vector<Diagnostic::Place> host_functions_called(const std::string& messages) {
  constexpr std::string_view kNote = ": note: ";
  std::vector<Diagnostic::Place> places;
  std::istringstream lines(plain(messages));
  bool referred = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(": error: ") != std::string::npos)
      referred = line.find(": error: reference to __host__ function '") != std::string::npos;
    const size_t at = line.find(kNote);
    if (at == std::string::npos) continue;
    const std::string_view text = std::string_view(line).substr(at + kNote.size());
    const bool called = text.find("call to __host__ function from __") != std::string_view::npos;
    const bool declared = referred && text.find("' declared here") != std::string_view::npos;
    const auto place = place_in(std::string_view(line).substr(0, at));
    if ((called || declared) && place) places.push_back(*place);
  }
  return places;
}

// "reference to 'x' is ambiguous" and, of its candidates, "candidate found by name lookup is 'x'".
std::vector<Diagnostic::Place> ambiguous_globals(const std::string& messages) {
  constexpr std::string_view kError = ": error: reference to ";
  constexpr std::string_view kEnd = " is ambiguous";
  constexpr std::string_view kNote = ": note: candidate found by name lookup is ";
  std::vector<Diagnostic::Place> places;
  std::istringstream lines(plain(messages));
  std::optional<Diagnostic::Place> error;
  std::string name;  // with its quotation marks
  for (std::string line; std::getline(lines, line);) {
    if (line.find(": error: ") != std::string::npos) {
      const size_t at = line.find(kError);
      const size_t end = line.rfind(kEnd);
      error.reset();
      if (at == std::string::npos || end == std::string::npos) continue;
      error = place_in(std::string_view(line).substr(0, at));
      name = line.substr(at + kError.size(), end - at - kError.size());
    } else if (const size_t at = line.find(kNote); at != std::string::npos && error) {
      if (line.compare(at + kNote.size(), std::string::npos, name) != 0) continue;
      places.push_back(*error);
      error.reset();
    }
  }
  return places;
}

std::string only_errors_at(const std::string& messages, const std::vector<Diagnostic>& errors) {
  std::string result;
  std::string before;  // "In file included from ..."
  bool wanted = false;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    const std::string text = plain(line);
    const bool includes = text.rfind("In file included from ", 0) == 0;
    const auto found = errors_in(text);
    const bool warns = text.find(": warning: ") != std::string::npos;
    if (includes || warns) wanted = false;
    if (!found.empty()) {
      wanted = std::any_of(errors.begin(), errors.end(), [&](const Diagnostic& each) {
        return each.place.file == found[0].place.file && each.place.line == found[0].place.line &&
               each.text == found[0].text;
      });
      if (wanted) result += before;
      before.clear();
    }
    if (wanted) result.append(line).append("\n");
    if (includes)
      before.append(line).append("\n");
    else
      before.clear();
  }
  return result;
}

std::string without_warnings(const std::string& messages,
                             const std::function<bool(const Diagnostic::Place&)>& unwanted) {
  std::string result;
  std::string
      before;        // "In file included from ...", which clang says once where it does not change
  std::string file;  // of what was said last
  bool wanted = true;
  size_t dropped = 0;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    const std::string text = plain(line);
    line += '\n';
    if (text.rfind("In file included from ", 0) == 0) {
      if (!file.empty()) before.clear();
      file.clear();
      before += line;
      continue;
    }
    if (is_summary_of_warnings(text)) {
      result += with_fewer_warnings(text + '\n', dropped);
      continue;
    }
    // Notes and lines of the source belong to what is before them.
    for (const std::string_view mark : {": warning: ", ": error: ", ": fatal error: "}) {
      const size_t at = text.find(mark);
      if (at == std::string::npos) continue;
      const auto place = place_in(std::string_view(text).substr(0, at));
      if (!place) continue;
      wanted = mark != ": warning: " || !unwanted(*place);
      dropped += wanted ? 0 : 1;
      if (!file.empty() && file != place->file) before.clear();
      file = place->file;
      break;
    }
    if (!wanted) continue;
    result.append(before).append(line);
    before.clear();
  }
  return result;
}

std::string unknown_type(const Diagnostic& error) {
  constexpr std::string_view kBegin = "unknown type name '";
  if (error.text.rfind(kBegin, 0) != 0) return "";
  const size_t end = error.text.find('\'', kBegin.size());
  return error.text.substr(kBegin.size(), end - kBegin.size());
}

std::string missing_header(const Diagnostic& error) {
  constexpr std::string_view kEnd = "' file not found";
  const size_t end = error.text.find(kEnd);
  if (end == std::string::npos || error.text.empty() || error.text[0] != '\'') return "";
  return error.text.substr(1, end - 1);
}

size_t declarations_in(const std::string& messages) {
  constexpr std::string_view kBefore = "*** Decl Stats:\n";
  constexpr std::string_view kBehind = " decls total.";
  const size_t at = messages.find(kBefore);
  const size_t end = messages.find(kBehind, at);
  if (at == std::string::npos || end == std::string::npos) return 0;
  const size_t digits = messages.find_first_not_of(' ', at + kBefore.size());
  size_t count = 0;
  for (size_t i = digits; i < end; ++i) {
    if (messages[i] < '0' || messages[i] > '9') return 0;
    count = 10 * count + static_cast<size_t>(messages[i] - '0');
  }
  return count;
}

}  // namespace gvp::kcc
