// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "tools/kcc/g80/legalise.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

constexpr uint32_t kAddressRegisters = 3;  // $a4 exists too, but only long forms reach it

// The highest offset the operand's field holds.
int32_t reach(const Instruction& instruction, const Operand& operand) {
  const bool own_field = is_store(instruction) ||
                         instruction.operation == Operation::kLoadConstant ||
                         operand.kind == Operand::Kind::kLocal;
  if (own_field) return 0xffff;
  const auto size = static_cast<int32_t>(isa::type_bytes(operand.access));
  if (operand.kind == Operand::Kind::kConstant) return 127 * size;
  const bool has_immediate =
      std::any_of(std::begin(instruction.sources), std::end(instruction.sources),
                  [](const Operand& o) { return o.is_immediate(); });
  return (has_immediate ? 15 : 31) * size;
}

class AddressAssignment {
 public:
  void run(Block& block) {
    contents_ = {};
    out_.clear();
    for (Instruction& instruction : block.code) {
      for (Operand& source : instruction.sources) assign(instruction, source);
      assign(instruction, instruction.destination);
      out_.push_back(instruction);
      for_each_definition(instruction, [&](uint32_t v) {
        for (Content& content : contents_) {
          if (content.valid && content.base == v) content.valid = false;
        }
      });
    }
    block.code = std::move(out_);
  }

 private:
  struct Content {
    bool valid = false;
    uint32_t base = kNoRegister;  // $a = (base << shift) + offset
    int32_t offset = 0;
    uint8_t shift = 0;
    unsigned used = 0;  // when last
  };

  void assign(const Instruction& instruction, Operand& operand) {
    if (!operand.is_memory() || operand.kind == Operand::Kind::kGlobal) return;
    const int32_t limit = reach(instruction, operand);
    const bool direct = operand.reg == kNoRegister && operand.value >= 0 && operand.value <= limit;
    if (direct) return;
    const auto fits = [&](int32_t offset) {
      const int32_t rest = operand.value - offset;
      return rest >= 0 && rest <= limit &&
             rest % static_cast<int32_t>(isa::type_bytes(operand.access)) == 0;
    };
    Content* found = nullptr;
    Content* related = nullptr;
    for (Content& content : contents_) {
      if (!content.valid || content.base != operand.reg) continue;
      if (content.shift != operand.shift) continue;
      if (fits(content.offset)) found = &content;
      related = &content;
    }
    if (found == nullptr) found = compute(instruction, operand, related, fits(0));
    found->used = ++clock_;
    operand.address_register =
        static_cast<uint8_t>(1 + static_cast<size_t>(found - contents_.data()));
    operand.value -= found->offset;
    operand.reg = kNoRegister;
    operand.shift = 0;
  }

  Content* compute(const Instruction& instruction, const Operand& operand, const Content* related,
                   bool plain_base_fits) {
    const Content from = related != nullptr ? *related : Content();
    const auto source_number =
        related != nullptr ? static_cast<uint8_t>(1 + (related - contents_.data())) : uint8_t{0};
    Content* place = &*std::min_element(contents_.begin(), contents_.end(),
                                        [](const Content& a, const Content& b) {
                                          return a.valid != b.valid ? !a.valid : a.used < b.used;
                                        });
    const auto number = static_cast<uint8_t>(1 + (place - contents_.data()));
    // Round down, so that neighbours can be reached from the same register; but what is left must
    // be a multiple of the access, which an odd offset to an odd base need not be.
    const bool aligned = operand.value % static_cast<int32_t>(isa::type_bytes(operand.access)) == 0;
    const int32_t rounded = aligned ? operand.value & ~int32_t{3} : operand.value;
    const int32_t offset = plain_base_fits ? 0 : rounded;
    if (operand.reg == kNoRegister) {
      add(instruction, number, 0, offset);
    } else if (related != nullptr) {
      add(instruction, number, source_number, offset - from.offset);
    } else {
      Instruction shift;
      shift.operation = Operation::kShiftToAddress;
      shift.source = instruction.source;
      shift.address_destination = number;
      shift.sources[0] = reg(operand.reg);
      shift.sources[1] = immediate(operand.shift);
      out_.push_back(shift);
      if (offset != 0) add(instruction, number, number, offset);
    }
    *place = {true, operand.reg, offset, operand.shift, 0};
    return place;
  }

  void add(const Instruction& instruction, uint8_t to, uint8_t from, int32_t offset) {
    Instruction sum;
    sum.operation = Operation::kAddAddress;
    sum.type = isa::Type::kB16;
    sum.source = instruction.source;
    sum.address_destination = to;
    sum.address_source = from;
    sum.sources[1] = immediate(static_cast<uint32_t>(offset) & 0xffff);
    // The source, an $a register, is filled in by to_g80.
    out_.push_back(sum);
  }

  std::array<Content, kAddressRegisters> contents_;
  std::vector<Instruction> out_;
  unsigned clock_ = 0;
};

}  // namespace

void assign_address_registers(Kernel& kernel) {
  AddressAssignment assignment;
  for (Block& block : kernel.blocks) assignment.run(block);
}

}  // namespace gvp::kcc::g80
