// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/table.h"

namespace gvp::gpgpu::g80 {
namespace {

using O = Operation;
using F = Field;
using T = Type;

// Predicate and predicate register of long control instructions that have none: the hardware
// ignores them, real programs set them.
constexpr Words kIgnoredPredicate = {0, 0x00003f80};
// MOV: "use the special function unit".
constexpr Words kIgnoredUnitShort = {0x00020000, 0};
constexpr Words kIgnoredUnit = {0, 0x02000000};
// R2C writes $c whatever the write enable says.
constexpr Words kIgnoredWriteEnable = {0, 0x00000040};

// clang-format off
// Columns: operation, name, form, fixed bits and mask of word 0, of word 1, type of the
// operation, of its sources, fields.
constexpr Row kRows[] = {
// ---- short ------------------------------------------------------------------------------------
{O::kMove, "MOV32", Form::kShort, 0x10000000, 0xf0008000, 0, 0, T::kB16, T::kB16,
 {F::kDstShortHalf, F::kSrc1ShortHalf}, kIgnoredUnitShort},
{O::kMove, "MOV32", Form::kShort, 0x10008000, 0xf0008000, 0, 0, T::kB32, T::kB32,
 {F::kDstShort, F::kSrc1Short}, kIgnoredUnitShort},
{O::kAdd, "IADD32", Form::kShort, 0x20000000, 0xe0008000, 0, 0, T::kB16, T::kB16,
 {F::kDstShortHalf, F::kSrc1ShortHalf, F::kSrc2ShortHalf, F::kCombine, F::kSaturate8}},
{O::kAdd, "IADD32", Form::kShort, 0x20008000, 0xe0008000, 0, 0, T::kB32, T::kB32,
 {F::kDstShort, F::kSrc1Short, F::kSrc2Short, F::kCombine, F::kSaturate8}},
{O::kMultiply, "IMUL32", Form::kShort, 0x40000000, 0xf0400000, 0, 0, T::kB32, T::kU16,
 {F::kDstShort, F::kSrc1ShortHalf, F::kSrc2ShortHalf, F::kMultiplySignsShort}},
{O::kMultiply, "IMUL32", Form::kShort, 0x40400000, 0xf0400000, 0, 0, T::kB32, T::kU24,
 {F::kDstShort, F::kSrc1Short, F::kSrc2Short, F::kMultiply24Short}},
{O::kSumAbsoluteDifference, "ISAD32", Form::kShort, 0x50000000, 0xf0008000, 0, 0, T::kU16, T::kU16,
 {F::kDstShort, F::kSrc1ShortRegisterHalf, F::kSrc2ShortRegisterHalf, F::kSrc3IsDst, F::kSigned8}},
{O::kSumAbsoluteDifference, "ISAD32", Form::kShort, 0x50008000, 0xf0008000, 0, 0, T::kU32, T::kU32,
 {F::kDstShort, F::kSrc1ShortRegister, F::kSrc2ShortRegister, F::kSrc3IsDst, F::kSigned8}},
{O::kMultiplyAdd, "IMAD32", Form::kShort, 0x60000000, 0xe0008100, 0, 0, T::kB32, T::kU16,
 {F::kDstShort, F::kSrc1ShortHalf, F::kSrc2ShortHalf, F::kSrc3IsDst, F::kCombine}},
{O::kMultiplyAdd, "IMAD32", Form::kShort, 0x60000100, 0xe0008100, 0, 0, T::kB32, T::kS16,
 {F::kDstShort, F::kSrc1ShortHalf, F::kSrc2ShortHalf, F::kSrc3IsDst, F::kCombine}},
{O::kMultiplyAdd, "IMAD32", Form::kShort, 0x60008000, 0xe0008100, 0, 0, T::kB32, T::kS16,
 {F::kDstShort, F::kSrc1ShortHalf, F::kSrc2ShortHalf, F::kSrc3IsDst, F::kCombine}, {}, false, true},
{O::kMultiplyAdd, "IMAD32", Form::kShort, 0x60008100, 0xe0008100, 0, 0, T::kB32, T::kU24,
 {F::kDstShort, F::kSrc1Short, F::kSrc2Short, F::kSrc3IsDst, F::kCombine}},
{O::kReciprocal, "RCP32", Form::kShort, 0x90000000, 0xf0000000, 0, 0, T::kF32, T::kF32,
 {F::kDstShort, F::kSrc1ShortRegister, F::kNegate1ByM3, F::kAbsolute1Short}},
{O::kFloatAdd, "FADD32", Form::kShort, 0xb0000000, 0xf0000000, 0, 0, T::kF32, T::kF32,
 {F::kDstShort, F::kSrc1Short, F::kSrc2Short, F::kNegate1Short, F::kNegate2Short, F::kSaturate8}},
{O::kFloatMultiply, "FMUL32", Form::kShort, 0xc0000000, 0xf0000000, 0, 0, T::kF32, T::kF32,
 {F::kDstShort, F::kSrc1Short, F::kSrc2Short, F::kNegate1Short, F::kNegate2Short, F::kSaturate8}},
{O::kFloatMultiplyAdd, "FMAD32", Form::kShort, 0xe0000000, 0xf0000000, 0, 0, T::kF32, T::kF32,
 {F::kDstShort, F::kSrc1Short, F::kSrc2Short, F::kSrc3IsDst, F::kNegate1Short, F::kNegate3Short, F::kSaturate8}},
// ---- short control ----------------------------------------------------------------------------
{O::kTrap, "TRAP32", Form::kShortControl, 0x90000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {}},
// ---- long immediate ---------------------------------------------------------------------------
{O::kMove, "MVI", Form::kLongImmediate, 0x10000000, 0xf0008000, 0, 0, T::kB16, T::kB16,
 {F::kDstRegisterHalf, F::kImmediateMove}},
{O::kMove, "MVI", Form::kLongImmediate, 0x10008000, 0xf0008000, 0, 0, T::kB32, T::kB32,
 {F::kDstRegister, F::kImmediateMove}},
{O::kAdd, "IADD32I", Form::kLongImmediate, 0x20000000, 0xe0008000, 0, 0, T::kB16, T::kB16,
 {F::kDstShortHalf, F::kSrc1ShortHalf, F::kImmediate, F::kCombine, F::kSaturate8}},
{O::kAdd, "IADD32I", Form::kLongImmediate, 0x20008000, 0xe0008000, 0, 0, T::kB32, T::kB32,
 {F::kDstShort, F::kSrc1Short, F::kImmediate, F::kCombine, F::kSaturate8}},
{O::kMultiply, "IMUL32I", Form::kLongImmediate, 0x40000000, 0xf0400000, 0, 0, T::kB32, T::kU16,
 {F::kDstShort, F::kSrc1ShortHalf, F::kImmediate, F::kMultiplySignsShort}},
{O::kMultiply, "IMUL32I", Form::kLongImmediate, 0x40400000, 0xf0400000, 0, 0, T::kB32, T::kU24,
 {F::kDstShort, F::kSrc1Short, F::kImmediate, F::kMultiply24Short}},
{O::kMultiplyAdd, "IMAD32I", Form::kLongImmediate, 0x60000000, 0xe0008100, 0, 0, T::kB32, T::kU16,
 {F::kDstShort, F::kSrc1ShortHalf, F::kImmediate, F::kSrc3IsDst, F::kCombine}},
{O::kMultiplyAdd, "IMAD32I", Form::kLongImmediate, 0x60000100, 0xe0008100, 0, 0, T::kB32, T::kS16,
 {F::kDstShort, F::kSrc1ShortHalf, F::kImmediate, F::kSrc3IsDst, F::kCombine}},
{O::kMultiplyAdd, "IMAD32I", Form::kLongImmediate, 0x60008000, 0xe0008100, 0, 0, T::kB32, T::kS16,
 {F::kDstShort, F::kSrc1ShortHalf, F::kImmediate, F::kSrc3IsDst, F::kCombine}, {}, false, true},
{O::kMultiplyAdd, "IMAD32I", Form::kLongImmediate, 0x60008100, 0xe0008100, 0, 0, T::kB32, T::kU24,
 {F::kDstShort, F::kSrc1Short, F::kImmediate, F::kSrc3IsDst, F::kCombine}},
{O::kFloatAdd, "FADD32I", Form::kLongImmediate, 0xb0000000, 0xf0000000, 0, 0, T::kF32, T::kF32,
 {F::kDstShort, F::kSrc1Short, F::kImmediate, F::kNegate1Short, F::kNegate2Short, F::kSaturate8}},
{O::kFloatMultiply, "FMUL32I", Form::kLongImmediate, 0xc0000000, 0xf0000000, 0, 0, T::kF32, T::kF32,
 {F::kDstShort, F::kSrc1Short, F::kImmediate, F::kNegate1Short, F::kNegate2Short, F::kSaturate8}},
{O::kFloatMultiplyAdd, "FMAD32I", Form::kLongImmediate, 0xe0000000, 0xf0000000, 0, 0, T::kF32, T::kF32,
 {F::kDstShort, F::kSrc1Short, F::kImmediate, F::kSrc3IsDst, F::kNegate1Short, F::kNegate3Short, F::kSaturate8}},
{O::kAnd, "LOP32I.AND", Form::kLongImmediate, 0xd0000000, 0xf0008100, 0, 0, T::kB32, T::kB32,
 {F::kDstShort, F::kSrc1Short, F::kImmediate, F::kInvert1Short}},
{O::kOr, "LOP32I.OR", Form::kLongImmediate, 0xd0000100, 0xf0008100, 0, 0, T::kB32, T::kB32,
 {F::kDstShort, F::kSrc1Short, F::kImmediate, F::kInvert1Short}},
{O::kXor, "LOP32I.XOR", Form::kLongImmediate, 0xd0008000, 0xf0008100, 0, 0, T::kB32, T::kB32,
 {F::kDstShort, F::kSrc1Short, F::kImmediate, F::kInvert1Short}},
{O::kPassSecond, "LOP32I.PASS_B", Form::kLongImmediate, 0xd0008100, 0xf0008100, 0, 0, T::kB32, T::kB32,
 {F::kDstShort, F::kSrc1Short, F::kImmediate, F::kInvert1Short}},
// ---- long -------------------------------------------------------------------------------------
// 0: special registers, stores to s[]
{O::kMoveFromCondition, "C2R", Form::kLong, 0x00000000, 0xf0000000, 0x20000000, 0xe0000000, T::kB32, T::kNone,
 {F::kPredicate, F::kDstRegister, F::kSourceCondition}},
{O::kMoveFromAddress, "A2R", Form::kLong, 0x00000000, 0xf0000000, 0x40000000, 0xe0000000, T::kB32, T::kNone,
 {F::kPredicate, F::kDstRegister, F::kSourceAddress}},
{O::kMoveFromSpecial, "S2R", Form::kLong, 0x00000000, 0xf0000000, 0x60000000, 0xe0000000, T::kB32, T::kNone,
 {F::kPredicate, F::kDstRegister, F::kSourceSpecial}},
{O::kMoveToCondition, "R2C", Form::kLong, 0x00000000, 0xf0000000, 0xa0000000, 0xe0000000, T::kB32, T::kB32,
 {F::kPredicate, F::kDstCondition, F::kSrc1Register}, kIgnoredWriteEnable},
{O::kShiftToAddress, "R2A", Form::kLong, 0x00000000, 0xf0000000, 0xc0000000, 0xe0000000, T::kB32, T::kB32,
 {F::kPredicate, F::kDstAddress, F::kSrc1, F::kAddressShift}},
{O::kStoreShared, "R2G", Form::kLong, 0x00000000, 0xf0000000, 0xe0400000, 0xe0400000, T::kU8, T::kNone,
 {F::kPredicate, F::kSharedFull, F::kStoreSource}},
{O::kStoreShared, "R2G", Form::kLong, 0x00000000, 0xf0000000, 0xe0000000, 0xe4400000, T::kU16, T::kNone,
 {F::kPredicate, F::kSharedFull, F::kStoreSource}},
{O::kStoreShared, "R2G", Form::kLong, 0x00000000, 0xf0000000, 0xe4000000, 0xe4400000, T::kU32, T::kNone,
 {F::kPredicate, F::kSharedFull, F::kStoreSource}},
// 1: moves
{O::kMove, "MOV", Form::kLong, 0x10000000, 0xf0000000, 0x00000000, 0xe4000000, T::kB16, T::kB16,
 {F::kPredicate, F::kDstHalf, F::kSrc1Half, F::kLanes}, kIgnoredUnit},
{O::kMove, "MOV", Form::kLong, 0x10000000, 0xf0000000, 0x04000000, 0xe4000000, T::kB32, T::kB32,
 {F::kPredicate, F::kDst, F::kSrc1, F::kLanes}, kIgnoredUnit},
{O::kLoadConstant, "MVC", Form::kLong, 0x10000000, 0xf0000000, 0x20000000, 0xe4000000, T::kB16, T::kNone,
 {F::kPredicate, F::kDstHalf, F::kConstantFull}},
{O::kLoadConstant, "MVC", Form::kLong, 0x10000000, 0xf0000000, 0x24000000, 0xe4000000, T::kB32, T::kNone,
 {F::kPredicate, F::kDst, F::kConstantFull}},
// 2, 3: integer add; bits 22 and 28 of word 0 say how
{O::kAdd, "IADD", Form::kLong, 0x20000000, 0xe0000000, 0x00000000, 0xe4000000, T::kB16, T::kB16,
 {F::kPredicate, F::kConditionWrite, F::kDstHalf, F::kSrc1Half, F::kSrc3AsSecondHalf, F::kCombine, F::kSaturate27}},
{O::kAdd, "IADD", Form::kLong, 0x20000000, 0xe0000000, 0x04000000, 0xe4000000, T::kB32, T::kB32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc3AsSecond, F::kCombine, F::kSaturate27}},
// 3: comparison, shift
{O::kSet, "ISET", Form::kLong, 0x30000000, 0xf0000000, 0x60000000, 0xe4000000, T::kU16, T::kU16,
 {F::kPredicate, F::kConditionWrite, F::kDstHalf, F::kSrc1Half, F::kSrc2Half, F::kCompare3, F::kSigned27}},
{O::kSet, "ISET", Form::kLong, 0x30000000, 0xf0000000, 0x64000000, 0xe4000000, T::kU32, T::kU32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kCompare3, F::kSigned27}},
{O::kMax, "IMAX", Form::kLong, 0x30000000, 0xf0000000, 0x80000000, 0xe4000000, T::kU16, T::kU16,
 {F::kPredicate, F::kConditionWrite, F::kDstHalf, F::kSrc1Half, F::kSrc2Half, F::kSigned27}},
{O::kMax, "IMAX", Form::kLong, 0x30000000, 0xf0000000, 0x84000000, 0xe4000000, T::kU32, T::kU32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kSigned27}},
{O::kMin, "IMIN", Form::kLong, 0x30000000, 0xf0000000, 0xa0000000, 0xe4000000, T::kU16, T::kU16,
 {F::kPredicate, F::kConditionWrite, F::kDstHalf, F::kSrc1Half, F::kSrc2Half, F::kSigned27}},
{O::kMin, "IMIN", Form::kLong, 0x30000000, 0xf0000000, 0xa4000000, 0xe4000000, T::kU32, T::kU32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kSigned27}},
{O::kShiftLeft, "SHL", Form::kLong, 0x30000000, 0xf0000000, 0xc0000000, 0xe4000000, T::kB16, T::kB16,
 {F::kPredicate, F::kConditionWrite, F::kDstHalf, F::kSrc1Half, F::kSrc2OrCountHalf}},
{O::kShiftLeft, "SHL", Form::kLong, 0x30000000, 0xf0000000, 0xc4000000, 0xe4000000, T::kB32, T::kB32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2OrCount}},
{O::kShiftRight, "SHR", Form::kLong, 0x30000000, 0xf0000000, 0xe0000000, 0xe4000000, T::kU16, T::kU16,
 {F::kPredicate, F::kConditionWrite, F::kDstHalf, F::kSrc1Half, F::kSrc2OrCountHalf, F::kSigned27}},
{O::kShiftRight, "SHR", Form::kLong, 0x30000000, 0xf0000000, 0xe4000000, 0xe4000000, T::kU32, T::kU32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2OrCount, F::kSigned27}},
// 4 - 7: multiplication, absolute difference
{O::kMultiply, "IMUL", Form::kLong, 0x40000000, 0xf0000000, 0x00000000, 0xe0010000, T::kB32, T::kU16,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1Half, F::kSrc2Half, F::kMultiplySigns}},
{O::kMultiply, "IMUL", Form::kLong, 0x40000000, 0xf0000000, 0x00010000, 0xe0010000, T::kB32, T::kU24,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kMultiply24}},
{O::kSumAbsoluteDifference, "ISAD", Form::kLong, 0x50000000, 0xf0000000, 0x00000000, 0xe4000000, T::kU16, T::kU16,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1Half, F::kSrc2Half, F::kSrc3, F::kSigned27}},
{O::kSumAbsoluteDifference, "ISAD", Form::kLong, 0x50000000, 0xf0000000, 0x04000000, 0xe4000000, T::kU32, T::kU32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kSrc3, F::kSigned27}},
{O::kMultiplyAdd, "IMAD", Form::kLong, 0x60000000, 0xf0000000, 0x00000000, 0xe0000000, T::kB32, T::kU16,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1Half, F::kSrc2Half, F::kSrc3, F::kCombineLong}},
{O::kMultiplyAdd, "IMAD", Form::kLong, 0x60000000, 0xf0000000, 0x20000000, 0xe0000000, T::kB32, T::kS16,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1Half, F::kSrc2Half, F::kSrc3, F::kCombineLong}},
{O::kMultiplyAdd, "IMAD", Form::kLong, 0x60000000, 0xf0000000, 0x40000000, 0xe0000000, T::kB32, T::kS16,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1Half, F::kSrc2Half, F::kSrc3, F::kCombineLong}, {}, false, true},
{O::kMultiplyAdd, "IMAD", Form::kLong, 0x60000000, 0xf0000000, 0x60000000, 0xe0000000, T::kB32, T::kU24,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kSrc3, F::kCombineLong}},
{O::kMultiplyAdd, "IMAD", Form::kLong, 0x60000000, 0xf0000000, 0x80000000, 0xe0000000, T::kB32, T::kS24,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kSrc3, F::kCombineLong}},
{O::kMultiplyAdd, "IMAD", Form::kLong, 0x60000000, 0xf0000000, 0xa0000000, 0xe0000000, T::kB32, T::kS24,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kSrc3, F::kCombineLong}, {}, false, true},
{O::kMultiplyAdd, "IMAD", Form::kLong, 0x60000000, 0xf0000000, 0xc0000000, 0xe0000000, T::kB32, T::kU24,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kSrc3, F::kCombineLong}, {}, true},
{O::kMultiplyAdd, "IMAD", Form::kLong, 0x60000000, 0xf0000000, 0xe0000000, 0xe0000000, T::kB32, T::kS24,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kSrc3, F::kCombineLong}, {}, true},
{O::kMultiplyAdd, "IMAD", Form::kLong, 0x70000000, 0xf0000000, 0x00000000, 0xe0000000, T::kB32, T::kS24,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kSrc3, F::kCombineLong}, {}, true, true},
// 9: special functions
{O::kReciprocal, "RCP", Form::kLong, 0x90000000, 0xf0000000, 0x00000000, 0xe0000000, T::kF32, T::kF32,
 {F::kPredicate, F::kDst, F::kSrc1Register, F::kNegate1, F::kAbsolute1}},
{O::kReciprocalSqrt, "RSQ", Form::kLong, 0x90000000, 0xf0000000, 0x40000000, 0xe0000000, T::kF32, T::kF32,
 {F::kPredicate, F::kDst, F::kSrc1Register, F::kNegate1, F::kAbsolute1}},
{O::kLog2, "LG2", Form::kLong, 0x90000000, 0xf0000000, 0x60000000, 0xe0000000, T::kF32, T::kF32,
 {F::kPredicate, F::kDst, F::kSrc1Register, F::kNegate1, F::kAbsolute1}},
{O::kSine, "SIN", Form::kLong, 0x90000000, 0xf0000000, 0x80000000, 0xe0000000, T::kF32, T::kB32,
 {F::kPredicate, F::kDst, F::kSrc1Register}},
{O::kCosine, "COS", Form::kLong, 0x90000000, 0xf0000000, 0xa0000000, 0xe0000000, T::kF32, T::kB32,
 {F::kPredicate, F::kDst, F::kSrc1Register}},
{O::kExp2, "EX2", Form::kLong, 0x90000000, 0xf0000000, 0xc0000000, 0xe0000000, T::kF32, T::kB32,
 {F::kPredicate, F::kDst, F::kSrc1Register, F::kSaturate27}},
// a: conversion
{O::kConvert, "I2I", Form::kLong, 0xa0000000, 0xf0000000, 0x00000000, 0xc0400000, T::kNone, T::kNone,
 {F::kPredicate, F::kConditionWrite, F::kIntegerResult, F::kIntegerSource, F::kConvertSource}},
{O::kConvert, "I2F", Form::kLong, 0xa0000000, 0xf0000000, 0x40000000, 0xc0400000, T::kNone, T::kNone,
 {F::kPredicate, F::kConditionWrite, F::kFloatResult, F::kIntegerSource, F::kConvertSource, F::kRoundingConvert, F::kSaturate19}},
{O::kConvert, "F2I", Form::kLong, 0xa0000000, 0xf0000000, 0x80000000, 0xc0400000, T::kNone, T::kNone,
 {F::kPredicate, F::kConditionWrite, F::kIntegerResultOfFloat, F::kFloatSource, F::kConvertSource, F::kRoundingConvert}},
{O::kConvert, "F2F", Form::kLong, 0xa0000000, 0xf0000000, 0xc0000000, 0xc0400000, T::kNone, T::kNone,
 {F::kPredicate, F::kConditionWrite, F::kFloatResult, F::kFloatSource, F::kConvertSource, F::kRoundingConvert, F::kRoundToInteger, F::kSaturate19}},
// b, c, e: single precision
{O::kFloatAdd, "FADD", Form::kLong, 0xb0000000, 0xf0000000, 0x00000000, 0xc0000000, T::kF32, T::kF32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc3AsSecond, F::kNegate1, F::kNegate2, F::kRoundingAdd, F::kSaturate29}},
{O::kFloatSet, "FSET", Form::kLong, 0xb0000000, 0xf0000000, 0x60000000, 0xe0000000, T::kF32, T::kF32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kNegate1, F::kAbsolute1, F::kNegate2, F::kAbsolute2, F::kCompare4}},
{O::kFloatMax, "FMAX", Form::kLong, 0xb0000000, 0xf0000000, 0x80000000, 0xe0000000, T::kF32, T::kF32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kNegate1, F::kAbsolute1, F::kNegate2, F::kAbsolute2}},
{O::kFloatMin, "FMIN", Form::kLong, 0xb0000000, 0xf0000000, 0xa0000000, 0xe0000000, T::kF32, T::kF32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kNegate1, F::kAbsolute1, F::kNegate2, F::kAbsolute2}},
{O::kPreSine, "RRO", Form::kLong, 0xb0000000, 0xf0000000, 0xc0000000, 0xe0004000, T::kB32, T::kF32,
 {F::kPredicate, F::kDst, F::kSrc1, F::kNegate1, F::kAbsolute1}},
{O::kPreExp2, "RRO", Form::kLong, 0xb0000000, 0xf0000000, 0xc0004000, 0xe0004000, T::kB32, T::kF32,
 {F::kPredicate, F::kDst, F::kSrc1, F::kNegate1, F::kAbsolute1}},
{O::kFloatMultiply, "FMUL", Form::kLong, 0xc0000000, 0xf0000000, 0x00000000, 0xe0000000, T::kF32, T::kF32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kNegate1, F::kNegate2, F::kRoundingMultiply}},
{O::kFloatSelect, "FCMP", Form::kLong, 0xc0000000, 0xf0000000, 0x40000000, 0xc0000000, T::kB32, T::kB32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kSrc3, F::kNegate3By29}},
{O::kFloatMultiplyAdd, "FMAD", Form::kLong, 0xe0000000, 0xf0000000, 0x00000000, 0xc0000000, T::kF32, T::kF32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kSrc3, F::kNegate1, F::kNegate3, F::kSaturate29}},
// d: logic, addresses, memory
{O::kAnd, "LOP.AND", Form::kLong, 0xd0000000, 0xf0000000, 0x00000000, 0xe400c000, T::kB16, T::kB16,
 {F::kPredicate, F::kConditionWrite, F::kDstHalf, F::kSrc1Half, F::kSrc2Half, F::kInvert1, F::kInvert2}},
{O::kAnd, "LOP.AND", Form::kLong, 0xd0000000, 0xf0000000, 0x04000000, 0xe400c000, T::kB32, T::kB32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kInvert1, F::kInvert2}},
{O::kOr, "LOP.OR", Form::kLong, 0xd0000000, 0xf0000000, 0x00004000, 0xe400c000, T::kB16, T::kB16,
 {F::kPredicate, F::kConditionWrite, F::kDstHalf, F::kSrc1Half, F::kSrc2Half, F::kInvert1, F::kInvert2}},
{O::kOr, "LOP.OR", Form::kLong, 0xd0000000, 0xf0000000, 0x04004000, 0xe400c000, T::kB32, T::kB32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kInvert1, F::kInvert2}},
{O::kXor, "LOP.XOR", Form::kLong, 0xd0000000, 0xf0000000, 0x00008000, 0xe400c000, T::kB16, T::kB16,
 {F::kPredicate, F::kConditionWrite, F::kDstHalf, F::kSrc1Half, F::kSrc2Half, F::kInvert1, F::kInvert2}},
{O::kXor, "LOP.XOR", Form::kLong, 0xd0000000, 0xf0000000, 0x04008000, 0xe400c000, T::kB32, T::kB32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kInvert1, F::kInvert2}},
{O::kPassSecond, "LOP.PASS_B", Form::kLong, 0xd0000000, 0xf0000000, 0x0000c000, 0xe400c000, T::kB16, T::kB16,
 {F::kPredicate, F::kConditionWrite, F::kDstHalf, F::kSrc1Half, F::kSrc2Half, F::kInvert1, F::kInvert2}},
{O::kPassSecond, "LOP.PASS_B", Form::kLong, 0xd0000000, 0xf0000000, 0x0400c000, 0xe400c000, T::kB32, T::kB32,
 {F::kPredicate, F::kConditionWrite, F::kDst, F::kSrc1, F::kSrc2, F::kInvert1, F::kInvert2}},
{O::kAddAddress, "ADA", Form::kLong, 0xd0000000, 0xf0000000, 0x20000000, 0xe0000000, T::kB16, T::kB16,
 {F::kPredicate, F::kDstAddress, F::kSourceAddress, F::kAddressOffset}},
{O::kLoadLocal, "LLD", Form::kLong, 0xd0000000, 0xf0000000, 0x40000000, 0xe0000000, T::kNone, T::kNone,
 {F::kPredicate, F::kLocalSource, F::kDstMemory}},
{O::kStoreLocal, "LST", Form::kLong, 0xd0000000, 0xf0000000, 0x60000000, 0xe0000000, T::kNone, T::kNone,
 {F::kPredicate, F::kLocalDst, F::kDstMemory}},
{O::kLoadGlobal, "GLD", Form::kLong, 0xd0000000, 0xf0000000, 0x80000000, 0xe0000000, T::kNone, T::kNone,
 {F::kPredicate, F::kGlobalSource, F::kDstMemory}},
{O::kStoreGlobal, "GST", Form::kLong, 0xd0000000, 0xf0000000, 0xa0000000, 0xe0000000, T::kNone, T::kNone,
 {F::kPredicate, F::kGlobalDst, F::kDstMemory}},
// f
{O::kNop, "NOP", Form::kLong, 0xf0000000, 0xf0000000, 0xe0000000, 0xe0000004, T::kNone, T::kNone,
 {F::kPredicate}},
{O::kPerformanceEvent, "PMTRIG", Form::kLong, 0xf0000000, 0xf0000000, 0xe0000004, 0xe0000004, T::kNone, T::kNone,
 {F::kPredicate, F::kEvent}},
// ---- long control -----------------------------------------------------------------------------
{O::kDiscard, "KIL", Form::kLongControl, 0x00000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {F::kPredicate}},
{O::kBranch, "BRA", Form::kLongControl, 0x10000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {F::kPredicate, F::kTarget}},
{O::kCall, "CAL", Form::kLongControl, 0x20000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {F::kTarget, F::kLimited}, kIgnoredPredicate},
{O::kReturn, "RET", Form::kLongControl, 0x30000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {F::kPredicate}},
{O::kPreBreak, "PBK", Form::kLongControl, 0x40000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {F::kTarget}, kIgnoredPredicate},
{O::kBreak, "BRK", Form::kLongControl, 0x50000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {F::kPredicate}},
{O::kQuadOn, "QUADON", Form::kLongControl, 0x60000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {}, kIgnoredPredicate},
{O::kQuadPop, "QUADPOP", Form::kLongControl, 0x70000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {}, kIgnoredPredicate},
{O::kBarrier, "BAR", Form::kLongControl, 0x80000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {F::kBarrier}, kIgnoredPredicate},
{O::kTrap, "TRAP", Form::kLongControl, 0x90000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {}, kIgnoredPredicate},
{O::kSetSync, "SSY", Form::kLongControl, 0xa0000000, 0xf0000000, 0, 0, T::kNone, T::kNone, {F::kTarget}, kIgnoredPredicate},
};

constexpr RejectedRow kRejected[] = {
{Form::kShort, 0x80000000, 0xf0000000, 0, 0, false, "interpolation (graphics)"},
{Form::kShort, 0xf0000000, 0xf0000000, 0, 0, false, "texture instruction"},
{Form::kShortControl, 0xb0000000, 0xf0000000, 0, 0, true, "breakpoint needs sm_11"},
{Form::kLong, 0x00000000, 0xf0000000, 0x00000000, 0xe0000000, false, "load of vertex attributes (graphics)"},
{Form::kLong, 0x00000000, 0xf0000000, 0x80000000, 0xe0000000, false, "store to o[] (graphics)"},
{Form::kLong, 0x10000000, 0xf0000000, 0x40000000, 0xe0000000, true, "load from s[] (G2R) needs sm_11; use MOV"},
{Form::kLong, 0x10000000, 0xf0000000, 0x60000000, 0xe0000000, true, "vote needs sm_12"},
{Form::kLong, 0x80000000, 0xf0000000, 0, 0, false, "interpolation (graphics)"},
{Form::kLong, 0xa0000000, 0xf0000000, 0x00400000, 0x00400000, true, "64-bit conversion needs sm_13"},
{Form::kLong, 0xc0000000, 0xf0000000, 0x00100000, 0xe0100000, true, "saturating long FMUL needs sm_12; use FMUL32 or a saturating F2F"},
{Form::kLong, 0xc0000000, 0xf0000000, 0x80000000, 0x80000000, false, "quad operation (graphics)"},
{Form::kLong, 0xd0000000, 0xf0000000, 0xc0000000, 0xe0000000, true, "reduction on global memory needs sm_11"},
{Form::kLong, 0xd0000000, 0xf0000000, 0xe0000000, 0xe0000000, true, "atomic on global memory needs sm_11"},
{Form::kLong, 0xe0000000, 0xf0000000, 0x40000000, 0xc0000000, true, "double precision needs sm_13"},
{Form::kLong, 0xe0000000, 0xf0000000, 0x80000000, 0x80000000, true, "double precision needs sm_13"},
{Form::kLong, 0xf0000000, 0xf0000000, 0x00000000, 0x80000000, false, "texture instruction"},
{Form::kLong, 0xf0000000, 0xf0000000, 0x80000000, 0xe0000000, false, "texture instruction"},
{Form::kLong, 0xf0000000, 0xf0000000, 0xc0000000, 0xe0000000, false, "geometry output (graphics)"},
{Form::kLongControl, 0xb0000000, 0xf0000000, 0, 0, true, "breakpoint needs sm_11"},
{Form::kLongControl, 0xc0000000, 0xf0000000, 0, 0, true, "indirect branch needs a later architecture"},
{Form::kLongControl, 0xd0000000, 0xf0000000, 0, 0, true, "preset return needs a later architecture"},
};
// clang-format on

}  // namespace

RowRange rows() { return {kRows, std::size(kRows)}; }

RejectedRange rejected_rows() { return {kRejected, std::size(kRejected)}; }

Form form_of(const Words& words) {
  switch (words[0] & 3) {
    case 0:
      return Form::kShort;
    case 2:
      return Form::kShortControl;
    case 3:
      return Form::kLongControl;
    default:
      return (words[1] & 3) == 3 ? Form::kLongImmediate : Form::kLong;
  }
}

Words special_unit_bit(Form form) {
  if (form == Form::kShort) return kIgnoredUnitShort;
  return form == Form::kLong ? kIgnoredUnit : Words{};
}

Words form_bits(Form form) {
  switch (form) {
    case Form::kShort:
      return {0, 0};
    case Form::kShortControl:
      return {2, 0};
    case Form::kLong:
      return {1, 0};  // the marker is in word 1
    case Form::kLongImmediate:
      return {1, 3};
    case Form::kLongControl:
      return {3, 0};
  }
  return {0, 0};
}

Words form_mask(Form form) {
  const bool second = form == Form::kLong || form == Form::kLongImmediate;
  // Only bit 0 distinguishes short from long; bit 1 the control instructions.
  return {3, second ? 3u : 0u};
}

const Row* find_row(const Words& words) {
  const Form form = form_of(words);
  for (const Row& row : rows())
    if (row.form == form && matches(row, words)) return &row;
  return nullptr;
}

}  // namespace gvp::gpgpu::g80
