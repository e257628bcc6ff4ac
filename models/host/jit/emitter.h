// SPDX-License-Identifier: Apache-2.0
// Turns one decoded block into x86-64 machine code.
//
// Register use in translated code:
//   rbp       State::r; everything else of the engine is at a fixed distance from there
//   rbx       the count of cycles and instructions (block.h)
//   r15       place in the ring of recent blocks, in bytes
//   rax, rcx, rdx   scratch
//   xmm0 to xmm5    accesses since the block was entered from outside (DirectLanes, in its order)
//   the nine others the guest's most used registers (kPinned), also between blocks
// The other guest registers are memory operands.
#pragma once

#include <asmjit/x86.h>

#include <array>
#include <vector>

#include "models/host/jit/translated_block.h"
#include "models/host/page_table.h"

namespace gvp::host {

// Where translated code finds things: bytes from State::r.
struct NativeLayout {
  int32_t carry = 0;
  int32_t pc = 0;
  int32_t branch_target = 0;
  int32_t count = 0;
  int32_t entered = 0;
  int32_t limit = 0;
  int32_t recent = 0;
  int32_t recent_count = 0;
  int32_t fetched = 0;  // words, by source
  int32_t elsewhere = 0;
  int32_t lanes = 0;
  int32_t jump_pc = 0;  // of the first entry of the jump cache
  int32_t jump_block = 0;
  std::array<const PageTable::Page* const*, 3> pages{};  // the page tables, by mode; not an offset
};

// What translated code calls.  Answers whether to leave.
using SlowHandler = bool (*)(void* translator, Block* block, uint32_t operation, uint32_t address);

// Common code, addresses.
struct Stubs {
  uint64_t enter = 0;     // WayOut and Block (State::r, code): a function
  uint64_t exit = 0;      // back to the caller of enter, with rax and rdx as the result
  uint64_t slow = 0;      // calls the slow handler
  uint64_t indirect = 0;  // to eax, which is not in the jump cache
  uint64_t block = 0;     // to the block in rdx, which is not translated
};

// The ways out that no block owns.
struct CommonWaysOut {
  WayOut indirect{WayOut::Kind::kIndirect, 0, nullptr};
  WayOut block{WayOut::Kind::kBlock, 0, nullptr};
  WayOut leave{WayOut::Kind::kLeave, 0, nullptr};
};

class Emitter : private asmjit::ErrorHandler {
 public:
  explicit Emitter(const NativeLayout& layout);

  struct Code {
    const uint8_t* bytes = nullptr;  // valid until the next call
    size_t size = 0;
  };
  // The code is for address base.
  Code stubs(uint64_t base, const CommonWaysOut& ways_out, void* translator, SlowHandler handler,
             Stubs& stubs);
  // position: of base in the arena; fills in where the links of translated stand.
  Code block(uint64_t base, uint32_t position, const Block& block, const Stubs& stubs,
             TranslatedBlock& translated);

 private:
  using Gp = asmjit::x86::Gp;
  using Mem = asmjit::x86::Mem;
  using Label = asmjit::Label;
  using Id = asmjit::InstId;
  struct OutOfLine {
    enum class Kind : uint8_t { kSlow, kCodeLines };
    Kind kind = Kind::kSlow;
    Label label;
    Label back;
    Label slow;
    size_t operation = 0;
    Gp address = asmjit::x86::eax;
  };

  void handleError(asmjit::Error error, const char* message, asmjit::BaseEmitter* origin) override;
  void begin(uint64_t base);
  Code end();

  // emitter.cpp
  void operation(size_t index);
  void finish_block();
  void load_pinned();
  void store_pinned();
  void clear_lanes();
  void store_lanes();

  // emitter_branch.cpp
  void branch_if(const Op& op, Id jump);
  void end_count(bool taken);
  void go(bool taken, bool costs_taken);
  void test(unsigned guest);
  void look_up_and_jump();
  void branch_register(const Op& op);
  void prepare_branch(size_t index);
  void branch_prepared();
  void leave_to_interpreter(size_t index);

  // emitter_arithmetic.cpp: false: not one of these
  bool arithmetic(size_t index, MicroOp what);
  bool shift_or_multiply(size_t index, MicroOp what);
  void binary(Id id, bool commutative, const Op& op, const asmjit::Operand& second,
              int second_register);
  void add(const Op& op, bool immediate);
  void add_with_flags(const Op& op, bool immediate, bool with_carry, bool keep);
  void subtract_with_flags(const Op& op, bool immediate, bool with_carry, bool keep);
  void subtract(const Op& op, bool immediate);
  void compare(const Op& op, bool with_sign);
  void shift_by_register(const Op& op, Id shift, Id shift_bmi2);
  void shift_immediate(const Op& op, Id shift, uint32_t amount);
  void shift_one(const Op& op, Id shift);
  void multiply_high(const Op& op, bool signed_a, bool signed_b);
  void divide(size_t index, bool with_sign);
  void first_equal_byte(const Op& op);
  void count_leading_zeros(const Op& op);
  void set_if_equal(const Op& op, bool equal);

  // emitter_memory.cpp
  void load(size_t index, uint32_t bytes, bool immediate);
  void store(size_t index, uint32_t bytes, bool immediate);
  void find_page(const Gp& address);
  void check_page(const Gp& address, uint32_t bytes, size_t tag);
  Gp address(const Op& op, bool immediate);
  void check_code_lines(const OutOfLine& part);

  void slow(size_t index);  // the whole operation
  void slow_access(size_t index, bool immediate);
  Label out_of_line(size_t index, Label back, const Gp& address = asmjit::x86::eax);

  // The register that counts accesses of so many bytes.
  static asmjit::x86::Xmm lanes(bool write, uint32_t bytes) {
    return asmjit::x86::xmm((write ? 3 : 0) + (bytes >> 1));
  }
  static int host_number(unsigned guest);
  static bool pinned(unsigned guest) { return host_number(guest) >= 0; }
  static Gp host(unsigned guest);
  static Mem memory(unsigned guest);
  // The guest register as an operand: host register or memory.
  static asmjit::Operand value(unsigned guest);
  asmjit::Operand second(const Op& op, bool immediate) const;
  void move(const Gp& to, unsigned guest);
  static Gp result_register(unsigned rd);
  void write(unsigned rd, const Gp& from);
  Mem carry(uint32_t bytes) const;

  NativeLayout layout_;
  bool has_bmi2_;
  asmjit::CodeHolder code_;
  asmjit::x86::Assembler a_;

  // While translating:
  const Block* block_ = nullptr;
  const Stubs* stubs_ = nullptr;
  TranslatedBlock* translated_ = nullptr;
  uint32_t position_ = 0;
  std::vector<OutOfLine> out_of_line_;
  // The guest register, not pinned, whose value eax holds before and after the operation; -1: none.
  int eax_before_ = -1;
  int eax_after_ = -1;
  Label block_slow_;
  Label cost_taken_;
  Label cost_fall_;
  Label fetched_taken_;
  Label fetched_fall_;
};

}  // namespace gvp::host
