// SPDX-License-Identifier: Apache-2.0
// What kcc corrects in the PTX that clang generates.
#pragma once

#include <set>
#include <string>

namespace gvp::kcc {

// LLVM 14 turns (long long)x << 31, and with it a product by 2^31 or -2^31, into a wide product by
// 2^31, which as a number of 32 bits is -2^31: mul.wide.s32 d, x, -2147483648.  It never writes
// that where it means it (it makes the shift first), so each of them becomes the shift again.  The
// lines stay where they are.
std::string with_wide_shifts(const std::string& ptx);

// LLVM 14 writes rotations for this target as two shifts by the number it has, which for it need
// not be below the width: it takes "& 31" off ~(1u << (x & 31)), for one.  Shifts by more leave
// nothing, so the number is made to be below it.  The lines stay where they are.
std::string with_whole_rotations(const std::string& ptx);

// LLVM 14 makes ((long long)x >> s) & mask, s above 32, a bit field of x, also where the mask
// reaches bits that the shift has brought in: bfe.u64 d, x, 43, 32 is to have x's sign where it has
// zeros. It writes no field beyond the end where it means zeros (there it leaves out the mask), so
// each of them becomes the shift and the mask again.  The lines stay where they are.
std::string with_shifted_signs(const std::string& ptx);

// Says of these functions that they are not to be inlined (.pragma "noinline"), which LLVM does
// not.
std::string with_separate_functions(const std::string& ptx, const std::set<std::string>& names);

}  // namespace gvp::kcc
