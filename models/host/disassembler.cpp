// SPDX-License-Identifier: Apache-2.0
#include "models/host/disassembler.h"

#include <fmt/format.h>

#include "models/host/decoder.h"

namespace gvp::host {
namespace {

struct SpecialName {
  uint32_t number;
  const char* name;
};

// UG984 table "Special Purpose Registers".
constexpr SpecialName kSpecialNames[] = {
    {0x0000, "rpc"},  {0x0001, "rmsr"},  {0x0003, "rear"},   {0x0005, "resr"},   {0x0007, "rfsr"},
    {0x000b, "rbtr"}, {0x000d, "redr"},  {0x0800, "rslr"},   {0x0802, "rshr"},   {0x1000, "rpid"},
    {0x1001, "rzpr"}, {0x1002, "rtlbx"}, {0x1003, "rtlblo"}, {0x1004, "rtlbhi"}, {0x1005, "rtlbsx"},
};

// get and put carry options as bits and as letters before the mnemonic, in the order t n e c a.
std::string stream_mnemonic(const Instruction& instruction) {
  const bool dynamic = instruction.is(Operation::kGetd) || instruction.is(Operation::kPutd);
  const bool is_get = instruction.is(Operation::kGet) || instruction.is(Operation::kGetd);
  const uint32_t bits = dynamic ? instruction.word >> 5 : instruction.word >> 10;
  std::string text;
  if ((bits & 4) != 0) text += 't';
  if ((bits & 16) != 0) text += 'n';
  if (is_get && (bits & 1) != 0) text += 'e';
  if ((bits & 8) != 0) text += 'c';
  if ((bits & 2) != 0) text += 'a';
  return text + std::string(instruction.info->mnemonic);
}

bool is_relative_branch(const Instruction& instruction) {
  if (!instruction.has(kBranch)) return false;
  switch (instruction.operation()) {
    case Operation::kBrai:
    case Operation::kBraid:
    case Operation::kBralid:
    case Operation::kBrki:
    case Operation::kRtsd:
    case Operation::kRtid:
    case Operation::kRtbd:
    case Operation::kRted:
      return false;
    default:
      return true;
  }
}

std::string immediate_text(const Instruction& i, uint32_t pc, std::optional<uint16_t> prefix) {
  const int32_t value = prefix ? static_cast<int32_t>((uint32_t{*prefix} << 16) | i.imm)
                               : static_cast<int16_t>(i.imm);
  if (i.is(Operation::kImm)) return fmt::format("{}", static_cast<int16_t>(i.imm));
  if (!is_relative_branch(i)) return fmt::format("{}", value);
  return fmt::format("{}\t// {:x}", value, pc + static_cast<uint32_t>(value));
}

std::string field_text(const Instruction& i) {
  const uint32_t shift = i.word & 31;
  const uint32_t w = (i.word >> 6) & 31;
  // bsifi holds the last bit, text has the width.
  const uint32_t width = i.is(Operation::kBsifi) ? w - shift + 1 : w;
  return fmt::format("r{}, r{}, {}, {}", i.rd, i.ra, width, shift);
}

std::string operands(const Instruction& i, uint32_t pc, std::optional<uint16_t> prefix) {
  std::string imm = immediate_text(i, pc, prefix);
  switch (i.info->format) {
    case Format::kNone:
      return "";
    case Format::kRdRaRb:
      return fmt::format("r{}, r{}, r{}", i.rd, i.ra, i.rb);
    case Format::kRdRaImm:
      return fmt::format("r{}, r{}, {}", i.rd, i.ra, imm);
    case Format::kRdRa:
      return fmt::format("r{}, r{}", i.rd, i.ra);
    case Format::kRaRb:
    case Format::kRaRbStream:
      return fmt::format("r{}, r{}", i.ra, i.rb);
    case Format::kRaImm:
      return fmt::format("r{}, {}", i.ra, imm);
    case Format::kRb:
      return fmt::format("r{}", i.rb);
    case Format::kImm:
      return imm;
    case Format::kRdRb:
      return fmt::format("r{}, r{}", i.rd, i.rb);
    case Format::kRdImm:
      return fmt::format("r{}, {}", i.rd, imm);
    case Format::kRdRaShift:
      return fmt::format("r{}, r{}, {}", i.rd, i.ra, i.word & 31);
    case Format::kRdRaField:
      return field_text(i);
    case Format::kRdSpecial:
      return fmt::format("r{}, {}", i.rd, special_register_name(i.word & 0x3fff));
    case Format::kSpecialRa:
      return fmt::format("{}, r{}", special_register_name(i.word & 0x3fff), i.ra);
    case Format::kRdImm15:
      return fmt::format("r{}, {}", i.rd, i.word & 0x7fff);
    case Format::kRdStream:
      return fmt::format("r{}, rfsl{}", i.rd, i.word & 15);
    case Format::kRaStream:
      return fmt::format("r{}, rfsl{}", i.ra, i.word & 15);
    case Format::kMbar:
      return fmt::format("{}", i.rd);
  }
  return "";
}

}  // namespace

std::string special_register_name(uint32_t number) {
  for (const SpecialName& entry : kSpecialNames)
    if (entry.number == number) return entry.name;
  if (number >= 0x2000 && number <= 0x200c) return fmt::format("rpvr{}", number - 0x2000);
  return fmt::format("{:#x}", number);
}

std::string disassemble(uint32_t word, uint32_t pc, std::optional<uint16_t> imm_prefix) {
  const Instruction instruction = decode(word);
  if (instruction.info == nullptr) return fmt::format(".word\t{:#010x}", word);
  std::string mnemonic(instruction.info->mnemonic);
  if (instruction.info->unit == Unit::kStream || instruction.info->unit == Unit::kStreamExtended)
    mnemonic = stream_mnemonic(instruction);
  // mbar has modes with names of their own (UG984 "mbar").
  if (instruction.is(Operation::kMbar)) {
    if (instruction.rd == 16) return "sleep";
    if (instruction.rd == 8) return "hibernate";
    if (instruction.rd == 24) return "suspend";
  }
  const std::string text = operands(instruction, pc, imm_prefix);
  return text.empty() ? mnemonic : mnemonic + "\t" + text;
}

}  // namespace gvp::host
