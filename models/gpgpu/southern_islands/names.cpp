// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/names.h"

#include <fmt/format.h>

#include <cstring>
#include <iterator>

namespace gvp::gpgpu::southern_islands {
namespace {

constexpr RegisterName kSpecial[] = {
    {"vcc", code::kVccLo, 2},      {"vcc_lo", code::kVccLo, 1},  {"vcc_hi", code::kVccHi, 1},
    {"tba", code::kTbaLo, 2},      {"tba_lo", code::kTbaLo, 1},  {"tba_hi", code::kTbaLo + 1, 1},
    {"tma", code::kTmaLo, 2},      {"tma_lo", code::kTmaLo, 1},  {"tma_hi", code::kTmaLo + 1, 1},
    {"m0", code::kM0, 1},          {"exec", code::kExecLo, 2},   {"exec_lo", code::kExecLo, 1},
    {"exec_hi", code::kExecHi, 1}, {"src_vccz", code::kVccz, 1}, {"src_execz", code::kExecz, 1},
    {"src_scc", code::kScc, 1},    {"vccz", code::kVccz, 1},     {"execz", code::kExecz, 1},
    {"scc", code::kScc, 1}};

constexpr float kFloats[] = {0.5f, -0.5f, 1.0f, -1.0f, 2.0f, -2.0f, 4.0f, -4.0f};
constexpr const char* kFloatTexts[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};

std::string range(const char* letter, unsigned first, unsigned words) {
  return words == 1 ? fmt::format("{}{}", letter, first)
                    : fmt::format("{}[{}:{}]", letter, first, first + words - 1);
}

int32_t integer_of(Code number) {
  return number < code::kMinusOne ? number - code::kZero : code::kMinusOne - 1 - number;
}

template <typename To, typename From>
To bits(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace

RegisterNames special_registers() { return {std::begin(kSpecial), std::end(kSpecial)}; }

uint32_t constant_word(Code number) {
  if (number >= code::kHalf) return bits<uint32_t>(kFloats[number - code::kHalf]);
  return static_cast<uint32_t>(integer_of(number));
}
uint64_t constant_double_word(Code number) {
  if (number >= code::kHalf)
    return bits<uint64_t>(static_cast<double>(kFloats[number - code::kHalf]));
  return static_cast<uint64_t>(int64_t{integer_of(number)});
}

Code constant_for(uint32_t word) {
  for (Code number = code::kZero; number <= code::kMinusFour; ++number)
    if (is_constant(number) && constant_word(number) == word) return number;
  return code::kLiteral;
}
Code constant_for_double_word(uint64_t value) {
  for (Code number = code::kZero; number <= code::kMinusFour; ++number)
    if (is_constant(number) && constant_double_word(number) == value) return number;
  return code::kLiteral;
}

std::string text_of_operand(Code number, unsigned words, uint32_t literal) {
  if (is_vector(number)) return range("v", number - code::kVector0, words);
  if (number < code::kScalarRegisters) return range("s", number, words);
  if (number >= code::kTtmp0 && number < code::kTtmp0 + code::kTtmpCount)
    return range("ttmp", number - code::kTtmp0, words);
  for (const RegisterName& name : special_registers())
    if (name.number == number && name.words == words) return std::string(name.name);
  if (number == code::kLiteral) {
    const Code constant = words == 1 ? constant_for(literal) : constant_for_double_word(literal);
    return constant == code::kLiteral ? fmt::format("{:#x}", literal)
                                      : fmt::format("lit({:#x})", literal);
  }
  if (!is_constant(number)) return fmt::format("<reserved {}>", number);
  return number >= code::kHalf ? kFloatTexts[number - code::kHalf]
                               : fmt::format("{}", integer_of(number));
}

// MTBUF's dfmt and nfmt, as LLVM's assembler names them.
std::string_view data_format_name(unsigned format) {
  constexpr std::string_view kNames[kDataFormats] = {
      "BUF_DATA_FORMAT_INVALID",     "BUF_DATA_FORMAT_8",        "BUF_DATA_FORMAT_16",
      "BUF_DATA_FORMAT_8_8",         "BUF_DATA_FORMAT_32",       "BUF_DATA_FORMAT_16_16",
      "BUF_DATA_FORMAT_10_11_11",    "BUF_DATA_FORMAT_11_11_10", "BUF_DATA_FORMAT_10_10_10_2",
      "BUF_DATA_FORMAT_2_10_10_10",  "BUF_DATA_FORMAT_8_8_8_8",  "BUF_DATA_FORMAT_32_32",
      "BUF_DATA_FORMAT_16_16_16_16", "BUF_DATA_FORMAT_32_32_32", "BUF_DATA_FORMAT_32_32_32_32",
      "BUF_DATA_FORMAT_RESERVED_15"};
  return kNames[format % kDataFormats];
}
std::string_view number_format_name(unsigned format) {
  constexpr std::string_view kNames[kNumberFormats] = {
      "BUF_NUM_FORMAT_UNORM",     "BUF_NUM_FORMAT_SNORM", "BUF_NUM_FORMAT_USCALED",
      "BUF_NUM_FORMAT_SSCALED",   "BUF_NUM_FORMAT_UINT",  "BUF_NUM_FORMAT_SINT",
      "BUF_NUM_FORMAT_SNORM_OGL", "BUF_NUM_FORMAT_FLOAT"};
  return kNames[format % kNumberFormats];
}

}  // namespace gvp::gpgpu::southern_islands
