// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/grid/argument_segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "models/base/error.h"
#include "models/gpgpu/miaow/configuration.h"
#include "models/gpgpu/miaow/grid/global_memory.h"
#include "models/gpgpu/southern_islands/half.h"

namespace gvp::gpgpu::miaow {
namespace {

using southern_islands::KernelArgument;
using southern_islands::KernelArguments;
using Kind = KernelArgument::Kind;
using Number = KernelArgument::Number;

constexpr uint32_t kShareAlignment =
    16;  // what a local argument's type could ask for, but double16

Error wrong(const std::string& text, const std::string& what, const std::string& remedy) {
  return bad_input(fmt::format("--param {}: {}", text, what), {"command line"}, remedy);
}

// A whole number; nothing where the text is none, or beyond its type.
std::optional<uint64_t> whole(const std::string& text, uint32_t bytes, bool negative) {
  if (text.empty() || std::isspace(static_cast<unsigned char>(text[0])) != 0) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const bool minus = text[0] == '-';
  if ((minus && !negative) || text[0] == '+') return std::nullopt;
  const int base = text.compare(minus ? 1 : 0, 2, "0x") == 0 ? 16 : 10;
  const uint64_t size = std::strtoull(text.c_str() + (minus ? 1 : 0), &end, base);
  const unsigned bits = 8 * bytes;
  const uint64_t most = bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  if (*end != '\0' || errno != 0 || end == text.c_str() + (minus ? 1 : 0) ||
      text.find('-', 1) != std::string::npos)
    return std::nullopt;
  if (size > (minus ? uint64_t{1} << (bits - 1) : most)) return std::nullopt;
  return (minus ? 0 - size : size) & most;
}

std::optional<double> real(const std::string& text) {
  if (text.empty() || std::isspace(static_cast<unsigned char>(text[0])) != 0) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end == 'f' && end != text.c_str()) ++end;
  return *end == '\0' && end != text.c_str() ? std::optional<double>(value) : std::nullopt;
}

uint64_t float_bits(double value, uint32_t bytes) {
  if (bytes == 8) {
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  const auto single = static_cast<float>(value);
  uint32_t bits;
  std::memcpy(&bits, &single, sizeof bits);
  return bytes == 4 ? bits
                    : southern_islands::half_from_float(
                          bits, southern_islands::HalfRounding::kNearestEven);
}

class Builder {
 public:
  explicit Builder(uint32_t share_bytes) : share_end_(up(share_bytes)), static_bytes_(share_end_) {
    segment_.bytes.resize(southern_islands::kFirstArgument);
  }

  void known(const std::string& text, const KernelArgument& argument) {
    align(argument.bytes());
    switch (argument.kind) {
      case Kind::kGlobal:
        return pointer(text, text);
      case Kind::kLocal:
        return local(text, text);
      case Kind::kValue:
        return value(text, argument);
      case Kind::kUnknown:
        break;
    }
  }

  void guessed(const std::string& text) {
    constexpr const char* kLocal = "local:";
    if (text.rfind('@', 0) == 0) {
      align(8);
      return pointer(text, text.substr(1));
    }
    align(4);
    if (text.rfind(kLocal, 0) == 0) return local(text, text.substr(std::strlen(kLocal)));
    if (const auto word = whole(text, 4, true)) return put(*word, 4);
    const auto number = text.empty() || text.back() != 'f' ? std::nullopt : real(text);
    if (!number)
      throw wrong(text, "cannot read this",
                  "the object does not tell the arguments' types: write @ADDRESS, local:BYTES, a "
                  "32-bit word (42, -1, 0x2a) or a float (1.5f)");
    put(float_bits(*number, 4), 4);
  }

  ArgumentSegment finish(const std::array<uint32_t, 3>& groups,
                         const std::array<uint32_t, 3>& local) {
    align(4);
    const bool two = groups[1] * local[1] != 1;
    const bool three = groups[2] * local[2] != 1;
    put(three ? 3 : two ? 2 : 1, 4);
    for (unsigned i = 0; i < 3; ++i) put(0, 4);  // offsets
    for (unsigned i = 0; i < 3; ++i) {
      const uint32_t words[3] = {groups[i], groups[i] * local[i], local[i]};
      for (unsigned n = 0; n < 3; ++n)
        std::memcpy(&segment_.bytes[4 * (3 * n + i)], &words[n], sizeof(uint32_t));
    }
    if (segment_.bytes.size() > kMostArgumentBytes)
      throw bad_input(fmt::format("{} bytes of arguments; there is room for {}",
                                  segment_.bytes.size(), kMostArgumentBytes),
                      {"command line"});
    segment_.share_bytes = share_end_ - static_bytes_;
    return std::move(segment_);
  }

 private:
  static uint32_t up(uint32_t value) {
    return (value + kShareAlignment - 1) & ~(kShareAlignment - 1);
  }

  // To a multiple of this, counted from the first argument.
  void align(uint32_t bytes) {
    while ((segment_.bytes.size() - southern_islands::kFirstArgument) % bytes != 0)
      segment_.bytes.push_back(0);
  }
  void put(uint64_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i)
      segment_.bytes.push_back(static_cast<uint8_t>(value >> 8 * i));
  }
  void pointer(const std::string& text, const std::string& address) {
    const auto value = whole(address, 4, false);
    if (!value) throw wrong(text, "no address", "write a byte address of 32 bits, such as 0x1000");
    put(*value, 8);
  }
  void local(const std::string& text, const std::string& bytes) {
    const auto value = whole(bytes, 4, false);
    if (!value || *value == 0 || *value > kShareBytes)
      throw wrong(text, "no size of local memory",
                  fmt::format("write its bytes: 1 to {}", kShareBytes));
    put(share_end_, 4);
    share_end_ += up(static_cast<uint32_t>(*value));
    if (share_end_ > kShareBytes)
      throw wrong(
          text,
          fmt::format("the local data share has {} bytes, {} are needed", kShareBytes, share_end_),
          "");
  }
  void value(const std::string& text, const KernelArgument& argument) {
    std::vector<std::string> parts(1);
    for (const char each : text)
      if (each == ',')
        parts.emplace_back();
      else
        parts.back() += each;
    if (parts.size() != argument.elements)
      throw wrong(text,
                  fmt::format("{} {} has {} numbers, not {}", argument.type, argument.name,
                              argument.elements, parts.size()),
                  "separate them by commas");
    for (const std::string& part : parts) {
      if (argument.number == Number::kFloat) {
        const auto number = real(part);
        if (!number)
          throw wrong(text, fmt::format("no number for {} {}", argument.type, argument.name),
                      "write a number such as 1.5");
        put(float_bits(*number, argument.element_bytes), argument.element_bytes);
      } else {
        const auto number = whole(part, argument.element_bytes, true);
        if (!number)
          throw wrong(
              text,
              fmt::format("no whole number that {} {} can hold", argument.type, argument.name),
              "write a number such as 42, -1 or 0x2a");
        put(*number, argument.element_bytes);
      }
    }
    align(argument.bytes());
  }

  ArgumentSegment segment_;
  uint32_t share_end_;
  uint32_t static_bytes_;
};

}  // namespace

ArgumentSegment argument_segment(const std::string& kernel,
                                 const std::optional<KernelArguments>& arguments,
                                 const std::vector<std::string>& texts,
                                 const std::array<uint32_t, 3>& groups,
                                 const std::array<uint32_t, 3>& local, uint32_t share_bytes) {
  Builder builder(share_bytes);
  if (!arguments) {
    for (const std::string& text : texts) builder.guessed(text);
    return builder.finish(groups, local);
  }
  std::string list;
  for (const KernelArgument& each : arguments->arguments) {
    if (each.kind == Kind::kUnknown)
      throw bad_input(fmt::format("kernel {}: argument {} is a {}, which cannot be passed", kernel,
                                  each.name, each.type),
                      {}, "pass a pointer to it, or its members one by one");
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", each.type, each.name);
  }
  if (texts.size() != arguments->arguments.size())
    throw bad_input(fmt::format("kernel {} takes {} arguments, and there are {}: {}", kernel,
                                arguments->arguments.size(), texts.size(), list),
                    {"--param"}, "one --param for each, in this order");
  for (std::size_t i = 0; i < texts.size(); ++i) builder.known(texts[i], arguments->arguments[i]);
  return builder.finish(groups, local);
}

}  // namespace gvp::gpgpu::miaow
