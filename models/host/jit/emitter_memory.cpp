// SPDX-License-Identifier: Apache-2.0
// Loads and stores: the interpreter's page table (page_table.h), looked up in line.
#include <cstddef>

#include "models/host/block_cache.h"
#include "models/host/jit/emitter.h"
#include "models/host/page_table.h"

namespace gvp::host {
namespace {

using namespace asmjit;  // NOLINT(google-build-using-namespace)
using namespace asmjit::x86;
using Page = PageTable::Page;

// An entry's place in the table, in bytes, is address >> kIndexShift & kIndexMask.
static_assert(sizeof(Page) == 64 && PageTable::kPageBytes == 4096);
constexpr uint32_t kIndexShift = 12 - 6;
constexpr int32_t kIndexMask = -static_cast<int32_t>(sizeof(Page));
constexpr uint32_t kLineShift = 6;
static_assert(BlockCache::kLineBytes == 1u << kLineShift);

// Of the entry that rcx points to.
Mem entry(size_t member, uint32_t bytes) { return ptr(rcx, static_cast<int32_t>(member), bytes); }
constexpr int32_t kLanesInPage = offsetof(Page, lanes);
static_assert(kLanesInPage % sizeof(Lanes) == 0, "an operand of paddd");

}  // namespace

// The effective address in eax, or in the base register where they are the same.
Gp Emitter::address(const Op& op, bool immediate) {
  const bool base_pinned = pinned(op.ra);
  if (immediate) {
    if (base_pinned && op.imm == 0) return host(op.ra);
    if (op.ra == 0) {
      a_.mov(eax, op.imm);
    } else if (base_pinned) {
      a_.lea(eax, ptr(host(op.ra).r64(), static_cast<int32_t>(op.imm)));
    } else {
      a_.mov(eax, memory(op.ra));
      if (op.imm != 0) a_.add(eax, static_cast<int32_t>(op.imm));
    }
    return eax;
  }
  if (base_pinned && pinned(op.rb)) {
    a_.lea(eax, ptr(host(op.ra).r64(), host(op.rb).r64()));
  } else {
    move(eax, op.ra);
    if (op.rb != 0) a_.emit(Inst::kIdAdd, eax, value(op.rb));
  }
  return eax;
}

// Then rcx points to the entry.  The table stays where it is, and a constant costs no load: they
// are what copying is bound by.
void Emitter::find_page(const Gp& address) {
  a_.mov(ecx, address);
  a_.shr(ecx, kIndexShift);
  a_.and_(ecx, kIndexMask);
  a_.mov(rdx, imm(*layout_.pages[block_->mode]));
  a_.add(rcx, rdx);
}

// The same, and the flags say whether its tag is the right one.
void Emitter::check_page(const Gp& address, uint32_t bytes, size_t tag) {
  find_page(address);
  a_.mov(edx, address);
  a_.and_(edx, static_cast<int32_t>(PageTable::tag_mask(bytes)));
  a_.cmp(edx, entry(tag, 4));
}

void Emitter::load(size_t index, uint32_t bytes, bool immediate) {
  const Op& op = block_->ops[index];
  const Gp from = address(op, immediate);
  check_page(from, bytes, offsetof(Page, read_tag));
  const Label done = a_.newLabel();
  a_.jne(out_of_line(index, done, from));
  a_.add(rbx, entry(offsetof(Page, read_cycles), 8));
  a_.paddd(lanes(false, bytes), xmmword_ptr(rcx, kLanesInPage));
  a_.mov(rcx, entry(offsetof(Page, offset), 8));
  const Gp to = result_register(op.rd);
  const Mem place = ptr(rcx, from.r64(), 0, 0, bytes);
  if (bytes == 4) {
    a_.mov(to, place);
  } else {
    a_.movzx(to, place);
  }
  write(op.rd, to);
  a_.bind(done);
  eax_after_ = -1;  // not behind the slow handler
}

void Emitter::store(size_t index, uint32_t bytes, bool immediate) {
  const Op& op = block_->ops[index];
  const Gp to = address(op, immediate);
  check_page(to, bytes, offsetof(Page, write_tag));
  const Label done = a_.newLabel();
  const Label slow_part = out_of_line(index, done, to);
  a_.jne(slow_part);
  a_.cmp(entry(offsetof(Page, code_lines), 8), 0);
  OutOfLine part;
  part.kind = OutOfLine::Kind::kCodeLines;
  part.label = a_.newLabel();
  part.back = a_.newLabel();
  part.slow = slow_part;
  part.address = to;
  out_of_line_.push_back(part);
  a_.jne(part.label);
  a_.bind(part.back);
  a_.add(rbx, entry(offsetof(Page, write_cycles), 8));
  a_.paddd(lanes(true, bytes), xmmword_ptr(rcx, kLanesInPage));
  a_.mov(rcx, entry(offsetof(Page, offset), 8));
  Gp from = edx;
  if (pinned(op.rd)) {
    from = host(op.rd);
  } else {
    move(edx, op.rd);
  }
  if (bytes == 1) {
    from = from.r8();
  } else if (bytes == 2) {
    from = from.r16();
  }
  a_.mov(ptr(rcx, to.r64(), 0, 0, bytes), from);
  a_.bind(done);
}

// A store into a page with decoded code: slow if it hits a line of it.
void Emitter::check_code_lines(const OutOfLine& part) {
  a_.mov(rdx, entry(offsetof(Page, code_lines), 8));
  a_.mov(ecx, part.address);
  a_.shr(ecx, kLineShift);
  a_.bt(rdx, rcx);  // modulo 64: the line within the page
  a_.jc(part.slow);
  find_page(part.address);
  a_.jmp(part.back);
}

}  // namespace gvp::host
