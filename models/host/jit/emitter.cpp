// SPDX-License-Identifier: Apache-2.0
// The frame of translated code: how it is entered and left, how a block is put together, and the
// calls of slow handlers.
#include "models/host/jit/emitter.h"

#include <algorithm>

#include "models/base/error.h"
#include "models/host/direct_lanes.h"

namespace gvp::host {
namespace {

using namespace asmjit;  // NOLINT(google-build-using-namespace)
using namespace asmjit::x86;

// The guest registers that GCC's code uses most: stack pointer, results and arguments.
constexpr std::array<uint8_t, 9> kPinned = {1, 3, 4, 5, 6, 7, 8, 9, 10};
constexpr std::array<uint8_t, 9> kPinnedHost = {Gp::kIdSi,  Gp::kIdDi,  Gp::kIdR8,
                                                Gp::kIdR9,  Gp::kIdR10, Gp::kIdR11,
                                                Gp::kIdR12, Gp::kIdR13, Gp::kIdR14};

constexpr std::array<int8_t, 33> host_numbers() {
  std::array<int8_t, 33> result{};
  for (auto& number : result) number = -1;
  for (size_t i = 0; i < kPinned.size(); ++i)
    result[kPinned[i]] = static_cast<int8_t>(kPinnedHost[i]);
  return result;
}
constexpr std::array<int8_t, 33> kHostNumbers = host_numbers();

constexpr uint32_t kRecentEntryBytes = 4;
constexpr uint32_t kLaneRegisters = 6;
static_assert(sizeof(DirectLanes) == kLaneRegisters * sizeof(Lanes));

}  // namespace

Emitter::Emitter(const NativeLayout& layout)
    : layout_(layout), has_bmi2_(CpuInfo::host().features().x86().hasBMI2()) {}

void Emitter::handleError(asmjit::Error error, const char* message, BaseEmitter*) {
  throw model_error(std::string("translating to machine code: ") + message + " (" +
                        DebugUtils::errorAsString(error) + ")",
                    "host", "set host.engine = \"interpreter\"");
}

void Emitter::begin(uint64_t base) {
  code_.reset();
  code_.init(Environment::host(), base);
  code_.setErrorHandler(this);
  code_.attach(&a_);
}

Emitter::Code Emitter::end() {
  if (code_.hasUnresolvedLinks() || code_.hasRelocEntries())
    throw model_error("translated code is out of reach of its surroundings", "host");
  const CodeBuffer& buffer = code_.textSection()->buffer();
  return {buffer.data(), buffer.size()};
}

int Emitter::host_number(unsigned guest) { return kHostNumbers[guest]; }
Gp Emitter::host(unsigned guest) { return gpd(static_cast<uint32_t>(kHostNumbers[guest])); }
Mem Emitter::memory(unsigned guest) { return dword_ptr(rbp, static_cast<int32_t>(guest) * 4); }

Operand Emitter::value(unsigned guest) {
  if (pinned(guest)) return host(guest);
  return memory(guest);
}

Operand Emitter::second(const Op& op, bool immediate) const {
  if (immediate) return Imm(static_cast<int32_t>(op.imm));
  if (pinned(op.rb)) return host(op.rb);
  return memory(op.rb);
}

Gp Emitter::result_register(unsigned rd) {
  if (pinned(rd)) return host(rd);
  return eax;
}

void Emitter::move(const Gp& to, unsigned guest) {
  if (guest == 0) {
    a_.mov(to, 0);  // not xor: flags stay
  } else if (!pinned(guest)) {
    a_.mov(to, memory(guest));
  } else if (host(guest) != to) {
    a_.mov(to, host(guest));
  }
}

void Emitter::write(unsigned rd, const Gp& from) {
  if (!pinned(rd)) {
    a_.mov(memory(rd), from);
    if (from == eax) eax_after_ = static_cast<int>(rd);
  } else if (host(rd) != from) {
    a_.mov(host(rd), from);
  }
}

Mem Emitter::carry(uint32_t bytes) const { return ptr(rbp, layout_.carry, bytes); }

void Emitter::load_pinned() {
  for (const uint8_t guest : kPinned) a_.mov(host(guest), memory(guest));
}

void Emitter::store_pinned() {
  for (const uint8_t guest : kPinned) a_.mov(memory(guest), host(guest));
}

void Emitter::clear_lanes() {
  for (uint32_t i = 0; i < kLaneRegisters; ++i) a_.pxor(xmm(i), xmm(i));
}

// Adds them to the engine's.
void Emitter::store_lanes() {
  for (uint32_t i = 0; i < kLaneRegisters; ++i) {
    const Mem sum = xmmword_ptr(rbp, layout_.lanes + static_cast<int32_t>(i * sizeof(Lanes)));
    a_.movdqu(xmm6, sum);
    a_.paddd(xmm6, xmm(i));
    a_.movdqu(sum, xmm6);
  }
}

Emitter::Code Emitter::stubs(uint64_t base, const CommonWaysOut& ways_out, void* translator,
                             SlowHandler handler, Stubs& stubs) {
  begin(base);
  const auto here = [&] {
    a_.align(AlignMode::kCode, 16);
    return base + a_.offset();
  };
  constexpr std::array<uint8_t, 6> kSaved = {Gp::kIdBp,  Gp::kIdBx,  Gp::kIdR12,
                                             Gp::kIdR13, Gp::kIdR14, Gp::kIdR15};
  stubs.enter = here();
  for (const uint8_t number : kSaved) a_.push(gpq(number));
  a_.sub(rsp, 8);  // translated code runs with an aligned stack
  a_.mov(rbp, rdi);
  a_.mov(rax, rsi);
  a_.mov(rbx, qword_ptr(rbp, layout_.count));
  a_.mov(r15d, dword_ptr(rbp, layout_.recent_count));
  a_.and_(r15d, 63);
  a_.shl(r15d, 2);
  load_pinned();
  clear_lanes();
  a_.jmp(rax);

  stubs.exit = here();
  store_pinned();
  store_lanes();
  a_.mov(qword_ptr(rbp, layout_.count), rbx);
  a_.shr(r15d, 2);
  a_.mov(dword_ptr(rbp, layout_.recent_count), r15d);
  a_.add(rsp, 8);
  for (size_t i = kSaved.size(); i-- > 0;) a_.pop(gpq(kSaved[i]));
  a_.ret();

  // In: eax address, ecx operation, rdx block; called with the stack aligned.
  stubs.slow = here();
  store_pinned();
  store_lanes();
  a_.mov(qword_ptr(rbp, layout_.count), rbx);
  a_.sub(rsp, 8);
  a_.mov(rsi, rdx);
  a_.mov(edx, ecx);
  a_.mov(ecx, eax);
  a_.mov(rdi, imm(translator));
  a_.mov(rax, imm(reinterpret_cast<uint64_t>(handler)));
  a_.call(rax);
  a_.add(rsp, 8);
  load_pinned();
  clear_lanes();
  a_.mov(rbx, qword_ptr(rbp, layout_.count));
  const Label leave = a_.newLabel();
  a_.test(al, al);
  a_.jnz(leave);
  a_.ret();
  a_.bind(leave);
  a_.add(rsp, 8);  // the address to return to
  a_.mov(rax, imm(&ways_out.leave));
  a_.jmp(imm(stubs.exit));

  stubs.indirect = here();
  a_.mov(dword_ptr(rbp, layout_.pc), eax);
  a_.mov(rax, imm(&ways_out.indirect));
  a_.jmp(imm(stubs.exit));

  stubs.block = here();
  a_.mov(rax, imm(&ways_out.block));
  a_.jmp(imm(stubs.exit));
  return end();
}

Emitter::Code Emitter::block(uint64_t base, uint32_t position, const Block& block,
                             const Stubs& stubs, TranslatedBlock& translated) {
  begin(base);
  block_ = &block;
  stubs_ = &stubs;
  translated_ = &translated;
  position_ = position;
  out_of_line_.clear();
  eax_after_ = -1;
  block_slow_ = a_.newLabel();
  cost_taken_ = a_.newLabel();
  cost_fall_ = a_.newLabel();
  fetched_taken_ = a_.newLabel();
  fetched_fall_ = a_.newLabel();
  a_.mov(dword_ptr(rbp, r15, 0, layout_.recent), static_cast<int32_t>(block.pc));
  a_.add(r15b, kRecentEntryBytes);
  a_.mov(qword_ptr(rbp, layout_.entered), rbx);
  if (block.elsewhere) {
    a_.add(qword_ptr(rbp, layout_.fetched + int32_t{block.source} * 8), block.words);
    a_.add(qword_ptr(rbp, layout_.elsewhere), block.words);
  }
  for (size_t i = 0; i < block.ops.size(); ++i) {
    eax_before_ = eax_after_;
    eax_after_ = -1;
    operation(i);
  }
  finish_block();
  return end();
}

void Emitter::operation(size_t index) {
  using M = MicroOp;
  const MicroOp what = block_->places[index].op;
  if (arithmetic(index, what) || shift_or_multiply(index, what)) return;
  const Op& op = block_->ops[index];
  switch (what) {
    case M::heat:
      return;
    case M::lbu_r:
    case M::lbu_i:
      return load(index, 1, what == M::lbu_i);
    case M::lhu_r:
    case M::lhu_i:
      return load(index, 2, what == M::lhu_i);
    case M::lw_r:
    case M::lw_i:
      return load(index, 4, what == M::lw_i);
    case M::sb_r:
    case M::sb_i:
      return store(index, 1, what == M::sb_i);
    case M::sh_r:
    case M::sh_i:
      return store(index, 2, what == M::sh_i);
    case M::sw_r:
    case M::sw_i:
      return store(index, 4, what == M::sw_i);
    case M::load_r:
    case M::store_r:
      return slow_access(index, false);
    case M::load_i:
    case M::store_i:
      return slow_access(index, true);
    case M::fpu:
    case M::system:
    case M::raise:
      return slow(index);
    case M::prepare_branch:
      return prepare_branch(index);
    case M::fall_through:
      return go(false, false);
    case M::branch:
      return go(true, true);
    case M::branch_eq:
      return branch_if(op, Inst::kIdJz);
    case M::branch_ne:
      return branch_if(op, Inst::kIdJnz);
    case M::branch_lt:
      return branch_if(op, Inst::kIdJl);
    case M::branch_le:
      return branch_if(op, Inst::kIdJle);
    case M::branch_gt:
      return branch_if(op, Inst::kIdJg);
    case M::branch_ge:
      return branch_if(op, Inst::kIdJge);
    case M::branch_register:
      return branch_register(op);
    case M::branch_prepared:
      return branch_prepared();
    default:
      return leave_to_interpreter(index);
  }
}

// The whole operation by its slow handler; eax: the address, if it needs one.
void Emitter::slow(size_t index) {
  a_.mov(ecx, static_cast<uint32_t>(index));
  a_.call(block_slow_);
}

void Emitter::slow_access(size_t index, bool immediate) {
  const Gp at = address(block_->ops[index], immediate);
  if (at != eax) a_.mov(eax, at);
  slow(index);
}

Label Emitter::out_of_line(size_t index, Label back, const Gp& address) {
  OutOfLine part;
  part.label = a_.newLabel();
  part.back = back;
  part.operation = index;
  part.address = address;
  out_of_line_.push_back(part);
  return part.label;
}

// What stands behind the block's main line.
void Emitter::finish_block() {
  for (size_t i = 0; i < out_of_line_.size(); ++i) {
    const OutOfLine part = out_of_line_[i];
    a_.bind(part.label);
    if (part.kind == OutOfLine::Kind::kCodeLines) {
      check_code_lines(part);
    } else {
      if (part.address != eax) a_.mov(eax, part.address);
      slow(part.operation);
      a_.jmp(part.back);
    }
  }
  a_.bind(block_slow_);
  a_.mov(rdx, imm(block_));
  a_.jmp(imm(stubs_->slow));
  a_.align(AlignMode::kData, 8);
  // Without accesses it is known now which of the two takes longer.
  const bool known = !block_->has_accesses;
  a_.bind(cost_taken_);
  a_.embedUInt64(known ? std::max(block_->cost_taken, block_->fetched_taken) : block_->cost_taken);
  a_.bind(cost_fall_);
  a_.embedUInt64(known ? std::max(block_->cost_fall, block_->fetched_fall) : block_->cost_fall);
  a_.bind(fetched_taken_);
  a_.embedUInt64(block_->fetched_taken);
  a_.bind(fetched_fall_);
  a_.embedUInt64(block_->fetched_fall);
}

}  // namespace gvp::host
