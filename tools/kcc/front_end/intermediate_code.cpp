// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/intermediate_code.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "tools/kcc/front_end/text_lines.h"

namespace gvp::kcc {
namespace {

// A part of each texture's type and of nothing else that is constant.
constexpr std::string_view kTexture = "%struct.cudaChannelFormatDesc";
constexpr std::string_view kClangHeader = "/include/__clang_";

// What follows a mark in a line: of `key`, "!43" in "file: !43, line: 66".
std::string_view value_of(std::string_view line, std::string_view key) {
  const size_t at = line.find(key);
  return at == std::string_view::npos ? "" : word_at(line, at + key.size());
}

// What stands in quotes behind a mark.
std::string_view quoted(std::string_view line, std::string_view key) {
  const size_t at = line.find(key);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = line.substr(at + key.size());
  return rest.substr(0, rest.find('"'));
}

// Of a DIFile.  The part of a path that is that of the current directory stands by itself.
std::string path_of(std::string_view line) {
  std::string name(quoted(line, "filename: \""));
  if (begins_with(name, "/")) return name;
  return std::string(quoted(line, "directory: \"")) + '/' + name;
}

// The numbers of the descriptions of functions that come from such files:
//   !43 = !DIFile(filename: "/usr/.../__clang_cuda_builtin_vars.h", directory: "")
//   !42 = distinct !DISubprogram(name: "__fetch_builtin_x", scope: !43, file: !43, ...)
std::set<std::string_view> functions_of_headers(const std::string& text,
                                                const std::string& folder) {
  std::set<std::string_view> files;
  const std::string of_folder = folder + '/';
  for_each_line(text, [&](std::string_view line) {
    const bool file = line[0] == '!' && line.find(" = !DIFile(") != std::string_view::npos;
    if (file && (begins_with(path_of(line), of_folder) ||
                 line.find(kClangHeader) != std::string_view::npos))
      files.insert(word_at(line, 0));
  });
  std::set<std::string_view> functions;
  for_each_line(text, [&](std::string_view line) {
    const bool function = line[0] == '!' && line.find(" !DISubprogram(") != std::string_view::npos;
    if (function && files.count(value_of(line, ", file: ")) != 0)
      functions.insert(word_at(line, 0));
  });
  return functions;
}

// Of the line of a function's definition, the number of its attributes, "#0".
std::string_view attributes_in(std::string_view definition) {
  const size_t end = definition.rfind(')');
  const size_t at = definition.find(" #", end == std::string_view::npos ? 0 : end);
  return at == std::string_view::npos ? "" : word_at(definition, at + 1);
}

// The numbers of lines as
//   attributes #0 = { convergent noinline nounwind "frame-pointer"="all" }
// with a word.
std::set<std::string_view> attributes_with(const std::string& text, std::string_view word) {
  constexpr std::string_view kBegin = "attributes ";
  const std::string wanted = ' ' + std::string(word) + ' ';
  std::set<std::string_view> numbers;
  for_each_line(text, [&](std::string_view line) {
    if (begins_with(line, kBegin) && line.find(wanted) != std::string_view::npos)
      numbers.insert(word_at(line, kBegin.size()));
  });
  return numbers;
}

}  // namespace

std::set<std::string> separate_functions(const std::string& text) {
  const std::set<std::string_view> numbers = attributes_with(text, "noinline");
  std::set<std::string> names;
  for_each_line(text, [&](std::string_view line) {
    if (begins_with(line, "define ") && numbers.count(attributes_in(line)) != 0)
      names.emplace(name_in(line));
  });
  return names;
}

std::string without_inlining(const std::string& text) {
  constexpr std::string_view kBegin = "attributes ";
  std::set<std::string_view> wanted;
  for_each_line(text, [&](std::string_view line) {
    if (begins_with(line, "define ")) wanted.insert(attributes_in(line));
  });
  for (const std::string_view word : {"noinline", "alwaysinline"})
    for (const std::string_view number : attributes_with(text, word)) wanted.erase(number);
  std::string result;
  result.reserve(text.size());
  for_each_line(text, [&](std::string_view line) {
    const size_t brace = line.find("{ ");
    const bool changes = begins_with(line, kBegin) && brace != std::string_view::npos &&
                         wanted.count(word_at(line, kBegin.size())) != 0;
    if (!changes) {
      result += line;
      return;
    }
    result.append(line.substr(0, brace + 2)).append("noinline ").append(line.substr(brace + 2));
  });
  return result;
}

// A line of the text is
//   @name = internal addrspace(3) global ...
std::string with_shared_variables(const std::string& text) {
  constexpr std::string_view kPrivate = " = internal ";
  std::string result;
  result.reserve(text.size());
  for_each_line(text, [&](std::string_view line) {
    const size_t place = line[0] == '@' ? line.find(kPrivate) : std::string_view::npos;
    const std::string_view rest =
        place == std::string_view::npos ? "" : line.substr(place + kPrivate.size());
    const bool of_device = rest.substr(0, 10) == "addrspace(" && rest.size() > 12 &&
                           (rest[10] == '1' || rest[10] == '3' || rest[10] == '4');
    if (of_device && rest.find(" global ") != std::string_view::npos) {
      result.append(line.substr(0, place)).append(" = ").append(rest);
    } else {
      result.append(line);
    }
  });
  return result;
}

// What is looked for is
//   %5 = load i32, i32* getelementptr inbounds (... addrspacecast ([64 x i32] addrspace(3)* @s ...
// and what is changed, of all functions, because LLVM inlines only what is looked at alike,
//   attributes #0 = { convergent ... "target-cpu"="sm_20" ... }
std::string with_loads_in_their_place(const std::string& text) {
  bool from_fixed_place = false;
  for_each_line(text, [&](std::string_view line) {
    const size_t load = line.find(" = load ");
    from_fixed_place |= load != std::string_view::npos &&
                        (line.find(" addrspace(3)* @", load) != std::string_view::npos ||
                         line.find(" addrspace(1)* @", load) != std::string_view::npos);
  });
  if (!from_fixed_place) return text;
  std::string result;
  result.reserve(text.size());
  for_each_line(text, [&](std::string_view line) {
    const bool of_function =
        begins_with(line, "attributes #") && line.find("\"target-cpu\"") != std::string_view::npos;
    const size_t begin = of_function ? line.find('{') + 1 : 0;
    result.append(line.substr(0, begin)).append(of_function ? " sanitize_thread" : "");
    result.append(line.substr(begin));
  });
  return result;
}

// Clang lists the variables that host code names, because it may read them; all of them are kept
// anyway (with_shared_variables).  A line of the text is
//   @name = dso_local addrspace(4) externally_initialized global { i32, i32, [3 x i32], %struct...
std::string without_unused_textures(const std::string& original) {
  if (original.find(kTexture) == std::string::npos) return original;
  std::string text;
  for_each_line(original, [&](std::string_view line) {
    if (!begins_with(line, "@llvm.compiler.used = ")) text += line;
  });
  std::string result;
  result.reserve(text.size());
  for_each_line(text, [&](std::string_view line) {
    const bool texture = line[0] == '@' && line.find(" addrspace(4) ") != std::string_view::npos &&
                         line.find(kTexture) != std::string_view::npos;
    const std::string_view name = texture ? word_at(line, 0) : "";
    bool used = !texture;
    for (size_t at = text.find(name); !used && at != std::string::npos;
         at = text.find(name, at + name.size())) {
      const size_t begin = text.rfind('\n', at) + 1;
      const bool defines = begin == at;
      const bool longer = word_at(text, at) != name && text[at + name.size()] != ' ' &&
                          text[at + name.size()] != ',' && text[at + name.size()] != ')';
      used = !defines && !longer;
    }
    if (used) result += line;
  });
  return result;
}

std::string without_lines_of_headers(const std::string& text, const std::string& folder) {
  const std::set<std::string_view> functions = functions_of_headers(text, folder);
  std::string result;
  result.reserve(text.size());
  bool inside = false;
  for_each_line(text, [&](std::string_view line) {
    if (begins_with(line, "define ")) inside = functions.count(value_of(line, " !dbg ")) != 0;
    result += inside ? without_debug(line) : std::string(line);
    if (begins_with(line, "}")) inside = false;
  });
  return result;
}

std::string without_exact_shifts(const std::string& text) {
  constexpr std::string_view kExact = " exact";
  std::string result;
  result.reserve(text.size());
  for_each_line(text, [&](std::string_view line) {
    size_t at = std::string_view::npos;
    for (const std::string_view shift : {" = ashr exact ", " = lshr exact "})
      at = std::min(at, line.find(shift));
    if (at == std::string_view::npos || !begins_with(line, "  %")) {
      result += line;
      return;
    }
    const size_t word = line.find(kExact, at);
    result += line.substr(0, word);
    result += line.substr(word + kExact.size());
  });
  return result;
}

std::string without_orders_of_assembly(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  for_each_line(text, [&](std::string_view line) {
    const std::string_view words = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    const bool order = begins_with(words, "uselistorder ");
    if (!order || line.find(" asm ") == std::string_view::npos) result += line;
  });
  return result;
}

}  // namespace gvp::kcc
