// SPDX-License-Identifier: Apache-2.0
// The interpreter: the hot path of the processor model.
//
// A block (block.h) is an array of operations, each with the address of the code that executes it.
// Every handler does its work on the register array and jumps straight to the next handler ("goto
// *(++op)->code"), so there is no loop, no decoding and no bounds check, and the host's branch
// predictor sees one indirect jump per handler.  Instruction and cycle counters cost one addition a
// block.  The last operation of a block knows the next block (a link, set when it is first taken),
// and the cycle limit is checked only there.  A load or store compares the address with a tag of a
// small page table (memory_path.h) and then accesses host memory.  Whatever does not fit goes to a
// slow handler, a function in engine_slow.cpp or engine_system.cpp, which answers whether to go on
// with the next operation or to leave: after an exception, a mode change, or a store into code.
//
// Computed goto is an extension of GCC and Clang; a switch in a loop is about a third slower.
#include <cstring>

#include "models/host/arithmetic.h"
#include "models/host/engine.h"
#include "models/host/jit/translator.h"

#pragma GCC diagnostic ignored "-Wpedantic"

namespace gvp::host {
namespace {

// MemoryPath::Page::offset is the difference of two addresses, so host addresses are numbers here.
template <typename T>
T read_host(uintptr_t address) {
  T value;
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

template <typename T>
void write_host(uintptr_t address, uint32_t value) {
  const T narrow = static_cast<T>(value);
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  std::memcpy(reinterpret_cast<void*>(address), &narrow, sizeof narrow);
}

bool has_code(const MemoryPath::Page& page, uint32_t address) {
  return (page.code_lines >> (address / BlockCache::kLineBytes % 64) & 1) != 0;
}

}  // namespace

const void* const* Engine::handlers() {
  const void* const* table = nullptr;
  interpret(nullptr, nullptr, &table);
  return table;
}

Engine::Exit Engine::execute(Block* block) { return interpret(this, block, nullptr); }

Engine::Exit Engine::interpret(Engine* engine, Block* block, const void* const** table) {
  static const void* const kHandlers[] = {
#define GVP_MICRO_OP(name) &&name,  // NOLINT(bugprone-macro-parentheses): a label
#include "models/host/micro_ops.def"
#undef GVP_MICRO_OP
  };
  if (engine == nullptr) {
    *table = kHandlers;
    return Exit::kContinue;
  }

  Engine& e = *engine;
  uint32_t* const r = e.state_.r.data();
  const MemoryPath::Page* const pages = e.memory_.pages();
  const uint32_t& limit = e.limit_;  // set to 0 to leave after the block
  uint32_t& carry = e.state_.carry;
  Count count = e.count_;
  const Op* op = nullptr;
  uint32_t address = 0;
  uint64_t wide = 0;

enter:
  e.recent_[e.recent_count_++ % kRecent] = block->pc;
  op = block->first;
  goto * op->code;

// ---- arithmetic and logic
// clang-format off
add_r:      wide = uint64_t{r[op->ra]} + r[op->rb]; carry = high(wide); r[op->rd] = low(wide);
            goto *(++op)->code;
add_i:      wide = uint64_t{r[op->ra]} + op->imm; carry = high(wide); r[op->rd] = low(wide);
            goto *(++op)->code;
addc_r:     wide = uint64_t{r[op->ra]} + r[op->rb] + carry; carry = high(wide);
            r[op->rd] = low(wide);
            goto *(++op)->code;
addc_i:     wide = uint64_t{r[op->ra]} + op->imm + carry; carry = high(wide); r[op->rd] = low(wide);
            goto *(++op)->code;
addk_r:     r[op->rd] = r[op->ra] + r[op->rb];                                   goto *(++op)->code;
addk_i:     r[op->rd] = r[op->ra] + op->imm;                                     goto *(++op)->code;
addkc_r:    r[op->rd] = r[op->ra] + r[op->rb] + carry;                           goto *(++op)->code;
addkc_i:    r[op->rd] = r[op->ra] + op->imm + carry;                             goto *(++op)->code;
rsub_r:     wide = uint64_t{r[op->rb]} + ~r[op->ra] + 1; carry = high(wide); r[op->rd] = low(wide);
            goto *(++op)->code;
rsub_i:     wide = uint64_t{op->imm} + ~r[op->ra] + 1; carry = high(wide); r[op->rd] = low(wide);
            goto *(++op)->code;
rsubc_r:    wide = uint64_t{r[op->rb]} + ~r[op->ra] + carry; carry = high(wide);
            r[op->rd] = low(wide);
            goto *(++op)->code;
rsubc_i:    wide = uint64_t{op->imm} + ~r[op->ra] + carry; carry = high(wide);
            r[op->rd] = low(wide);
            goto *(++op)->code;
rsubk_r:    r[op->rd] = r[op->rb] - r[op->ra];                                   goto *(++op)->code;
rsubk_i:    r[op->rd] = op->imm - r[op->ra];                                     goto *(++op)->code;
rsubkc_r:   r[op->rd] = r[op->rb] + ~r[op->ra] + carry;                          goto *(++op)->code;
rsubkc_i:   r[op->rd] = op->imm + ~r[op->ra] + carry;                            goto *(++op)->code;
cmp:        r[op->rd] =
                with_sign(r[op->rb] - r[op->ra], as_signed(r[op->ra]) > as_signed(r[op->rb]));
            goto *(++op)->code;
cmpu:       r[op->rd] = with_sign(r[op->rb] - r[op->ra], r[op->ra] > r[op->rb]); goto *(++op)->code;
set:        r[op->rd] = op->imm;                                                 goto *(++op)->code;
or_r:       r[op->rd] = r[op->ra] | r[op->rb];                                   goto *(++op)->code;
or_i:       r[op->rd] = r[op->ra] | op->imm;                                     goto *(++op)->code;
and_r:      r[op->rd] = r[op->ra] & r[op->rb];                                   goto *(++op)->code;
and_i:      r[op->rd] = r[op->ra] & op->imm;                                     goto *(++op)->code;
xor_r:      r[op->rd] = r[op->ra] ^ r[op->rb];                                   goto *(++op)->code;
xor_i:      r[op->rd] = r[op->ra] ^ op->imm;                                     goto *(++op)->code;
andn_r:     r[op->rd] = r[op->ra] & ~r[op->rb];                                  goto *(++op)->code;
pcmpbf:     r[op->rd] = first_equal_byte(r[op->ra], r[op->rb]);                  goto *(++op)->code;
pcmpeq:     r[op->rd] = r[op->ra] == r[op->rb];                                  goto *(++op)->code;
pcmpne:     r[op->rd] = r[op->ra] != r[op->rb];                                  goto *(++op)->code;
sra:        address = r[op->ra];
            carry = address & 1;
            r[op->rd] = low(static_cast<uint64_t>(as_signed(address) >> 1));
            goto *(++op)->code;
src:        address = r[op->ra]; r[op->rd] = address >> 1 | carry << 31; carry = address & 1;
            goto *(++op)->code;
srl:        address = r[op->ra]; carry = address & 1; r[op->rd] = address >> 1;  goto *(++op)->code;
sext8:      r[op->rd] = low(static_cast<uint64_t>(static_cast<int8_t>(r[op->ra])));
            goto *(++op)->code;
sext16:     r[op->rd] = low(static_cast<uint64_t>(static_cast<int16_t>(r[op->ra])));
            goto *(++op)->code;
clz:        r[op->rd] = r[op->ra] == 0 ? 32 : low(static_cast<uint64_t>(__builtin_clz(r[op->ra])));
            goto *(++op)->code;
swapb:      r[op->rd] = __builtin_bswap32(r[op->ra]);                            goto *(++op)->code;
swaph:      r[op->rd] = r[op->ra] << 16 | r[op->ra] >> 16;                       goto *(++op)->code;
bsrl_r:     r[op->rd] = r[op->ra] >> (r[op->rb] & 31);                           goto *(++op)->code;
bsra_r:     r[op->rd] = low(static_cast<uint64_t>(as_signed(r[op->ra]) >> (r[op->rb] & 31)));
            goto *(++op)->code;
bsll_r:     r[op->rd] = r[op->ra] << (r[op->rb] & 31);                           goto *(++op)->code;
bsrl_i:     r[op->rd] = r[op->ra] >> (op->imm & 31);                             goto *(++op)->code;
bsra_i:     r[op->rd] = low(static_cast<uint64_t>(as_signed(r[op->ra]) >> (op->imm & 31)));
            goto *(++op)->code;
bsll_i:     r[op->rd] = r[op->ra] << (op->imm & 31);                             goto *(++op)->code;
bsefi:      r[op->rd] = extract_field(r[op->ra], op->imm);                       goto *(++op)->code;
bsifi:      r[op->rd] = insert_field(r[op->rd], r[op->ra], op->imm);             goto *(++op)->code;
mul_r:      r[op->rd] = r[op->ra] * r[op->rb];                                   goto *(++op)->code;
mul_i:      r[op->rd] = r[op->ra] * op->imm;                                     goto *(++op)->code;
mulh:       r[op->rd] =
                high(static_cast<uint64_t>(int64_t{as_signed(r[op->ra])} * as_signed(r[op->rb])));
            goto *(++op)->code;
mulhsu:     r[op->rd] =
                high(static_cast<uint64_t>(int64_t{as_signed(r[op->ra])} * int64_t{r[op->rb]}));
            goto *(++op)->code;
mulhu:      r[op->rd] = high(uint64_t{r[op->ra]} * r[op->rb]);                   goto *(++op)->code;
idiv:       if (r[op->ra] == 0 || (r[op->ra] == 0xffffffff && r[op->rb] == 0x80000000))
              goto divide_trouble;
            r[op->rd] = low(static_cast<uint64_t>(as_signed(r[op->rb]) / as_signed(r[op->ra])));
            goto *(++op)->code;
idivu:      if (r[op->ra] == 0) goto divide_trouble; r[op->rd] = r[op->rb] / r[op->ra];
            goto *(++op)->code;
// clang-format on
divide_trouble:
  e.count_ = count;
  if (e.divide_exception(*block, *op) == Next::kLeave) return Exit::kContinue;
  goto*(++op)->code;
fpu:
  e.count_ = count;
  if (e.fpu_slow(*block, *op) == Next::kLeave) return Exit::kContinue;
  goto*(++op)->code;

// ---- memory
lbu_r:
  address = r[op->ra] + r[op->rb];
  goto load_byte;
lbu_i:
  address = r[op->ra] + op->imm;
load_byte : {
  const MemoryPath::Page& page = pages[MemoryPath::index(address)];
  if ((address & 0xfffff000) != page.read_tag) goto load_slowly;
  count += page.read_cycles;
  r[op->rd] = read_host<uint8_t>(page.offset + address);
  goto*(++op)->code;
}
lhu_r:
  address = r[op->ra] + r[op->rb];
  goto load_half;
lhu_i:
  address = r[op->ra] + op->imm;
load_half : {
  const MemoryPath::Page& page = pages[MemoryPath::index(address)];
  if ((address & 0xfffff001) != page.read_tag) goto load_slowly;
  count += page.read_cycles;
  r[op->rd] = read_host<uint16_t>(page.offset + address);
  goto*(++op)->code;
}
lw_r : {
  address = r[op->ra] + r[op->rb];
  const MemoryPath::Page& page = pages[MemoryPath::index(address)];
  if ((address & 0xfffff003) != page.read_tag) goto load_slowly;
  count += page.read_cycles;
  r[op->rd] = read_host<uint32_t>(page.offset + address);
  goto*(++op)->code;
}
lw_i : {
  address = r[op->ra] + op->imm;
  const MemoryPath::Page& page = pages[MemoryPath::index(address)];
  if ((address & 0xfffff003) != page.read_tag) goto load_slowly;
  count += page.read_cycles;
  r[op->rd] = read_host<uint32_t>(page.offset + address);
  goto*(++op)->code;
}
sb_r:
  address = r[op->ra] + r[op->rb];
  goto store_byte;
sb_i:
  address = r[op->ra] + op->imm;
store_byte : {
  const MemoryPath::Page& page = pages[MemoryPath::index(address)];
  if ((address & 0xfffff000) != page.write_tag || has_code(page, address)) goto store_slowly;
  count += page.write_cycles;
  write_host<uint8_t>(page.offset + address, r[op->rd]);
  goto*(++op)->code;
}
sh_r:
  address = r[op->ra] + r[op->rb];
  goto store_half;
sh_i:
  address = r[op->ra] + op->imm;
store_half : {
  const MemoryPath::Page& page = pages[MemoryPath::index(address)];
  if ((address & 0xfffff001) != page.write_tag || has_code(page, address)) goto store_slowly;
  count += page.write_cycles;
  write_host<uint16_t>(page.offset + address, r[op->rd]);
  goto*(++op)->code;
}
sw_r : {
  address = r[op->ra] + r[op->rb];
  const MemoryPath::Page& page = pages[MemoryPath::index(address)];
  if ((address & 0xfffff003) != page.write_tag || has_code(page, address)) goto store_slowly;
  count += page.write_cycles;
  write_host<uint32_t>(page.offset + address, r[op->rd]);
  goto*(++op)->code;
}
sw_i : {
  address = r[op->ra] + op->imm;
  const MemoryPath::Page& page = pages[MemoryPath::index(address)];
  if ((address & 0xfffff003) != page.write_tag || has_code(page, address)) goto store_slowly;
  count += page.write_cycles;
  write_host<uint32_t>(page.offset + address, r[op->rd]);
  goto*(++op)->code;
}
load_r:
  address = r[op->ra] + r[op->rb];
  goto load_slowly;
load_i:
  address = r[op->ra] + op->imm;
load_slowly:
  e.count_ = count;
  if (e.load_slow(*block, *op, address) == Next::kLeave) return Exit::kContinue;
  count = e.count_;
  goto*(++op)->code;
store_r:
  address = r[op->ra] + r[op->rb];
  goto store_slowly;
store_i:
  address = r[op->ra] + op->imm;
store_slowly:
  e.count_ = count;
  if (e.store_slow(*block, *op, address) == Next::kLeave) return Exit::kContinue;
  count = e.count_;
  goto*(++op)->code;

// ---- system
system:
  e.count_ = count;
  if (e.system_slow(*block, *op) == Next::kLeave)
    return e.stalled_ ? Exit::kStalled : Exit::kContinue;
  count = e.count_;
  goto*(++op)->code;
raise:
  e.count_ = count;
  if (e.raise_slow(*block, *op) == Next::kLeave) return Exit::kContinue;
  goto*(++op)->code;
count_fetches:
  e.memory_.caches().count_fetches(block->words);
  goto*(++op)->code;
prepare_branch:
  e.count_ = count;
  if (e.prepare_branch(*block, *op) == Next::kLeave) return Exit::kContinue;
  goto*(++op)->code;

// ---- translation
heat:
  if (--block->heat != 0) goto*(++op)->code;
  e.translator_->translate(*block);
translated : {
  e.count_ = count;
  --e.recent_count_;  // translated code notes its blocks itself
  const Translator::Left left = e.translator_->run(*block);
  if (left.block == nullptr) return left.exit;
  count = e.count_;
  block = left.block;
  if (left.operation == nullptr) goto enter;
  op = left.operation;
  goto * op->code;
}

// ---- ends of blocks
branch_eq:
  if (r[op->ra] == 0) goto take;
  goto fall_through;
branch_ne:
  if (r[op->ra] != 0) goto take;
  goto fall_through;
branch_lt:
  if (as_signed(r[op->ra]) < 0) goto take;
  goto fall_through;
branch_le:
  if (as_signed(r[op->ra]) <= 0) goto take;
  goto fall_through;
branch_gt:
  if (as_signed(r[op->ra]) > 0) goto take;
  goto fall_through;
branch_ge:
  if (as_signed(r[op->ra]) >= 0) goto take;
  goto fall_through;
branch:
take : {
  count += block->cost_taken;
  if (Block* next = block->taken; next != nullptr && cycles_of(count) < limit) {
    block = next;
    goto enter;
  }
  e.count_ = count;
  e.state_.pc = block->target;
  if (cycles_of(count) >= limit) return Exit::kContinue;
  Block* next = e.next_block(block->target);
  if (next == nullptr) return Exit::kContinue;
  count = e.count_;  // the next block may have had to be fetched
  if (block->taken_chainable && block->alive && next->kept) block->taken = next;
  block = next;
  goto enter;
}
fall_through : {
  count += block->cost_fall;
  if (Block* next = block->fall; next != nullptr && cycles_of(count) < limit) {
    block = next;
    goto enter;
  }
  e.count_ = count;
  e.state_.pc = block->next_pc;
  if (cycles_of(count) >= limit) return Exit::kContinue;
  Block* next = e.next_block(block->next_pc);
  if (next == nullptr) return Exit::kContinue;
  count = e.count_;
  if (block->fall_chainable && block->alive && next->kept) block->fall = next;
  block = next;
  goto enter;
}
branch_register:
  address = (r[op->rb] + op->imm) & ~3u;
  goto indirect;
branch_prepared:
  address = e.state_.branch_target;
indirect : {
  count += block->cost_taken;
  if (cycles_of(count) < limit) {
    const JumpEntry& entry = e.jumps_[address / 4 % kJumpEntries];
    if (entry.pc == address) {
      block = entry.block;
      goto enter;
    }
  }
  e.count_ = count;
  e.state_.pc = address;
  if (cycles_of(count) >= limit) return Exit::kContinue;
  block = e.next_block(address);
  if (block == nullptr) return Exit::kContinue;
  count = e.count_;
  goto enter;
}
branch_self:
  e.count_ = count + block->cost_taken;
  e.state_.pc = block->branch_pc - (block->branch_has_imm ? 4 : 0);
  return Exit::kSelfBranch;
return_system:
  e.count_ = count + block->cost_taken;
  e.return_from_system(*block);
  return Exit::kContinue;
break_to:
  e.count_ = count;
  if (e.break_to(*block, *op) == Next::kNext) e.count_ += block->cost_taken;
  return Exit::kContinue;
barrier:
  e.count_ = count;
  return e.barrier(*block);
imm_across:
  e.count_ = count + block->cost_fall;
  e.state_.imm_valid = true;
  e.state_.imm = static_cast<uint16_t>(op->imm);
  e.state_.pc = block->next_pc;
  return Exit::kContinue;
slot_across:
  e.count_ = count + block->cost_fall;
  e.slot_across(*block);
  return Exit::kContinue;
breakpoint:
  e.count_ = count + block->cost_fall;
  e.state_.pc = block->next_pc;
  return Exit::kBreakpoint;
dead:
  e.count_ = count;
  e.state_.pc = block->pc;
  return Exit::kContinue;
}

}  // namespace gvp::host
