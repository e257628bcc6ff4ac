// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/ptx_parts.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {
namespace {

constexpr std::string_view kFile = "\t.file\t";

// A variable, a function or the declaration of one in PTX.
struct Declaration {
  std::string_view name;
  std::string_view text;
  bool promised = false;  // a function that is defined elsewhere, or further behind
};

// Of "(.param .b32 func_retval0) _Z4kepti(": "_Z4kepti".
std::string_view name_after_result(std::string_view text) {
  size_t begin = text.find_first_not_of(' ');
  if (begin != std::string_view::npos && text[begin] == '(')
    begin = text.find_first_not_of(' ', std::min(text.find(')', begin), text.size() - 1) + 1);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_first_of("( ;\n", begin) - begin);
}

// Of ".weak .shared .align 4 .b8 s[128];": "s".
std::string_view name_of_variable(std::string_view line) {
  std::string_view text = line.substr(0, line.find_first_of("[=;"));
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text.substr(text.rfind(' ') + 1);
}

struct Contents {
  std::vector<Declaration> declarations;
  std::map<std::string_view, std::string_view> files;  // by number: what stands behind it
};

// Up to the line that ends it, or 0.
size_t size_of_header(const std::string& ptx) {
  constexpr std::string_view kLast = ".address_size";
  return ptx.find('\n', std::min(ptx.find(kLast), ptx.size())) + 1;
}

// What comes behind the header; nothing if there is something else.
std::optional<Contents> contents_of(std::string_view ptx) {
  Contents contents;
  std::vector<Declaration>& found = contents.declarations;
  bool inside = false;
  bool understood = true;
  for_each_line(ptx, [&](std::string_view line) {
    if (inside) {
      std::string_view& text = found.back().text;
      text = {text.data(), text.size() + line.size()};
      found.back().promised = line == ";\n";
      inside = line != "}\n" && line != ";\n";
      return;
    }
    if (line == "\n" || begins_with(line, "//") || begins_with(line, "\t//")) return;
    if (begins_with(line, kFile)) {
      const std::string_view number = word_at(line, kFile.size());
      contents.files[number] = line.substr(kFile.size() + number.size());
      return;
    }
    // An empty one, which clang writes where there are lines.
    if (line == "\t.section\t.debug_loc\t{\t}\n") return;
    for (const std::string_view kind : {".entry ", ".func "}) {
      const size_t at = line.find(kind);
      if (at == std::string_view::npos || line[0] != '.') continue;
      found.push_back({name_after_result(line.substr(at + kind.size())), line, false});
      inside = true;
      return;
    }
    const bool variable =
        line[0] == '.' && line.size() > 2 && line.substr(line.size() - 2) == ";\n";
    understood &= variable;
    if (variable) found.push_back({name_of_variable(line), line, false});
  });
  if (!understood || inside) return std::nullopt;
  return contents;
}

// The files of all parts, each with one number.
class Files {
 public:
  // A function of a part with these files, as it says where it comes from in the whole.
  std::string renumbered(std::string_view function,
                         const std::map<std::string_view, std::string_view>& files) {
    constexpr std::string_view kPlace = "\t.loc\t";
    std::string result;
    result.reserve(function.size() + function.size() / 16);
    for_each_line(function, [&](std::string_view line) {
      const std::string_view number =
          begins_with(line, kPlace) ? word_at(line, kPlace.size()) : std::string_view{};
      const auto file = files.find(number);
      if (file == files.end()) {
        result += line;
        return;
      }
      const auto known = numbers_.emplace(file->second, numbers_.size() + 1).first;
      result.append(kPlace).append(std::to_string(known->second));
      result += line.substr(kPlace.size() + number.size());
    });
    return result;
  }

  std::string text() const {
    std::string result;
    for (const auto& [name, number] : numbers_)
      result.append(kFile).append(std::to_string(number)).append(name);
    return result;
  }

 private:
  std::map<std::string_view, size_t> numbers_;
};

// Labels and calls have the number of their function in its part.
std::string without_numbers(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    size_t kept = 1;
    for (const std::string_view mark : {"LBB", "Ltmp", "Lfunc_begin", "Lfunc_end", "callseq "})
      if (begins_with(rest, mark)) kept = mark.size();
    result += rest.substr(0, kept);
    at += kept;
    while (kept > 1 && at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0)
      ++at;
  }
  return result;
}

bool may_be_in_a_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '$';
}

// A kernel's text with another name: it stands in front of its parameters, and at the beginning of
// each one's name.
std::string renamed(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  size_t done = 0;
  for (size_t at = text.find(from); at != std::string_view::npos; at = text.find(from, at)) {
    const std::string_view behind = text.substr(at + from.size());
    const bool whole = at != 0 && !may_be_in_a_name(text[at - 1]) &&
                       (begins_with(behind, "_param_") || !may_be_in_a_name(behind[0]));
    if (whole) {
      result.append(text.substr(done, at - done)).append(to);
      done = at + from.size();
    }
    at += from.size();
  }
  return result.append(text.substr(done));
}

}  // namespace

std::optional<std::string> joined(const std::vector<std::string>& parts) {
  std::string result;
  Files files;
  std::unordered_map<std::string_view, std::string> known, promised;
  for (const std::string& part : parts) {
    const size_t header = size_of_header(part);
    if (header == 0) return std::nullopt;
    if (result.empty()) result = part.substr(0, header);
    const auto contents = contents_of(std::string_view(part).substr(header));
    if (!contents) return std::nullopt;
    for (const Declaration& each : contents->declarations) {
      std::string text = files.renumbered(each.text, contents->files);
      auto& of_kind = each.promised ? promised : known;
      const auto found = of_kind.find(each.name);
      if (found == of_kind.end()) {
        result += text;
        of_kind.emplace(each.name, std::move(text));
      } else if (without_numbers(found->second) != without_numbers(text)) {
        return std::nullopt;
      }
    }
  }
  return result + files.text();
}

std::optional<std::string> with_copies(
    const std::string& ptx, const std::vector<std::pair<std::string, std::string>>& kernels) {
  const bool all_their_own = std::all_of(kernels.begin(), kernels.end(), [](const auto& kernel) {
    return kernel.first == kernel.second;
  });
  if (all_their_own) return ptx;
  const size_t header = size_of_header(ptx);
  const auto contents = contents_of(std::string_view(ptx).substr(header));
  if (!contents || !contents->files.empty()) return std::nullopt;
  std::unordered_map<std::string_view, std::string_view> texts;
  for (const auto& [name, original] : kernels) texts[original];
  std::string result = ptx.substr(0, header);
  for (const Declaration& each : contents->declarations) {
    const auto kernel = texts.find(each.name);
    if (kernel == texts.end()) {
      result += each.text;
    } else {
      kernel->second = each.text;
    }
  }
  for (const auto& [name, original] : kernels) {
    const std::string_view text = texts.at(original);
    if (text.empty()) return std::nullopt;
    result += renamed(text, original, name);
  }
  return result;
}

}  // namespace gvp::kcc
