// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/instruction.h"

#include <array>
#include <utility>

namespace gvp::ptx {
namespace {

// In the order of Opcode.
constexpr std::array kOpcodes{
    OpcodeInfo{Opcode::kLabel, "label", "l"},
    OpcodeInfo{Opcode::kAbs, "abs", "da"},
    OpcodeInfo{Opcode::kAdd, "add", "daa"},
    OpcodeInfo{Opcode::kAddc, "addc", "daa"},
    OpcodeInfo{Opcode::kAnd, "and", "daa"},
    OpcodeInfo{Opcode::kAtom, "atom", "dma?a"},
    OpcodeInfo{Opcode::kBar, "bar", "?bb"},
    OpcodeInfo{Opcode::kBfe, "bfe", "daaa"},
    OpcodeInfo{Opcode::kBfi, "bfi", "daaaa"},
    OpcodeInfo{Opcode::kBra, "bra", "l"},
    OpcodeInfo{Opcode::kBrev, "brev", "da"},
    OpcodeInfo{Opcode::kBrx, "brx", "*"},
    OpcodeInfo{Opcode::kCall, "call", ""},
    OpcodeInfo{Opcode::kClz, "clz", "da"},
    OpcodeInfo{Opcode::kCnot, "cnot", "da"},
    OpcodeInfo{Opcode::kCopysign, "copysign", "daa"},
    OpcodeInfo{Opcode::kCos, "cos", "da"},
    OpcodeInfo{Opcode::kCvt, "cvt", "da"},
    OpcodeInfo{Opcode::kCvta, "cvta", "da"},
    OpcodeInfo{Opcode::kDiv, "div", "daa"},
    OpcodeInfo{Opcode::kEx2, "ex2", "da"},
    OpcodeInfo{Opcode::kExit, "exit", ""},
    OpcodeInfo{Opcode::kFma, "fma", "daaa"},
    OpcodeInfo{Opcode::kFns, "fns", "*"},
    OpcodeInfo{Opcode::kIsspacep, "isspacep", "*"},
    OpcodeInfo{Opcode::kLd, "ld", "vm"},
    OpcodeInfo{Opcode::kLdu, "ldu", "vm"},
    OpcodeInfo{Opcode::kLg2, "lg2", "da"},
    OpcodeInfo{Opcode::kMad, "mad", "daaa"},
    OpcodeInfo{Opcode::kMax, "max", "daa"},
    OpcodeInfo{Opcode::kMembar, "membar", ""},
    OpcodeInfo{Opcode::kMin, "min", "daa"},
    OpcodeInfo{Opcode::kMov, "mov", "vw"},
    OpcodeInfo{Opcode::kMul, "mul", "daa"},
    OpcodeInfo{Opcode::kMul24, "mul24", "daa"},
    OpcodeInfo{Opcode::kMad24, "mad24", "daaa"},
    OpcodeInfo{Opcode::kNeg, "neg", "da"},
    OpcodeInfo{Opcode::kNot, "not", "da"},
    OpcodeInfo{Opcode::kOr, "or", "daa"},
    OpcodeInfo{Opcode::kPopc, "popc", "da"},
    OpcodeInfo{Opcode::kPrefetch, "prefetch", "m"},
    OpcodeInfo{Opcode::kPrmt, "prmt", "daaa"},
    OpcodeInfo{Opcode::kRcp, "rcp", "da"},
    OpcodeInfo{Opcode::kRed, "red", "ma"},
    OpcodeInfo{Opcode::kRem, "rem", "daa"},
    OpcodeInfo{Opcode::kRet, "ret", ""},
    OpcodeInfo{Opcode::kRsqrt, "rsqrt", "da"},
    OpcodeInfo{Opcode::kSad, "sad", "daaa"},
    OpcodeInfo{Opcode::kSelp, "selp", "daas"},
    OpcodeInfo{Opcode::kSet, "set", "daa?s"},
    OpcodeInfo{Opcode::kSetp, "setp", "daa?s"},
    OpcodeInfo{Opcode::kShf, "shf", "*"},
    OpcodeInfo{Opcode::kShfl, "shfl", "*"},
    OpcodeInfo{Opcode::kShl, "shl", "daa"},
    OpcodeInfo{Opcode::kShr, "shr", "daa"},
    OpcodeInfo{Opcode::kSin, "sin", "da"},
    OpcodeInfo{Opcode::kSlct, "slct", "daaa"},
    OpcodeInfo{Opcode::kSqrt, "sqrt", "da"},
    OpcodeInfo{Opcode::kSt, "st", "mw"},
    OpcodeInfo{Opcode::kSub, "sub", "daa"},
    OpcodeInfo{Opcode::kSubc, "subc", "daa"},
    OpcodeInfo{Opcode::kSuld, "suld", "*"},
    OpcodeInfo{Opcode::kSust, "sust", "*"},
    OpcodeInfo{Opcode::kTanh, "tanh", "*"},
    OpcodeInfo{Opcode::kTestp, "testp", "*"},
    OpcodeInfo{Opcode::kTex, "tex", "*"},
    OpcodeInfo{Opcode::kTrap, "trap", ""},
    OpcodeInfo{Opcode::kVote, "vote", "ds"},
    OpcodeInfo{Opcode::kXor, "xor", "daa"},
};
static_assert(kOpcodes.size() == static_cast<size_t>(Opcode::kXor) + 1);

constexpr std::array<std::pair<std::string_view, Compare>, 18> kCompares{{
    {"eq", Compare::kEq},
    {"ne", Compare::kNe},
    {"lt", Compare::kLt},
    {"le", Compare::kLe},
    {"gt", Compare::kGt},
    {"ge", Compare::kGe},
    {"lo", Compare::kLo},
    {"ls", Compare::kLs},
    {"hi", Compare::kHi},
    {"hs", Compare::kHs},
    {"equ", Compare::kEqu},
    {"neu", Compare::kNeu},
    {"ltu", Compare::kLtu},
    {"leu", Compare::kLeu},
    {"gtu", Compare::kGtu},
    {"geu", Compare::kGeu},
    {"num", Compare::kNum},
    {"nan", Compare::kNan},
}};

}  // namespace

const OpcodeInfo* opcode_from_name(std::string_view name) {
  for (const OpcodeInfo& row : kOpcodes) {
    if (row.name == name && row.opcode != Opcode::kLabel) return &row;
  }
  return nullptr;
}

const OpcodeInfo& info(Opcode opcode) { return kOpcodes[static_cast<size_t>(opcode)]; }

std::optional<Compare> compare_from_name(std::string_view text) {
  for (const auto& [compare_name, compare] : kCompares) {
    if (compare_name == text) return compare;
  }
  return std::nullopt;
}

std::string mnemonic(const Instruction& instruction) {
  std::string text(info(instruction.opcode).name);
  if (instruction.space != Space::kGeneric) text += "." + std::string(name(instruction.space));
  for (const auto& [compare_name, compare] : kCompares) {
    if (compare == instruction.compare) text += "." + std::string(compare_name);
  }
  if (instruction.type != Type::kNone) text += "." + std::string(name(instruction.type));
  if (instruction.source_type != Type::kNone) {
    text += "." + std::string(name(instruction.source_type));
  }
  return text;
}

}  // namespace gvp::ptx
