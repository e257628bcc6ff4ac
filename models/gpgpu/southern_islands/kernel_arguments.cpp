// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/kernel_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/base/error.h"

namespace gvp::gpgpu::southern_islands {
namespace {

using Kind = KernelArgument::Kind;
using Number = KernelArgument::Number;

constexpr unsigned kGlobalSpace = 1;
constexpr unsigned kConstantSpace = 2;
constexpr unsigned kLocalSpace = 3;
constexpr std::size_t kMostArguments = 1024;  // of a kernel; 4 KiB of segment at most need fewer

struct Scalar {
  const char* name;
  Number number;
  uint32_t bytes;
};
constexpr std::array<Scalar, 11> kScalars = {{{"char", Number::kSigned, 1},
                                              {"uchar", Number::kUnsigned, 1},
                                              {"short", Number::kSigned, 2},
                                              {"ushort", Number::kUnsigned, 2},
                                              {"int", Number::kSigned, 4},
                                              {"uint", Number::kUnsigned, 4},
                                              {"long", Number::kSigned, 8},
                                              {"ulong", Number::kUnsigned, 8},
                                              {"half", Number::kFloat, 2},
                                              {"float", Number::kFloat, 4},
                                              {"double", Number::kFloat, 8}}};

// "float __attribute__((ext_vector_type(4)))" -> "float4".
std::string short_type(std::string_view type) {
  constexpr std::string_view kBefore = " __attribute__((ext_vector_type(";
  constexpr std::string_view kBehind = ")))";
  const std::size_t at = type.find(kBefore);
  if (at == std::string_view::npos) return std::string(type);
  const std::size_t end = type.find(kBehind, at);
  if (end == std::string_view::npos) return std::string(type);
  std::string text(type.substr(0, at));
  text += type.substr(at + kBefore.size(), end - at - kBefore.size());
  text += type.substr(end + kBehind.size());
  return text;
}

void read_value_type(KernelArgument& argument) {
  const std::size_t digits = argument.type.find_first_of("0123456789");
  const std::string name = argument.type.substr(0, digits);
  const auto* scalar = std::find_if(kScalars.begin(), kScalars.end(),
                                    [&](const Scalar& each) { return name == each.name; });
  if (scalar == kScalars.end()) return;
  uint32_t elements = 1;
  if (digits != std::string::npos) {
    const std::string count = argument.type.substr(digits);
    const auto known = {"2", "3", "4", "8", "16"};
    if (std::find(known.begin(), known.end(), count) == known.end()) return;
    elements = static_cast<uint32_t>(std::stoul(count));
  }
  argument.kind = Kind::kValue;
  argument.number = scalar->number;
  argument.element_bytes = scalar->bytes;
  argument.elements = elements;
}

// Cuts the text up to the separator off; all of it where there is none.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = text.find(separator);
  const std::string_view first = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
  return first;
}

uint32_t up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

uint32_t KernelArgument::bytes() const {
  switch (kind) {
    case Kind::kGlobal:
      return 8;
    case Kind::kLocal:
      return 4;
    case Kind::kValue:
      return element_bytes * (elements == 3 ? 4 : elements);  // OpenCL C 6.1.5: as one of four
    case Kind::kUnknown:
      break;
  }
  return 0;
}

bool KernelArguments::complete() const {
  return std::none_of(arguments.begin(), arguments.end(),
                      [](const KernelArgument& each) { return each.kind == Kind::kUnknown; });
}

uint32_t KernelArguments::hidden_offset() const {
  if (arguments.empty()) return kFirstArgument;
  return up(arguments.back().offset + arguments.back().bytes(), 4);
}

KernelArgument argument_of(unsigned address_space, std::string_view type, std::string_view name) {
  KernelArgument argument;
  argument.type = short_type(type);
  argument.name = std::string(name);
  if (address_space == kGlobalSpace || address_space == kConstantSpace) {
    argument.kind = Kind::kGlobal;
  } else if (address_space == kLocalSpace) {
    argument.kind = Kind::kLocal;
  } else if (address_space == 0) {
    read_value_type(argument);
  }
  return argument;
}

void lay_out(KernelArguments& kernel) {
  uint32_t next = 0;
  bool known = true;
  for (KernelArgument& argument : kernel.arguments) {
    known = known && argument.kind != Kind::kUnknown;
    argument.offset = 0;
    if (!known) continue;
    next = up(next, argument.bytes());
    argument.offset = kFirstArgument + next;
    next += argument.bytes();
  }
}

std::string to_text(const std::vector<KernelArguments>& kernels) {
  std::string text;
  for (const KernelArguments& kernel : kernels) {
    text += fmt::format("kernel {}\n", kernel.kernel);
    for (const KernelArgument& argument : kernel.arguments) {
      const unsigned space = argument.kind == Kind::kGlobal  ? kGlobalSpace
                             : argument.kind == Kind::kLocal ? kLocalSpace
                                                             : 0;
      text += fmt::format("{} {} {}\n", space, argument.name, argument.type);
    }
  }
  return text;
}

std::vector<KernelArguments> parse_arguments(std::string_view text, const std::string& file) {
  const auto wrong = [&](std::string_view line) {
    return bad_input(fmt::format("section {}: cannot read \"{}\"", kArgumentSection, line),
                     {file, 0, 0}, "compile it again with oclc");
  };
  std::vector<KernelArguments> kernels;
  while (!text.empty()) {
    const std::string_view line = cut(text, '\n');
    std::string_view rest = line;
    const std::string_view first = cut(rest, ' ');
    if (first == "kernel" && !rest.empty()) {
      kernels.push_back({std::string(rest), {}});
      continue;
    }
    const std::string_view name = cut(rest, ' ');
    if (kernels.empty() || first.size() != 1 || first[0] < '0' || first[0] > '3' || rest.empty() ||
        kernels.back().arguments.size() >= kMostArguments)
      throw wrong(line);
    kernels.back().arguments.push_back(
        argument_of(static_cast<unsigned>(first[0] - '0'), rest, name));
  }
  for (KernelArguments& kernel : kernels) lay_out(kernel);
  return kernels;
}

}  // namespace gvp::gpgpu::southern_islands
