// SPDX-License-Identifier: Apache-2.0
// What the interpreter's fast operations do: arithmetic, and loads and stores that find their page
// in the page table.  Each is a function that becomes part of the handlers that need it
// (engine_execute.cpp): its own, and those of its pairs.
//
// A function answers whether it did the operation.  If not (a divisor of zero, a page that is not
// in the table, an unaligned address, a store into code) nothing has happened, and
// Engine::perform_slow() does it all.
#pragma once

#include <cstring>

#include "models/host/arithmetic.h"
#include "models/host/block.h"
#include "models/host/block_cache.h"
#include "models/host/direct_lanes.h"
#include "models/host/page_table.h"
#include "models/host/state.h"

namespace gvp::host {

// PageTable::Page::offset is the difference of two addresses, so host addresses are numbers here.
template <typename T>
[[gnu::always_inline]] inline bool fast_load(uint32_t& to, uint32_t address,
                                             const PageTable::Page* pages, Count& count,
                                             DirectLanes& lanes) {
  const PageTable::Page& page = pages[PageTable::index(address)];
  if ((address & PageTable::tag_mask(sizeof(T))) != page.read_tag) return false;
  count += page.read_cycles;
  lanes.reads<T>() += page.lanes;
  T value;
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  std::memcpy(&value, reinterpret_cast<const void*>(page.offset + address), sizeof value);
  to = value;
  return true;
}

template <typename T>
[[gnu::always_inline]] inline bool fast_store(uint32_t from, uint32_t address,
                                              const PageTable::Page* pages, Count& count,
                                              DirectLanes& lanes) {
  const PageTable::Page& page = pages[PageTable::index(address)];
  const bool has_code = (page.code_lines >> (address / BlockCache::kLineBytes % 64) & 1) != 0;
  if ((address & PageTable::tag_mask(sizeof(T))) != page.write_tag || has_code) return false;
  count += page.write_cycles;
  lanes.writes<T>() += page.lanes;
  const T value = static_cast<T>(from);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  std::memcpy(reinterpret_cast<void*>(page.offset + address), &value, sizeof value);
  return true;
}

inline void with_carry(uint32_t& destination, uint32_t& carry, uint64_t sum) {
  carry = high(sum);
  destination = low(sum);
}

template <MicroOp kOperation>
bool perform(const Op& op, State& state, const PageTable::Page* pages, Count& count,
             DirectLanes& lanes);

// A, B: source registers; I: immediate; D: destination; C: carry.
#define A state.r[op.ra]
#define B state.r[op.rb]
#define I op.imm
#define D state.r[op.rd]
#define C state.carry
#define GVP_PERFORM(name)                                                           \
  template <>                                                                       \
  [[gnu::always_inline]] inline bool perform<MicroOp::name>(                        \
      [[maybe_unused]] const Op& op, [[maybe_unused]] State& state,                 \
      [[maybe_unused]] const PageTable::Page* pages, [[maybe_unused]] Count& count, \
      [[maybe_unused]] DirectLanes& lanes)
#define GVP_FAST(name, statement) \
  GVP_PERFORM(name) {             \
    statement;                    \
    return true;                  \
  }
#define GVP_LOAD(name, type, address) \
  GVP_PERFORM(name) { return fast_load<type>(D, address, pages, count, lanes); }
#define GVP_STORE(name, type, address) \
  GVP_PERFORM(name) { return fast_store<type>(D, address, pages, count, lanes); }

// clang-format off
GVP_FAST(add_r,   with_carry(D, C, uint64_t{A} + B))
GVP_FAST(add_i,   with_carry(D, C, uint64_t{A} + I))
GVP_FAST(addc_r,  with_carry(D, C, uint64_t{A} + B + C))
GVP_FAST(addc_i,  with_carry(D, C, uint64_t{A} + I + C))
GVP_FAST(addk_r,  D = A + B)
GVP_FAST(addk_i,  D = A + I)
GVP_FAST(addkc_r, D = A + B + C)
GVP_FAST(addkc_i, D = A + I + C)
GVP_FAST(rsub_r,  with_carry(D, C, uint64_t{B} + ~A + 1))
GVP_FAST(rsub_i,  with_carry(D, C, uint64_t{I} + ~A + 1))
GVP_FAST(rsubc_r, with_carry(D, C, uint64_t{B} + ~A + C))
GVP_FAST(rsubc_i, with_carry(D, C, uint64_t{I} + ~A + C))
GVP_FAST(rsubk_r, D = B - A)
GVP_FAST(rsubk_i, D = I - A)
GVP_FAST(rsubkc_r, D = B + ~A + C)
GVP_FAST(rsubkc_i, D = I + ~A + C)
GVP_FAST(cmp,     D = with_sign(B - A, as_signed(A) > as_signed(B)))
GVP_FAST(cmpu,    D = with_sign(B - A, A > B))
GVP_FAST(set,     D = I)
GVP_FAST(or_r,    D = A | B)
GVP_FAST(or_i,    D = A | I)
GVP_FAST(and_r,   D = A & B)
GVP_FAST(and_i,   D = A & I)
GVP_FAST(xor_r,   D = A ^ B)
GVP_FAST(xor_i,   D = A ^ I)
GVP_FAST(andn_r,  D = A & ~B)
GVP_FAST(pcmpbf,  D = first_equal_byte(A, B))
GVP_FAST(pcmpeq,  D = A == B)
GVP_FAST(pcmpne,  D = A != B)
GVP_FAST(sra,     const uint32_t a = A; C = a & 1;
                  D = low(static_cast<uint64_t>(as_signed(a) >> 1)))
GVP_FAST(src,     const uint32_t a = A; D = a >> 1 | C << 31; C = a & 1)
GVP_FAST(srl,     const uint32_t a = A; C = a & 1; D = a >> 1)
GVP_FAST(sext8,   D = low(static_cast<uint64_t>(static_cast<int8_t>(A))))
GVP_FAST(sext16,  D = low(static_cast<uint64_t>(static_cast<int16_t>(A))))
GVP_FAST(clz,     D = A == 0 ? 32 : low(static_cast<uint64_t>(__builtin_clz(A))))
GVP_FAST(swapb,   D = __builtin_bswap32(A))
GVP_FAST(swaph,   D = A << 16 | A >> 16)
GVP_FAST(bsrl_r,  D = A >> (B & 31))
GVP_FAST(bsra_r,  D = low(static_cast<uint64_t>(as_signed(A) >> (B & 31))))
GVP_FAST(bsll_r,  D = A << (B & 31))
GVP_FAST(bsrl_i,  D = A >> (I & 31))
GVP_FAST(bsra_i,  D = low(static_cast<uint64_t>(as_signed(A) >> (I & 31))))
GVP_FAST(bsll_i,  D = A << (I & 31))
GVP_FAST(bsefi,   D = extract_field(A, I))
GVP_FAST(bsifi,   D = insert_field(D, A, I))
GVP_FAST(mul_r,   D = A * B)
GVP_FAST(mul_i,   D = A * I)
GVP_FAST(mulh,    D = high(static_cast<uint64_t>(int64_t{as_signed(A)} * as_signed(B))))
GVP_FAST(mulhsu,  D = high(static_cast<uint64_t>(int64_t{as_signed(A)} * int64_t{B})))
GVP_FAST(mulhu,   D = high(uint64_t{A} * B))
GVP_FAST(idiv,    if (A == 0 || (A == 0xffffffff && B == 0x80000000)) return false;
                  D = low(static_cast<uint64_t>(as_signed(B) / as_signed(A))))
GVP_FAST(idivu,   if (A == 0) return false; D = B / A)
GVP_LOAD(lbu_r, uint8_t, A + B)
GVP_LOAD(lbu_i, uint8_t, A + I)
GVP_LOAD(lhu_r, uint16_t, A + B)
GVP_LOAD(lhu_i, uint16_t, A + I)
GVP_LOAD(lw_r, uint32_t, A + B)
GVP_LOAD(lw_i, uint32_t, A + I)
GVP_STORE(sb_r, uint8_t, A + B)
GVP_STORE(sb_i, uint8_t, A + I)
GVP_STORE(sh_r, uint16_t, A + B)
GVP_STORE(sh_i, uint16_t, A + I)
GVP_STORE(sw_r, uint32_t, A + B)
GVP_STORE(sw_i, uint32_t, A + I)
// clang-format on
#undef A
#undef B
#undef I
#undef D
#undef C
#undef GVP_PERFORM
#undef GVP_FAST
#undef GVP_LOAD
#undef GVP_STORE

// Whether the branch that ends a block is taken.
template <MicroOp kOperation>
[[gnu::always_inline]] inline bool is_taken(uint32_t value) {
  switch (kOperation) {
    case MicroOp::branch_eq:
      return value == 0;
    case MicroOp::branch_ne:
      return value != 0;
    case MicroOp::branch_lt:
      return as_signed(value) < 0;
    case MicroOp::branch_le:
      return as_signed(value) <= 0;
    case MicroOp::branch_gt:
      return as_signed(value) > 0;
    case MicroOp::branch_ge:
      return as_signed(value) >= 0;
    default:
      return kOperation == MicroOp::branch;
  }
}

}  // namespace gvp::host
