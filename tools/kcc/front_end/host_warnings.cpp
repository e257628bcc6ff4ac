// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/host_warnings.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace gvp::kcc {
namespace {

// Unmarked functions are the host's, but for those that the language shares, and for what they
// mark themselves in their bodies.
bool is_host_function(const SourceText& text, const Declaration& each) {
  return each.function && !each.device && !text.in_system_header(each.all.begin) &&
         !text.has_word(each.body, "__attribute__") &&
         !text.has_word({each.all.begin, each.body.begin}, "constexpr");
}

bool is_linemarker(const std::string& text, size_t begin) {
  return text.compare(begin, 2, "# ") == 0 && begin + 2 < text.size() &&
         std::isdigit(static_cast<unsigned char>(text[begin + 2])) != 0;
}

// "k.cu:12"
Diagnostic::Place split(const std::string& place) {
  const size_t colon = place.rfind(':');
  if (colon == std::string::npos) return {};
  return {place.substr(0, colon), std::stoul(place.substr(colon + 1)), 0};
}

}  // namespace

HostLines::HostLines(const SourceText& preprocessed) {
  std::vector<Span> functions;
  for (const Declaration& each : preprocessed.declarations()) {
    if (!each.function || preprocessed.in_system_header(each.all.begin)) continue;
    const bool host = is_host_function(preprocessed, each);
    if (host) functions.push_back(each.all);
    add_range(host ? host_ : others_, preprocessed, each.all);
  }
  std::sort(functions.begin(), functions.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  const std::string& text = preprocessed.text();
  auto function = functions.begin();
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (!is_linemarker(text, begin) && !preprocessed.in_system_header(begin)) {
      for (size_t at = begin; at < end; ++at) {
        while (function != functions.end() && function->end <= at) ++function;
        if (function != functions.end() && function->contains(at)) {
          add(host_, preprocessed, begin);
          at = std::min(end, function->end) - 1;
        } else if (std::isspace(static_cast<unsigned char>(text[at])) == 0) {
          add(others_, preprocessed, begin);
          break;
        }
      }
    }
    begin = end + 1;
  }
}

void HostLines::add(Lines& lines, const SourceText& text, size_t at) {
  const Diagnostic::Place place = split(text.place_of(at));
  lines[place.file].insert(place.line);
}

// Lines of a macro's arguments are empty in preprocessed text.
void HostLines::add_range(Lines& lines, const SourceText& text, const Span& span) {
  const Diagnostic::Place first = split(text.place_of(span.begin));
  const Diagnostic::Place last = split(text.place_of(span.end - 1));
  if (first.file != last.file) return;
  for (size_t line = first.line; line <= last.line; ++line) lines[first.file].insert(line);
}

bool HostLines::contains(const Diagnostic::Place& place) const {
  const auto has = [&](const Lines& lines) {
    const auto file = lines.find(place.file);
    return file != lines.end() && file->second.count(place.line) != 0;
  };
  return has(host_) && !has(others_);
}

std::string without_host_warnings(const std::string& messages, const SourceText& preprocessed) {
  const HostLines lines(preprocessed);
  return without_warnings(messages,
                          [&](const Diagnostic::Place& place) { return lines.contains(place); });
}

}  // namespace gvp::kcc
