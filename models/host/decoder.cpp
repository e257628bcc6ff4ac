// SPDX-License-Identifier: Apache-2.0
#include "models/host/decoder.h"

#include <vector>

namespace gvp::host {
namespace {

using Candidates = std::array<std::vector<const InstructionInfo*>, 64>;

// Rows by major opcode: at most 15 rows share one.
Candidates by_major_opcode() {
  Candidates candidates;
  for (const InstructionInfo& row : kInstructionTable) candidates[row.match >> 26].push_back(&row);
  return candidates;
}

bool is_store(Operation operation) {
  switch (operation) {
    case Operation::kSb:
    case Operation::kSbr:
    case Operation::kSh:
    case Operation::kShr:
    case Operation::kSw:
    case Operation::kSwr:
    case Operation::kSwx:
    case Operation::kSbi:
    case Operation::kShi:
    case Operation::kSwi:
      return true;
    default:
      return false;
  }
}

}  // namespace

Instruction decode(uint32_t word) {
  static const Candidates kCandidates = by_major_opcode();
  Instruction result;
  result.word = word;
  result.rd = static_cast<uint8_t>((word >> 21) & 31);
  result.ra = static_cast<uint8_t>((word >> 16) & 31);
  result.rb = static_cast<uint8_t>((word >> 11) & 31);
  result.imm = static_cast<uint16_t>(word);
  for (const InstructionInfo* row : kCandidates[word >> 26]) {
    if ((word & row->mask) != row->match) continue;
    result.info = row;
    break;
  }
  return result;
}

bool is_legal(const Instruction& instruction, const Configuration& configuration) {
  if (instruction.info == nullptr) return false;
  if (instruction.word == 0 && configuration.opcode_0x0_illegal) return false;
  if (!has_unit(configuration, instruction.info->unit)) return false;
  // get and put: the test, atomic and exception variants are an option of their own.
  constexpr uint32_t kTestAtomicException = 0x1c00;
  if (instruction.is(Operation::kGet) || instruction.is(Operation::kPut))
    return configuration.use_extended_fsl_instr || (instruction.word & kTestAtomicException) == 0;
  return true;
}

bool takes_imm_prefix(Format format) {
  return format == Format::kRdRaImm || format == Format::kRaImm || format == Format::kImm ||
         format == Format::kRdImm;
}

int written_register(const Instruction& instruction) {
  if (instruction.info == nullptr || is_store(instruction.operation())) return -1;
  switch (instruction.info->format) {
    case Format::kRdRaRb:
    case Format::kRdRaImm:
    case Format::kRdRa:
    case Format::kRdRb:
    case Format::kRdImm:
    case Format::kRdRaShift:
    case Format::kRdRaField:
    case Format::kRdSpecial:
    case Format::kRdImm15:
    case Format::kRdStream:
      return instruction.rd == 0 ? -1 : instruction.rd;
    default:
      return -1;
  }
}

bool reads_register(const Instruction& instruction, int r) {
  if (instruction.info == nullptr || r == 0) return false;
  const bool d = instruction.rd == r;
  const bool a = instruction.ra == r;
  const bool b = instruction.rb == r;
  switch (instruction.info->format) {
    case Format::kRdRaRb:
      return a || b || (d && is_store(instruction.operation()));
    case Format::kRdRaImm:
      return a || (d && is_store(instruction.operation()));
    case Format::kRdRaField:
      return a || (d && instruction.is(Operation::kBsifi));
    case Format::kRdRa:
    case Format::kRaImm:
    case Format::kRdRaShift:
    case Format::kSpecialRa:
    case Format::kRaStream:
      return a;
    case Format::kRaRb:
    case Format::kRaRbStream:
      return a || b;
    case Format::kRb:
    case Format::kRdRb:
      return b;
    default:
      return false;
  }
}

}  // namespace gvp::host
