// SPDX-License-Identifier: Apache-2.0
// The MicroBlaze instruction set as one table (UG984 chapter 5): decoder, disassembler, block
// builder, tests and documentation all read it.  It covers the 32-bit instruction set of versions
// 9.6 to 11.0.  Not in it: what needs more than 32 address or data bits (imml, *l forms, extended
// addresses), because this processor has none of it; those words are illegal opcodes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/host/configuration.h"

namespace gvp::host {

// clang-format off
enum class Operation : uint8_t {
  kAdd, kRsub, kAddc, kRsubc, kAddk, kRsubk, kAddkc, kRsubkc, kCmp, kCmpu,
  kAddi, kRsubi, kAddic, kRsubic, kAddik, kRsubik, kAddikc, kRsubikc,
  kMul, kMulh, kMulhsu, kMulhu, kMuli,
  kBsrl, kBsra, kBsll, kBsrli, kBsrai, kBslli, kBsefi, kBsifi,
  kIdiv, kIdivu,
  kGetd, kPutd, kGet, kPut,
  kFadd, kFrsub, kFmul, kFdiv, kFcmpUn, kFcmpLt, kFcmpEq, kFcmpLe, kFcmpGt, kFcmpNe, kFcmpGe,
  kFlt, kFint, kFsqrt,
  kOr, kPcmpbf, kAnd, kXor, kPcmpeq, kAndn, kPcmpne, kOri, kAndi, kXori, kAndni,
  kSra, kSrc, kSrl, kSext8, kSext16, kClz, kSwapb, kSwaph,
  kWic, kWdc, kWdcFlush, kWdcClear, kWdcExtFlush, kWdcExtClear,
  kMfs, kMts, kMsrset, kMsrclr,
  kBr, kBra, kBrd, kBrad, kBrld, kBrald, kBrk,
  kBri, kBrai, kBrid, kBraid, kBrlid, kBralid, kBrki, kMbar,
  kBeq, kBne, kBlt, kBle, kBgt, kBge, kBeqd, kBned, kBltd, kBled, kBgtd, kBged,
  kBeqi, kBnei, kBlti, kBlei, kBgti, kBgei, kBeqid, kBneid, kBltid, kBleid, kBgtid, kBgeid,
  kImm, kRtsd, kRtid, kRtbd, kRted,
  kLbu, kLbur, kLhu, kLhur, kLw, kLwr, kLwx, kSb, kSbr, kSh, kShr, kSw, kSwr, kSwx,
  kLbui, kLhui, kLwi, kSbi, kShi, kSwi,
  kCount
};
// clang-format on

// How the operands stand in the word and in assembly text (UG984: type A has three registers, type
// B two registers and a 16-bit immediate).
enum class Format : uint8_t {
  kNone,
  kRdRaRb,      // add r1, r2, r3
  kRdRaImm,     // addi r1, r2, 3
  kRdRa,        // sra r1, r2
  kRaRb,        // beq r1, r2; wdc r1, r2
  kRaImm,       // beqi r1, 8; rtsd r15, 8
  kRb,          // br r1
  kImm,         // bri 8; imm 1
  kRdRb,        // brld r15, r1; getd r1, r2
  kRdImm,       // brlid r15, 8
  kRdRaShift,   // bslli r1, r2, 5
  kRdRaField,   // bsefi r1, r2, width, shift
  kRdSpecial,   // mfs r1, rmsr
  kSpecialRa,   // mts rmsr, r1
  kRdImm15,     // msrset r1, 2
  kRdStream,    // get r1, rfsl0
  kRaStream,    // put r1, rfsl0
  kRaRbStream,  // putd r1, r2
  kMbar,        // mbar 2
};

// The option of the hardware that an instruction needs.
enum class Unit : uint8_t {
  kBase,
  kBarrel,
  kMul32,
  kMul64,
  kDivide,
  kFpuBasic,
  kFpuExtended,
  kPatternCompare,
  kReorder,
  kMsr,
  kStream,
  kStreamExtended,
};

// What the builder of blocks must know about an instruction.
enum Attribute : uint8_t {
  kNoAttribute = 0,
  kBranch = 1,      // may change the program counter
  kDelaySlot = 2,   // the next instruction executes first
  kPrivileged = 4,  // not in user mode
};

struct InstructionInfo {
  std::string_view mnemonic;
  Operation operation;
  Format format;
  uint32_t match;  // word & mask == match
  uint32_t mask;
  Unit unit;
  uint8_t latency_5;  // cycles in the 5-stage pipeline (C_AREA_OPTIMIZED = 0), not taken
  uint8_t latency_3;  // cycles in the 3-stage pipeline (C_AREA_OPTIMIZED = 1)
  uint8_t attributes;
};

// The setting that gives the processor a unit, as in a platform file.
std::string_view key_of(Unit unit);

inline constexpr size_t kOperations = static_cast<size_t>(Operation::kCount);
extern const std::array<InstructionInfo, kOperations> kInstructionTable;

inline const InstructionInfo& info(Operation operation) {
  return kInstructionTable[static_cast<size_t>(operation)];
}

// True where the configured processor has the unit.
bool has_unit(const Configuration& configuration, Unit unit);

}  // namespace gvp::host
