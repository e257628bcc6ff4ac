// SPDX-License-Identifier: Apache-2.0
#include "models/host/isa.h"

namespace gvp::host {

// Encodings: UG984 chapter 5.  Latencies: the "Latency" paragraph of each instruction's page, for
// C_AREA_OPTIMIZED = 0 and 1; branches: not taken (taken ones are charged by the block builder).
// Assumed, because those pages give ranges or were not available: fint, mfs, mts.
// clang-format off
extern constexpr std::array<InstructionInfo, kOperations> kInstructionTable = {{
    // mnemonic      operation                 format               match       mask        unit                   5   3   attributes
    {"add",          Operation::kAdd,          Format::kRdRaRb,     0x00000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"rsub",         Operation::kRsub,         Format::kRdRaRb,     0x04000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"addc",         Operation::kAddc,         Format::kRdRaRb,     0x08000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"rsubc",        Operation::kRsubc,        Format::kRdRaRb,     0x0c000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"addk",         Operation::kAddk,         Format::kRdRaRb,     0x10000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"rsubk",        Operation::kRsubk,        Format::kRdRaRb,     0x14000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"addkc",        Operation::kAddkc,        Format::kRdRaRb,     0x18000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"rsubkc",       Operation::kRsubkc,       Format::kRdRaRb,     0x1c000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"cmp",          Operation::kCmp,          Format::kRdRaRb,     0x14000001, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"cmpu",         Operation::kCmpu,         Format::kRdRaRb,     0x14000003, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"addi",         Operation::kAddi,         Format::kRdRaImm,    0x20000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"rsubi",        Operation::kRsubi,        Format::kRdRaImm,    0x24000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"addic",        Operation::kAddic,        Format::kRdRaImm,    0x28000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"rsubic",       Operation::kRsubic,       Format::kRdRaImm,    0x2c000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"addik",        Operation::kAddik,        Format::kRdRaImm,    0x30000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"rsubik",       Operation::kRsubik,       Format::kRdRaImm,    0x34000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"addikc",       Operation::kAddikc,       Format::kRdRaImm,    0x38000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"rsubikc",      Operation::kRsubikc,      Format::kRdRaImm,    0x3c000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"mul",          Operation::kMul,          Format::kRdRaRb,     0x40000000, 0xfc0007ff, Unit::kMul32,          1,  3,  kNoAttribute},
    {"mulh",         Operation::kMulh,         Format::kRdRaRb,     0x40000001, 0xfc0007ff, Unit::kMul64,          1,  3,  kNoAttribute},
    {"mulhsu",       Operation::kMulhsu,       Format::kRdRaRb,     0x40000002, 0xfc0007ff, Unit::kMul64,          1,  3,  kNoAttribute},
    {"mulhu",        Operation::kMulhu,        Format::kRdRaRb,     0x40000003, 0xfc0007ff, Unit::kMul64,          1,  3,  kNoAttribute},
    {"muli",         Operation::kMuli,         Format::kRdRaImm,    0x60000000, 0xfc000000, Unit::kMul32,          1,  3,  kNoAttribute},
    {"bsrl",         Operation::kBsrl,         Format::kRdRaRb,     0x44000000, 0xfc0007ff, Unit::kBarrel,         1,  2,  kNoAttribute},
    {"bsra",         Operation::kBsra,         Format::kRdRaRb,     0x44000200, 0xfc0007ff, Unit::kBarrel,         1,  2,  kNoAttribute},
    {"bsll",         Operation::kBsll,         Format::kRdRaRb,     0x44000400, 0xfc0007ff, Unit::kBarrel,         1,  2,  kNoAttribute},
    {"bsrli",        Operation::kBsrli,        Format::kRdRaShift,  0x64000000, 0xfc00ffe0, Unit::kBarrel,         1,  2,  kNoAttribute},
    {"bsrai",        Operation::kBsrai,        Format::kRdRaShift,  0x64000200, 0xfc00ffe0, Unit::kBarrel,         1,  2,  kNoAttribute},
    {"bslli",        Operation::kBslli,        Format::kRdRaShift,  0x64000400, 0xfc00ffe0, Unit::kBarrel,         1,  2,  kNoAttribute},
    {"bsefi",        Operation::kBsefi,        Format::kRdRaField,  0x64004000, 0xfc00f820, Unit::kBarrel,         1,  2,  kNoAttribute},
    {"bsifi",        Operation::kBsifi,        Format::kRdRaField,  0x64008000, 0xfc00f820, Unit::kBarrel,         1,  2,  kNoAttribute},
    {"idiv",         Operation::kIdiv,         Format::kRdRaRb,     0x48000000, 0xfc0007ff, Unit::kDivide,         34, 35, kNoAttribute},
    {"idivu",        Operation::kIdivu,        Format::kRdRaRb,     0x48000002, 0xfc0007ff, Unit::kDivide,         34, 35, kNoAttribute},
    {"getd",         Operation::kGetd,         Format::kRdRb,       0x4c000000, 0xfc1f041f, Unit::kStreamExtended, 2,  2,  kPrivileged},
    {"putd",         Operation::kPutd,         Format::kRaRbStream, 0x4c000400, 0xffe0043f, Unit::kStreamExtended, 1,  1,  kPrivileged},
    {"get",          Operation::kGet,          Format::kRdStream,   0x6c000000, 0xfc1f83f0, Unit::kStream,         2,  2,  kPrivileged},
    {"put",          Operation::kPut,          Format::kRaStream,   0x6c008000, 0xffe087f0, Unit::kStream,         1,  1,  kPrivileged},
    {"fadd",         Operation::kFadd,         Format::kRdRaRb,     0x58000000, 0xfc0007ff, Unit::kFpuBasic,       4,  6,  kNoAttribute},
    {"frsub",        Operation::kFrsub,        Format::kRdRaRb,     0x58000080, 0xfc0007ff, Unit::kFpuBasic,       4,  6,  kNoAttribute},
    {"fmul",         Operation::kFmul,         Format::kRdRaRb,     0x58000100, 0xfc0007ff, Unit::kFpuBasic,       4,  6,  kNoAttribute},
    {"fdiv",         Operation::kFdiv,         Format::kRdRaRb,     0x58000180, 0xfc0007ff, Unit::kFpuBasic,       28, 30, kNoAttribute},
    {"fcmp.un",      Operation::kFcmpUn,       Format::kRdRaRb,     0x58000200, 0xfc0007ff, Unit::kFpuBasic,       1,  3,  kNoAttribute},
    {"fcmp.lt",      Operation::kFcmpLt,       Format::kRdRaRb,     0x58000210, 0xfc0007ff, Unit::kFpuBasic,       1,  3,  kNoAttribute},
    {"fcmp.eq",      Operation::kFcmpEq,       Format::kRdRaRb,     0x58000220, 0xfc0007ff, Unit::kFpuBasic,       1,  3,  kNoAttribute},
    {"fcmp.le",      Operation::kFcmpLe,       Format::kRdRaRb,     0x58000230, 0xfc0007ff, Unit::kFpuBasic,       1,  3,  kNoAttribute},
    {"fcmp.gt",      Operation::kFcmpGt,       Format::kRdRaRb,     0x58000240, 0xfc0007ff, Unit::kFpuBasic,       1,  3,  kNoAttribute},
    {"fcmp.ne",      Operation::kFcmpNe,       Format::kRdRaRb,     0x58000250, 0xfc0007ff, Unit::kFpuBasic,       1,  3,  kNoAttribute},
    {"fcmp.ge",      Operation::kFcmpGe,       Format::kRdRaRb,     0x58000260, 0xfc0007ff, Unit::kFpuBasic,       1,  3,  kNoAttribute},
    {"flt",          Operation::kFlt,          Format::kRdRa,       0x58000280, 0xfc00ffff, Unit::kFpuExtended,    5,  7,  kNoAttribute},
    {"fint",         Operation::kFint,         Format::kRdRa,       0x58000300, 0xfc00ffff, Unit::kFpuExtended,    5,  7,  kNoAttribute},
    {"fsqrt",        Operation::kFsqrt,        Format::kRdRa,       0x58000380, 0xfc00ffff, Unit::kFpuExtended,    27, 29, kNoAttribute},
    {"or",           Operation::kOr,           Format::kRdRaRb,     0x80000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"pcmpbf",       Operation::kPcmpbf,       Format::kRdRaRb,     0x80000400, 0xfc0007ff, Unit::kPatternCompare, 1,  1,  kNoAttribute},
    {"and",          Operation::kAnd,          Format::kRdRaRb,     0x84000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"xor",          Operation::kXor,          Format::kRdRaRb,     0x88000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"pcmpeq",       Operation::kPcmpeq,       Format::kRdRaRb,     0x88000400, 0xfc0007ff, Unit::kPatternCompare, 1,  1,  kNoAttribute},
    {"andn",         Operation::kAndn,         Format::kRdRaRb,     0x8c000000, 0xfc0007ff, Unit::kBase,           1,  1,  kNoAttribute},
    {"pcmpne",       Operation::kPcmpne,       Format::kRdRaRb,     0x8c000400, 0xfc0007ff, Unit::kPatternCompare, 1,  1,  kNoAttribute},
    {"ori",          Operation::kOri,          Format::kRdRaImm,    0xa0000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"andi",         Operation::kAndi,         Format::kRdRaImm,    0xa4000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"xori",         Operation::kXori,         Format::kRdRaImm,    0xa8000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"andni",        Operation::kAndni,        Format::kRdRaImm,    0xac000000, 0xfc000000, Unit::kBase,           1,  1,  kNoAttribute},
    {"sra",          Operation::kSra,          Format::kRdRa,       0x90000001, 0xfc00ffff, Unit::kBase,           1,  1,  kNoAttribute},
    {"src",          Operation::kSrc,          Format::kRdRa,       0x90000021, 0xfc00ffff, Unit::kBase,           1,  1,  kNoAttribute},
    {"srl",          Operation::kSrl,          Format::kRdRa,       0x90000041, 0xfc00ffff, Unit::kBase,           1,  1,  kNoAttribute},
    {"sext8",        Operation::kSext8,        Format::kRdRa,       0x90000060, 0xfc00ffff, Unit::kBase,           1,  1,  kNoAttribute},
    {"sext16",       Operation::kSext16,       Format::kRdRa,       0x90000061, 0xfc00ffff, Unit::kBase,           1,  1,  kNoAttribute},
    {"clz",          Operation::kClz,          Format::kRdRa,       0x900000e0, 0xfc00ffff, Unit::kPatternCompare, 1,  1,  kNoAttribute},
    {"swapb",        Operation::kSwapb,        Format::kRdRa,       0x900001e0, 0xfc00ffff, Unit::kReorder,        1,  1,  kNoAttribute},
    {"swaph",        Operation::kSwaph,        Format::kRdRa,       0x900001e2, 0xfc00ffff, Unit::kReorder,        1,  1,  kNoAttribute},
    {"wic",          Operation::kWic,          Format::kRaRb,       0x90000068, 0xffe007ff, Unit::kBase,           2,  2,  kPrivileged},
    {"wdc",          Operation::kWdc,          Format::kRaRb,       0x90000064, 0xffe007ff, Unit::kBase,           2,  2,  kPrivileged},
    {"wdc.flush",    Operation::kWdcFlush,     Format::kRaRb,       0x90000074, 0xffe007ff, Unit::kBase,           2,  2,  kPrivileged},
    {"wdc.clear",    Operation::kWdcClear,     Format::kRaRb,       0x90000066, 0xffe007ff, Unit::kBase,           2,  2,  kPrivileged},
    {"wdc.ext.flush",Operation::kWdcExtFlush,  Format::kRaRb,       0x90000476, 0xffe007ff, Unit::kBase,           2,  2,  kPrivileged},
    {"wdc.ext.clear",Operation::kWdcExtClear,  Format::kRaRb,       0x90000466, 0xffe007ff, Unit::kBase,           2,  2,  kPrivileged},
    {"mfs",          Operation::kMfs,          Format::kRdSpecial,  0x94008000, 0xfc1fc000, Unit::kBase,           1,  1,  kNoAttribute},
    {"mts",          Operation::kMts,          Format::kSpecialRa,  0x9400c000, 0xffe0c000, Unit::kBase,           1,  1,  kPrivileged},
    {"msrset",       Operation::kMsrset,       Format::kRdImm15,    0x94100000, 0xfc1f8000, Unit::kMsr,            1,  1,  kNoAttribute},
    {"msrclr",       Operation::kMsrclr,       Format::kRdImm15,    0x94110000, 0xfc1f8000, Unit::kMsr,            1,  1,  kNoAttribute},
    {"br",           Operation::kBr,           Format::kRb,         0x98000000, 0xffff07ff, Unit::kBase,           1,  1,  kBranch},
    {"bra",          Operation::kBra,          Format::kRb,         0x98080000, 0xffff07ff, Unit::kBase,           1,  1,  kBranch},
    {"brd",          Operation::kBrd,          Format::kRb,         0x98100000, 0xffff07ff, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"brad",         Operation::kBrad,         Format::kRb,         0x98180000, 0xffff07ff, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"brld",         Operation::kBrld,         Format::kRdRb,       0x98140000, 0xfc1f07ff, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"brald",        Operation::kBrald,        Format::kRdRb,       0x981c0000, 0xfc1f07ff, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"brk",          Operation::kBrk,          Format::kRdRb,       0x980c0000, 0xfc1f07ff, Unit::kBase,           1,  1,  kBranch | kPrivileged},
    {"bri",          Operation::kBri,          Format::kImm,        0xb8000000, 0xffff0000, Unit::kBase,           1,  1,  kBranch},
    {"brai",         Operation::kBrai,         Format::kImm,        0xb8080000, 0xffff0000, Unit::kBase,           1,  1,  kBranch},
    {"brid",         Operation::kBrid,         Format::kImm,        0xb8100000, 0xffff0000, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"braid",        Operation::kBraid,        Format::kImm,        0xb8180000, 0xffff0000, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"brlid",        Operation::kBrlid,        Format::kRdImm,      0xb8140000, 0xfc1f0000, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"bralid",       Operation::kBralid,       Format::kRdImm,      0xb81c0000, 0xfc1f0000, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"brki",         Operation::kBrki,         Format::kRdImm,      0xb80c0000, 0xfc1f0000, Unit::kBase,           1,  1,  kBranch},
    {"mbar",         Operation::kMbar,         Format::kMbar,       0xb8020004, 0xfc1fffff, Unit::kBase,           2,  2,  kBranch},
    {"beq",          Operation::kBeq,          Format::kRaRb,       0x9c000000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch},
    {"bne",          Operation::kBne,          Format::kRaRb,       0x9c200000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch},
    {"blt",          Operation::kBlt,          Format::kRaRb,       0x9c400000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch},
    {"ble",          Operation::kBle,          Format::kRaRb,       0x9c600000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch},
    {"bgt",          Operation::kBgt,          Format::kRaRb,       0x9c800000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch},
    {"bge",          Operation::kBge,          Format::kRaRb,       0x9ca00000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch},
    {"beqd",         Operation::kBeqd,         Format::kRaRb,       0x9e000000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"bned",         Operation::kBned,         Format::kRaRb,       0x9e200000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"bltd",         Operation::kBltd,         Format::kRaRb,       0x9e400000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"bled",         Operation::kBled,         Format::kRaRb,       0x9e600000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"bgtd",         Operation::kBgtd,         Format::kRaRb,       0x9e800000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"bged",         Operation::kBged,         Format::kRaRb,       0x9ea00000, 0xffe007ff, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"beqi",         Operation::kBeqi,         Format::kRaImm,      0xbc000000, 0xffe00000, Unit::kBase,           1,  1,  kBranch},
    {"bnei",         Operation::kBnei,         Format::kRaImm,      0xbc200000, 0xffe00000, Unit::kBase,           1,  1,  kBranch},
    {"blti",         Operation::kBlti,         Format::kRaImm,      0xbc400000, 0xffe00000, Unit::kBase,           1,  1,  kBranch},
    {"blei",         Operation::kBlei,         Format::kRaImm,      0xbc600000, 0xffe00000, Unit::kBase,           1,  1,  kBranch},
    {"bgti",         Operation::kBgti,         Format::kRaImm,      0xbc800000, 0xffe00000, Unit::kBase,           1,  1,  kBranch},
    {"bgei",         Operation::kBgei,         Format::kRaImm,      0xbca00000, 0xffe00000, Unit::kBase,           1,  1,  kBranch},
    {"beqid",        Operation::kBeqid,        Format::kRaImm,      0xbe000000, 0xffe00000, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"bneid",        Operation::kBneid,        Format::kRaImm,      0xbe200000, 0xffe00000, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"bltid",        Operation::kBltid,        Format::kRaImm,      0xbe400000, 0xffe00000, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"bleid",        Operation::kBleid,        Format::kRaImm,      0xbe600000, 0xffe00000, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"bgtid",        Operation::kBgtid,        Format::kRaImm,      0xbe800000, 0xffe00000, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"bgeid",        Operation::kBgeid,        Format::kRaImm,      0xbea00000, 0xffe00000, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"imm",          Operation::kImm,          Format::kImm,        0xb0000000, 0xffff0000, Unit::kBase,           1,  1,  kNoAttribute},
    {"rtsd",         Operation::kRtsd,         Format::kRaImm,      0xb6000000, 0xffe00000, Unit::kBase,           1,  1,  kBranch | kDelaySlot},
    {"rtid",         Operation::kRtid,         Format::kRaImm,      0xb6200000, 0xffe00000, Unit::kBase,           1,  1,  kBranch | kDelaySlot | kPrivileged},
    {"rtbd",         Operation::kRtbd,         Format::kRaImm,      0xb6400000, 0xffe00000, Unit::kBase,           1,  1,  kBranch | kDelaySlot | kPrivileged},
    {"rted",         Operation::kRted,         Format::kRaImm,      0xb6800000, 0xffe00000, Unit::kBase,           1,  1,  kBranch | kDelaySlot | kPrivileged},
    {"lbu",          Operation::kLbu,          Format::kRdRaRb,     0xc0000000, 0xfc0007ff, Unit::kBase,           1,  2,  kNoAttribute},
    {"lbur",         Operation::kLbur,         Format::kRdRaRb,     0xc0000200, 0xfc0007ff, Unit::kReorder,        1,  2,  kNoAttribute},
    {"lhu",          Operation::kLhu,          Format::kRdRaRb,     0xc4000000, 0xfc0007ff, Unit::kBase,           1,  2,  kNoAttribute},
    {"lhur",         Operation::kLhur,         Format::kRdRaRb,     0xc4000200, 0xfc0007ff, Unit::kReorder,        1,  2,  kNoAttribute},
    {"lw",           Operation::kLw,           Format::kRdRaRb,     0xc8000000, 0xfc0007ff, Unit::kBase,           1,  2,  kNoAttribute},
    {"lwr",          Operation::kLwr,          Format::kRdRaRb,     0xc8000200, 0xfc0007ff, Unit::kReorder,        1,  2,  kNoAttribute},
    {"lwx",          Operation::kLwx,          Format::kRdRaRb,     0xc8000400, 0xfc0007ff, Unit::kBase,           1,  2,  kNoAttribute},
    {"sb",           Operation::kSb,           Format::kRdRaRb,     0xd0000000, 0xfc0007ff, Unit::kBase,           1,  2,  kNoAttribute},
    {"sbr",          Operation::kSbr,          Format::kRdRaRb,     0xd0000200, 0xfc0007ff, Unit::kReorder,        1,  2,  kNoAttribute},
    {"sh",           Operation::kSh,           Format::kRdRaRb,     0xd4000000, 0xfc0007ff, Unit::kBase,           1,  2,  kNoAttribute},
    {"shr",          Operation::kShr,          Format::kRdRaRb,     0xd4000200, 0xfc0007ff, Unit::kReorder,        1,  2,  kNoAttribute},
    {"sw",           Operation::kSw,           Format::kRdRaRb,     0xd8000000, 0xfc0007ff, Unit::kBase,           1,  2,  kNoAttribute},
    {"swr",          Operation::kSwr,          Format::kRdRaRb,     0xd8000200, 0xfc0007ff, Unit::kReorder,        1,  2,  kNoAttribute},
    {"swx",          Operation::kSwx,          Format::kRdRaRb,     0xd8000400, 0xfc0007ff, Unit::kBase,           1,  2,  kNoAttribute},
    {"lbui",         Operation::kLbui,         Format::kRdRaImm,    0xe0000000, 0xfc000000, Unit::kBase,           1,  2,  kNoAttribute},
    {"lhui",         Operation::kLhui,         Format::kRdRaImm,    0xe4000000, 0xfc000000, Unit::kBase,           1,  2,  kNoAttribute},
    {"lwi",          Operation::kLwi,          Format::kRdRaImm,    0xe8000000, 0xfc000000, Unit::kBase,           1,  2,  kNoAttribute},
    {"sbi",          Operation::kSbi,          Format::kRdRaImm,    0xf0000000, 0xfc000000, Unit::kBase,           1,  2,  kNoAttribute},
    {"shi",          Operation::kShi,          Format::kRdRaImm,    0xf4000000, 0xfc000000, Unit::kBase,           1,  2,  kNoAttribute},
    {"swi",          Operation::kSwi,          Format::kRdRaImm,    0xf8000000, 0xfc000000, Unit::kBase,           1,  2,  kNoAttribute},
}};
// clang-format on

namespace {

constexpr bool in_order_of_operations() {
  for (size_t i = 0; i < kOperations; ++i)
    if (static_cast<size_t>(kInstructionTable[i].operation) != i) return false;
  return true;
}
static_assert(in_order_of_operations(), "rows stand in the order of enum Operation");

constexpr bool no_two_rows_overlap() {
  for (size_t i = 0; i < kOperations; ++i) {
    const InstructionInfo& a = kInstructionTable[i];
    if ((a.match & ~a.mask) != 0) return false;
    for (size_t j = i + 1; j < kOperations; ++j) {
      const InstructionInfo& b = kInstructionTable[j];
      if (((a.match ^ b.match) & a.mask & b.mask) == 0) return false;
    }
  }
  return true;
}
static_assert(no_two_rows_overlap(), "a word matches at most one row");

}  // namespace

std::string_view key_of(Unit unit) {
  switch (unit) {
    case Unit::kBase:
      break;
    case Unit::kBarrel:
      return "host.use_barrel = true";
    case Unit::kMul32:
      return "host.use_hw_mul = 1";
    case Unit::kMul64:
      return "host.use_hw_mul = 2";
    case Unit::kDivide:
      return "host.use_div = true";
    case Unit::kFpuBasic:
      return "host.use_fpu = 1";
    case Unit::kFpuExtended:
      return "host.use_fpu = 2";
    case Unit::kPatternCompare:
      return "host.use_pcmp_instr = true";
    case Unit::kReorder:
      return "host.use_reorder_instr = true";
    case Unit::kMsr:
      return "host.use_msr_instr = true";
    case Unit::kStream:
      return "host.fsl_links = 1";
    case Unit::kStreamExtended:
      return "host.fsl_links = 1 and host.use_extended_fsl_instr = true";
  }
  return "";
}

bool has_unit(const Configuration& configuration, Unit unit) {
  switch (unit) {
    case Unit::kBase:
      return true;
    case Unit::kBarrel:
      return configuration.use_barrel;
    case Unit::kMul32:
      return configuration.use_hw_mul >= 1;
    case Unit::kMul64:
      return configuration.use_hw_mul >= 2;
    case Unit::kDivide:
      return configuration.use_div;
    case Unit::kFpuBasic:
      return configuration.use_fpu >= 1;
    case Unit::kFpuExtended:
      return configuration.use_fpu >= 2;
    case Unit::kPatternCompare:
      return configuration.use_pcmp_instr;
    case Unit::kReorder:
      return configuration.use_reorder_instr;
    case Unit::kMsr:
      return configuration.use_msr_instr;
    case Unit::kStream:
      return configuration.fsl_links > 0;
    case Unit::kStreamExtended:
      return configuration.fsl_links > 0 && configuration.use_extended_fsl_instr;
  }
  return false;
}

}  // namespace gvp::host
