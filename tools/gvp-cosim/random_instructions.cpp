// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-cosim/random_instructions.h"

#include <fmt/format.h>

#include <iterator>
#include <random>

#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/g80/operations.h"

namespace gvp::cosim {
namespace {

namespace g80 = gpgpu::g80;

constexpr unsigned kThreads = 32, kBytesOfThread = 256;
constexpr unsigned kRegisters = 64, kInstructions = 24;
constexpr unsigned kLoadFrom = kWordsAt, kStoreTo = 0x8000;  // 256 bytes a thread

bool is_memory(const g80::Instruction& i) {
  if (i.destination.is_memory()) return true;
  for (const g80::Operand& operand : i.sources)
    if (operand.is_memory()) return true;
  return false;
}

// Words that the table can mean, or almost: an instruction that is illegal ends the kernel.
g80::Words random_words(std::mt19937& random, Kind kind) {
  const g80::RowRange rows = g80::rows();
  for (;;) {
    const g80::Row& row = rows.begin()[random() % rows.count];
    const g80::OperationInfo& info = g80::info(row.operation);
    const bool conversion = info.unit == g80::Unit::kConversion;
    if (info.unit == g80::Unit::kControl) continue;
    if (kind == Kind::kFloats && !conversion && !info.is_float()) continue;
    const g80::Words fixed = g80::form_bits(row.form), mask = g80::form_mask(row.form);
    g80::Words words;
    words[0] = (static_cast<uint32_t>(random()) & ~(row.mask0 | mask[0])) | row.bits0 | fixed[0];
    words[1] = (static_cast<uint32_t>(random()) & ~(row.mask1 | mask[1])) | row.bits1 | fixed[1];
    if (g80::byte_length(row.form) == 4) words[1] = 0;
    // Mostly unpredicated, and few in memory: what goes wrong hides what comes behind it.
    if (row.form == g80::Form::kLong && random() % 4 != 0) words[1] = (words[1] & ~0xf80u) | 0x780u;
    const g80::Decoded decoded = g80::decode(words);
    if (!decoded.executable() && random() % 32 != 0) continue;
    if (decoded.executable() && is_memory(decoded.instruction) && random() % 8 != 0) continue;
    return words;
  }
}

// What floats are made of: the edges of each kind of number, numbers near each other, and integers.
uint32_t random_operand(std::mt19937& random) {
  constexpr uint32_t kEdges[] = {
      0,          0x80000000, 0x7f800000, 0xff800000, 0x7fffffff, 0x7f800001, 0x00000001,
      0x007fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3effffff,
      0x7f7fffff, 0xff7fffff, 0x4b000000, 0x4b800000, 0x4f000000, 0xcf000000, 0x4f800000,
      0x33800000, 0x477fe000, 0x477ff000, 0x38800000, 0x387fc000, 0x33000000, 0x33000001,
      0xc3000000, 0x00007bff, 0x00007c00, 0x0000fc00, 0x000003ff, 0x00000400, 0x00007c01};
  const auto bits = static_cast<uint32_t>(random());
  switch (random() % 4) {
    case 0:
      return kEdges[random() % std::size(kEdges)];
    case 1:
      return bits;
    case 2:
      return (bits & 0x807fffffu) | (110 + static_cast<uint32_t>(random()) % 40) << 23;
    default:
      return bits >> random() % 32;
  }
}

}  // namespace

Subject random_instructions(uint32_t seed, Kind kind) {
  std::mt19937 random(seed);
  std::string before = fmt::format(
      ".kernel random\n.regs {}\nLOP32I.AND R63, R0, 0x1f;\nSHL R63, R63, 0x8;\n"
      "IADD32I R62, R63, {:#x};\nIADD32I R63, R62, {:#x};\n",
      kRegisters, kLoadFrom, 4 * 60);
  // From the top, so that the address is there until the last.
  for (unsigned r = 60; r != 0; r -= 4)
    before +=
        fmt::format("IADD32I R63, R62, {:#x};\nGLD.S128 R{}, global14[R63];\n", 4 * r - 16, r - 4);
  before +=
      "R2A A1, R1, 0x0;\nR2A A2, R2, 0x2;\nR2A A3, R3, 0x1;\nR2A A4, R4, 0x0;\n"
      "ISET.S32.C0 o[0x7f], R5, R6, LT;\nIADD.C1 R7, R7, R8;\nISET.C2 o[0x7f], R9, R10, EQ;\n"
      "IADD.C3 R11, R11, -R12;\n";
  std::string after = fmt::format(
      ".kernel random\n.regs {}\nS2R R63, SR_PHYSID;\nLOP32I.AND R63, R63, 0x1f;\nSHL R63, R63, "
      "0x8;\n"
      "IADD32I R63, R63, {:#x};\n",
      kRegisters, kStoreTo);
  for (unsigned r = 0; r < 60; r += 4)
    after += fmt::format("GST.S128 global14[R63], R{};\nIADD32I R63, R63, 0x10;\n", r);
  for (unsigned a = 1; a <= 4; ++a)
    after += fmt::format("A2R R{}, A{};\nC2R R{}, C{};\n", 2 * a, a, 2 * a + 1, a - 1);
  for (unsigned r = 2; r < 10; r += 2)
    after += fmt::format("GST.S64 global14[R63], R{};\nIADD32I R63, R63, 0x8;\n", r);
  after += "RET;\n";

  Subject subject;
  if (kind == Kind::kFloats)
    for (unsigned i = 0; i < kThreads * kBytesOfThread / sizeof(uint32_t); ++i)
      subject.words.push_back(random_operand(random));
  subject.code = g80::assemble(before, "before").kernels.at(0).code;
  for (unsigned i = 0; i < kInstructions; ++i) {
    const g80::Words words = random_words(random, kind);
    subject.code.push_back(words[0]);
    if (!g80::is_short(words[0])) subject.code.push_back(words[1]);
  }
  const std::vector<uint32_t> rest = g80::assemble(after, "after").kernels.at(0).code;
  subject.code.insert(subject.code.end(), rest.begin(), rest.end());
  gpgpu::flexgrip::Kernel& k = subject.kernel;
  k.registers_per_thread = kRegisters;
  k.block_x = 32;
  k.block_y = k.block_z = k.grid_x = k.grid_y = 1;
  k.blocks_per_core = 1;
  k.shared_static_bytes = 1024;
  return subject;
}

Subject special_functions(uint32_t seed) {
  constexpr unsigned kOperands = 256;
  std::mt19937 random(seed);
  Subject subject;
  for (unsigned i = 0; i < kOperands; ++i) subject.words.push_back(random_operand(random));
  const std::string source = fmt::format(
      "SHL R1, R0, 0x2;\nIADD32I R1, R1, {:#x};\nGLD.U32 R3, global14[R1];\n"
      "SHL R1, R0, 0x6;\nIADD32I R1, R1, {:#x};\n"
      "RCP R4, R3;\nRSQ R5, R3;\nLG2 R6, R3;\nRRO R7, R3, SIN;\n"
      "SIN R8, R7;\nCOS R9, R7;\nRRO R10, R3, EX2;\nEX2 R11, R10;\n"
      "GST.S128 global14[R1], R4;\nIADD32I R1, R1, 0x10;\nGST.S128 global14[R1], R8;\n"
      "SIN R4, R3;\nCOS R5, R3;\nEX2 R6, R3;\nRSQ R7, |R3|;\n"
      "LG2 R8, |R3|;\nRCP R9, -R3;\nRRO R10, -R3, SIN;\nRRO R11, -|R3|, EX2;\n"
      "IADD32I R1, R1, 0x10;\nGST.S128 global14[R1], R4;\n"
      "IADD32I R1, R1, 0x10;\nGST.S128 global14[R1], R8;\nRET;\n",
      kWordsAt, kStoreTo);
  subject.code = g80::assemble(source, "special").kernels.at(0).code;
  gpgpu::flexgrip::Kernel& k = subject.kernel;
  k.registers_per_thread = 16;
  k.block_x = kOperands;
  k.block_y = k.block_z = k.grid_x = k.grid_y = 1;
  k.blocks_per_core = 1;
  return subject;
}

std::string listing_of(const Subject& subject) {
  std::string text;
  for (const g80::DisassembledLine& line :
       g80::disassemble(subject.code.data(), subject.code.size()))
    text += fmt::format("{:#06x}: {} {}\n", line.address, line.text, line.remark);
  return text;
}

}  // namespace gvp::cosim
