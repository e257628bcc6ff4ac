// SPDX-License-Identifier: Apache-2.0
#include "models/base/hex_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/error.h"

namespace gvp {

std::vector<uint32_t> parse_hex(std::string_view text, const std::string& file) {
  std::vector<uint32_t> words;
  uint32_t line_number = 0;
  for (std::size_t start = 0; start < text.size();) {
    ++line_number;
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    line = line.substr(0, std::min(line.find('#'), line.size()));
    std::size_t p = 0;
    for (;;) {
      p = line.find_first_not_of(" \t\r,", p);
      if (p == std::string_view::npos) break;
      const std::size_t stop = std::min(line.find_first_of(" \t\r,", p), line.size());
      std::string_view word = line.substr(p, stop - p);
      const SourceLocation where{file, line_number, static_cast<uint32_t>(p + 1)};
      if (word.size() > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X'))
        word.remove_prefix(2);
      if (word.empty() || word.size() > 8 ||
          word.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
        throw bad_input(fmt::format("\"{}\" is no 32-bit word",
                                    line.substr(p, std::min<std::size_t>(stop - p, 40))),
                        where,
                        "one word of up to 8 hexadecimal digits per line, # starts a comment");
      words.push_back(static_cast<uint32_t>(std::stoul(std::string(word), nullptr, 16)));
      p = stop;
    }
    start = end + 1;
  }
  return words;
}

std::string to_hex(const std::vector<uint32_t>& words) {
  std::string text;
  for (const uint32_t word : words) text += fmt::format("{:#010x}\n", word);
  return text;
}

}  // namespace gvp
