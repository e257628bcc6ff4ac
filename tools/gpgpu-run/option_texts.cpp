// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/option_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>

namespace gvp::tools {

Error wrong(const std::string& option, const std::string& text, const std::string& remedy) {
  return bad_input(fmt::format("--{} {}: cannot read this", option, text), {"command line"},
                   remedy);
}

uint32_t number(const std::string& text, const std::string& option, const std::string& whole,
                const std::string& remedy) {
  const bool negative = !text.empty() && text[0] == '-';
  const std::string digits = text.substr(negative ? 1 : 0);
  size_t used = 0;
  uint64_t value = 0;
  try {
    const bool hexadecimal = digits.rfind("0x", 0) == 0 || digits.rfind("0X", 0) == 0;
    value = std::stoull(digits, &used, hexadecimal ? 16 : 10);
  } catch (const std::exception&) {
    throw wrong(option, whole, remedy);
  }
  const uint64_t most = negative ? uint64_t{1} << 31 : std::numeric_limits<uint32_t>::max();
  if (used != digits.size() || digits[0] == '-' || digits[0] == '+' || value > most)
    throw wrong(option, whole, remedy);
  return negative ? 0u - static_cast<uint32_t>(value) : static_cast<uint32_t>(value);
}

uint32_t count(const std::string& text, const std::string& option, const std::string& whole,
               const std::string& remedy) {
  if (text.rfind('-', 0) == 0) throw wrong(option, whole, remedy);
  return number(text, option, whole, remedy);
}

Texts split(const std::string& text, char separator) {
  Texts parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  if (!text.empty() && text.back() == separator) parts.emplace_back();
  return parts;
}

std::pair<std::string, std::string> halves(const std::string& text, char separator,
                                           const std::string& option, const std::string& whole,
                                           const std::string& remedy) {
  const size_t at = text.find(separator);
  if (at == std::string::npos || at + 1 == text.size()) throw wrong(option, whole, remedy);
  return {text.substr(0, at), text.substr(at + 1)};
}

Load load(const std::string& text) {
  const std::string remedy = "write ADDRESS=FILE.bin or ADDRESS=FILE.hex";
  const auto [address, file] = halves(text, '=', "load", text, remedy);
  return {count(address, "load", text, remedy), file};
}

Dump dump(const std::string& text) {
  const std::string remedy = "write ADDRESS:BYTES=FILE.bin, =FILE.hex or =-";
  const auto [range, file] = halves(text, '=', "dump", text, remedy);
  const auto [address, bytes] = halves(range, ':', "dump", text, remedy);
  return {count(address, "dump", text, remedy), count(bytes, "dump", text, remedy), file};
}

namespace {

Buffer buffer(const std::string& text) {
  const std::string remedy = "write NAME=ADDRESS:BYTES, such as a=0x1000:256";
  const auto [name, range] = halves(text, '=', "buffer", text, remedy);
  const auto [address, bytes] = halves(range, ':', "buffer", text, remedy);
  Buffer result{name, count(address, "buffer", text, remedy), count(bytes, "buffer", text, remedy)};
  if (name.empty() || result.bytes == 0) throw wrong("buffer", text, remedy);
  if (uint64_t{result.address} + result.bytes > uint64_t{1} << 32)
    throw wrong("buffer", text, "addresses have 32 bits: it must end at 0x100000000 at most");
  return result;
}

}  // namespace

std::vector<Buffer> buffers(const Texts& texts) {
  std::vector<Buffer> result;
  for (const std::string& text : texts) {
    Buffer next = buffer(text);
    const bool twice = std::any_of(result.begin(), result.end(),
                                   [&](const Buffer& known) { return known.name == next.name; });
    if (twice) throw wrong("buffer", text, "there is a buffer of this name: give it another");
    result.push_back(std::move(next));
  }
  return result;
}

uint64_t cycles(const std::string& text) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
    throw wrong("max-cycles", text, "write a whole number of up to 18 digits");
  return std::stoull(text);
}

}  // namespace gvp::tools
