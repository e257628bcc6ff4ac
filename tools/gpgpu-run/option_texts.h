// SPDX-License-Identifier: Apache-2.0
// How numbers, ranges and files are written on gpgpu-run's command lines.  All throw Error (bad
// input) naming the option, its text and what would be right.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/base/error.h"

namespace gvp::tools {

using Texts = std::vector<std::string>;

struct Load {
  uint32_t address;
  std::string file;
};

struct Dump {
  uint32_t address;
  uint32_t bytes;
  std::string file;
};

// A range of global memory that a kernel may touch, for --check.
struct Buffer {
  std::string name;
  uint32_t address = 0;
  uint32_t bytes = 0;
};

Error wrong(const std::string& option, const std::string& text, const std::string& remedy);
// A 32-bit number: decimal, 0x, or negative.  whole: the option's text, for the message.
uint32_t number(const std::string& text, const std::string& option, const std::string& whole,
                const std::string& remedy);
// The same, but a size or an address: not negative.
uint32_t count(const std::string& text, const std::string& option, const std::string& whole,
               const std::string& remedy);
Texts split(const std::string& text, char separator);
// Splits at the first occurrence; throws where there is none.
std::pair<std::string, std::string> halves(const std::string& text, char separator,
                                           const std::string& option, const std::string& whole,
                                           const std::string& remedy);
// "X[,Y[,Z]]", missing ones are 1.
template <size_t kMost>
void extents(const std::string& text, const char* option, std::array<uint32_t, kMost>& out) {
  const std::string remedy = kMost == 2 ? "write X or X,Y" : "write X, X,Y or X,Y,Z";
  const Texts parts = split(text, ',');
  if (parts.empty() || parts.size() > kMost) throw wrong(option, text, remedy);
  for (size_t i = 0; i < parts.size(); ++i) out[i] = count(parts[i], option, text, remedy);
}

Load load(const std::string& text);
Dump dump(const std::string& text);
std::vector<Buffer> buffers(const Texts& texts);
// Of --max-cycles: up to 18 digits; 0: no limit.
uint64_t cycles(const std::string& text);

}  // namespace gvp::tools
