// SPDX-License-Identifier: Apache-2.0
#include "tests/models/host/assembler.h"

#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "models/host/disassembler.h"
#include "models/host/isa.h"

namespace gvp::host::test {
namespace {

struct Line {
  std::string mnemonic;
  std::vector<std::string> operands;
};

Line split(std::string_view text) {
  std::string spaced;
  for (const char c : text) spaced += c == ',' ? ' ' : c;
  std::istringstream stream(spaced);
  Line line;
  stream >> line.mnemonic;
  for (std::string operand; stream >> operand;) line.operands.push_back(operand);
  return line;
}

uint32_t number(const std::string& text) {
  char* end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 0);
  if (text.empty() || *end != '\0') throw std::invalid_argument("not a number: " + text);
  return static_cast<uint32_t>(value);
}

uint32_t reg(const std::string& text) {
  if (text.size() < 2 || text[0] != 'r') throw std::invalid_argument("not a register: " + text);
  const uint32_t value = number(text.substr(1));
  if (value > 31) throw std::invalid_argument("not a register: " + text);
  return value;
}

uint32_t special(const std::string& text) {
  for (uint32_t n = 0; n < 0x2010; ++n)
    if (special_register_name(n) == text) return n;
  return number(text);
}

uint32_t stream_link(const std::string& text) { return number(text.substr(4)) & 15; }

uint32_t encode(const InstructionInfo& row, const std::vector<std::string>& o) {
  const auto rd = [](uint32_t n) { return n << 21; };
  const auto ra = [](uint32_t n) { return n << 16; };
  const auto rb = [](uint32_t n) { return n << 11; };
  const auto imm = [](const std::string& text) { return number(text) & 0xffff; };
  switch (row.format) {
    case Format::kNone:
      return row.match;
    case Format::kRdRaRb:
      return row.match | rd(reg(o.at(0))) | ra(reg(o.at(1))) | rb(reg(o.at(2)));
    case Format::kRdRaImm:
      return row.match | rd(reg(o.at(0))) | ra(reg(o.at(1))) | imm(o.at(2));
    case Format::kRdRa:
      return row.match | rd(reg(o.at(0))) | ra(reg(o.at(1)));
    case Format::kRaRb:
    case Format::kRaRbStream:
      return row.match | ra(reg(o.at(0))) | rb(reg(o.at(1)));
    case Format::kRaImm:
      return row.match | ra(reg(o.at(0))) | imm(o.at(1));
    case Format::kRb:
      return row.match | rb(reg(o.at(0)));
    case Format::kImm:
      return row.match | imm(o.at(0));
    case Format::kRdRb:
      return row.match | rd(reg(o.at(0))) | rb(reg(o.at(1)));
    case Format::kRdImm:
      return row.match | rd(reg(o.at(0))) | imm(o.at(1));
    case Format::kRdRaShift:
      return row.match | rd(reg(o.at(0))) | ra(reg(o.at(1))) | (number(o.at(2)) & 31);
    case Format::kRdRaField: {
      const uint32_t width = number(o.at(2));
      const uint32_t shift = number(o.at(3));
      const uint32_t w = row.operation == Operation::kBsifi ? shift + width - 1 : width;
      return row.match | rd(reg(o.at(0))) | ra(reg(o.at(1))) | (w & 31) << 6 | (shift & 31);
    }
    case Format::kRdSpecial:
      return row.match | rd(reg(o.at(0))) | special(o.at(1));
    case Format::kSpecialRa:
      return row.match | special(o.at(0)) | ra(reg(o.at(1)));
    case Format::kRdImm15:
      return row.match | rd(reg(o.at(0))) | (number(o.at(1)) & 0x7fff);
    case Format::kRdStream:
      return row.match | rd(reg(o.at(0))) | stream_link(o.at(1));
    case Format::kRaStream:
      return row.match | ra(reg(o.at(0))) | stream_link(o.at(1));
    case Format::kMbar:
      return row.match | rd(number(o.at(0)) & 31);
  }
  return 0;
}

// The letters before get and put, as bits of get and put.
bool stream_variant(const std::string& mnemonic, const InstructionInfo& row, uint32_t& bits) {
  if (row.unit != Unit::kStream && row.unit != Unit::kStreamExtended) return false;
  const size_t at = mnemonic.size() - std::min(mnemonic.size(), row.mnemonic.size());
  if (mnemonic.substr(at) != row.mnemonic) return false;
  bits = 0;
  for (const char c : mnemonic.substr(0, at)) {
    const size_t position = std::string("eatcn").find(c);
    if (position == std::string::npos) return false;
    bits |= 1u << position;
  }
  bits <<= row.unit == Unit::kStreamExtended ? 5 : 10;
  return true;
}

}  // namespace

uint32_t assemble(std::string_view text) {
  const Line line = split(text);
  if (line.mnemonic == ".word") return number(line.operands.at(0));
  if (line.mnemonic == "nop") return assemble("or r0, r0, r0");
  if (line.mnemonic == "sleep") return assemble("mbar 16");
  uint32_t bits = 0;
  for (const InstructionInfo& row : kInstructionTable) {
    if (row.mnemonic == line.mnemonic) return encode(row, line.operands);
    if (stream_variant(line.mnemonic, row, bits)) return encode(row, line.operands) | bits;
  }
  throw std::invalid_argument("unknown instruction: " + std::string(text));
}

std::vector<uint32_t> assemble_program(std::string_view text) {
  std::vector<uint32_t> words;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    words.push_back(assemble(line));
  }
  return words;
}

}  // namespace gvp::host::test
