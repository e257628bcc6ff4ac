// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/emit.h"

#include <algorithm>

#include "models/base/error.h"
#include "models/gpgpu/g80/encoder.h"
#include "tools/compiler/post_dominators.h"
#include "tools/kcc/g80/empty_blocks.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Form;
using isa::Marker;
using isa::Operation;

class Emitter {
 public:
  Emitter(const Kernel& kernel, const std::vector<uint32_t>& numbers, bool short_forms)
      : kernel_(kernel), numbers_(numbers), short_forms_(short_forms) {}

  Code run() {
    order_blocks();
    for (size_t i = 0; i < order_.size(); ++i) {
      const uint32_t next = i + 1 < order_.size() ? order_[i + 1] : kNoRegister;
      emit_block(order_[i], next);
    }
    shorten();
    place();
    return encode_all();
  }

 private:
  struct Item {
    isa::Instruction instruction;
    ptx::SourceLine source;
    uint32_t target = kNoRegister;  // block
    bool begins_block = false;
    uint32_t block = 0;
    uint32_t address = 0;
  };

  // Each block followed by what it falls into, where that is still free; but by the arm that it
  // branches to, where that leads to what it falls into and would have to jump back to it.
  void order_blocks() {
    std::vector<bool> placed(kernel_.blocks.size(), false);
    const compiler::Graph graph = graph_of(kernel_);
    const compiler::PostDominators after(graph);
    const auto goes_round = [&](const Block& block) {
      return block.branches && block.target != kNoRegister && !placed[block.target] &&
             block.target != block.next && graph.predecessors[block.target].size() == 1 &&
             after.post_dominates(block.next, block.target);
    };
    uint32_t block = 0;
    size_t first_free = 0;
    while (order_.size() < kernel_.blocks.size()) {
      placed[block] = true;
      order_.push_back(block);
      const Block& here = kernel_.blocks[block];
      if (here.next != kNoRegister && !placed[here.next]) {
        block = goes_round(here) ? here.target : here.next;
      } else if (here.branches && here.target != kNoRegister && !placed[here.target]) {
        block = here.target;
      } else {
        while (first_free < placed.size() && placed[first_free]) ++first_free;
        block = static_cast<uint32_t>(first_free);
      }
    }
  }

  void append(const isa::Instruction& instruction, const ptx::SourceLine& source,
              uint32_t target = kNoRegister) {
    Item item;
    item.instruction = instruction;
    item.source = source;
    item.target = target;
    item.block = block_;
    item.begins_block = begins_block_;
    begins_block_ = false;
    items_.push_back(item);
  }

  void emit_block(uint32_t number, uint32_t following) {
    const Block& block = kernel_.blocks[number];
    block_ = number;
    begins_block_ = true;
    size_t i = 0;
    if (block.join) {
      isa::Instruction first;
      if (!block.code.empty()) first = to_g80(block.code[0], numbers_);
      const bool joins = !block.code.empty() && can_join(block.code[0], first);
      if (joins) {
        i = 1;
      } else {
        first = nop();
      }
      first.marker = Marker::kJoin;
      append(first, joins ? block.code[0].source : ptx::SourceLine());
    }
    for (; i < block.code.size(); ++i) {
      const Instruction& instruction = block.code[i];
      if (copies_to_itself(instruction, numbers_)) continue;
      append(to_g80(instruction, numbers_), instruction.source, instruction.target);
    }
    terminate(block, following);
    // A block without instructions begins where the next one does.
    if (begins_block_) append(nop(), {});
  }

  // ptxas puts the join on any instruction; here not on accesses to memory that other threads of
  // the warp may have yet to write, nor where a predicate could be taken to gate it.
  static bool can_join(const Instruction& instruction, const isa::Instruction& encoded) {
    return encoded.form == Form::kLong && !instruction.guard.exists() && !is_store(instruction) &&
           !reads_variable_memory(instruction) && is_pure(instruction);
  }

  // NOP as ptxas writes it: never executed.
  static isa::Instruction nop() {
    isa::Instruction instruction;
    instruction.operation = Operation::kNop;
    instruction.predicate = isa::Condition::kNever;
    return instruction;
  }

  isa::Instruction control(Operation operation, const Guard& guard) const {
    Instruction instruction;
    instruction.operation = operation;
    instruction.type = isa::Type::kNone;
    instruction.guard = guard;
    return to_g80(instruction, numbers_);
  }

  void jump(const Guard& guard, uint32_t target, const ptx::SourceLine& source) {
    // A jump to where threads only end is their end.
    const bool ends = target == kNoRegister || only_ends(kernel_.blocks[target]);
    if (ends) {
      append(control(Operation::kReturn, guard), source);
    } else {
      append(control(Operation::kBranch, guard), source, target);
    }
  }

  static bool only_ends(const Block& block) {
    return block.code.empty() && !block.branches && !block.join && block.next == kNoRegister;
  }

  void terminate(const Block& block, uint32_t following) {
    if (block.branches) {
      const bool falls_into_target = block.target != kNoRegister && block.target == following;
      if (falls_into_target && block.next != kNoRegister && !block.target_first) {
        jump(block.guard.negated(), block.next, block.source);
        return;
      }
      jump(block.guard, block.target, block.source);
    }
    if (block.next == kNoRegister) {
      const bool returns = !block.code.empty() && block.code.back().operation == Operation::kReturn;
      if (!returns) end(block.source);
    } else if (block.next != following) {
      jump({}, block.next, block.source);
    }
  }

  // The end marker on the last instruction if it can carry one.
  void end(const ptx::SourceLine& source) {
    if (!begins_block_) {
      isa::Instruction& last = items_.back().instruction;
      const bool carries = last.form == Form::kLong && last.marker == Marker::kNone &&
                           last.predicate == isa::Condition::kAlways;
      if (carries && items_.back().block == block_) {
        last.marker = Marker::kExit;
        return;
      }
    }
    append(control(Operation::kReturn, {}), source);
  }

  // Short forms come in pairs: long instructions must begin at multiples of eight bytes.
  void shorten() {
    if (!short_forms_) return;
    for (size_t i = 0; i + 1 < items_.size(); ++i) {
      if (items_[i + 1].begins_block) continue;
      const auto first = isa::with_form(items_[i].instruction, Form::kShort);
      if (!first) continue;
      const auto second = isa::with_form(items_[i + 1].instruction, Form::kShort);
      if (!second) continue;
      items_[i].instruction = *first;
      items_[i + 1].instruction = *second;
      ++i;
    }
  }

  void place() {
    uint32_t address = 0;
    addresses_.assign(kernel_.blocks.size(), 0);
    for (Item& item : items_) {
      if (item.begins_block) addresses_[item.block] = address;
      item.address = address;
      address += isa::byte_length(item.instruction);
    }
  }

  Code encode_all() {
    Code code;
    for (Item& item : items_) {
      if (item.target != kNoRegister) item.instruction.target = addresses_[item.target];
      std::string problem;
      const auto words = isa::try_encode(item.instruction, &problem);
      if (!words) {
        throw model_error("kcc has generated an instruction that cannot be encoded: " + problem,
                          "kernel " + kernel_.name,
                          "this is a defect of kcc: please report it with the source");
      }
      if (item.source.line != 0) code.lines.push_back({item.address, item.source});
      code.words.push_back((*words)[0]);
      ++code.instructions;
      if (isa::byte_length(item.instruction) == 4) {
        ++code.short_instructions;
      } else {
        code.words.push_back((*words)[1]);
      }
    }
    return code;
  }

  const Kernel& kernel_;
  const std::vector<uint32_t>& numbers_;
  bool short_forms_;
  std::vector<uint32_t> order_;
  std::vector<Item> items_;
  std::vector<uint32_t> addresses_;
  uint32_t block_ = 0;
  bool begins_block_ = false;
};

}  // namespace

Code emit_code(const Kernel& kernel, const std::vector<uint32_t>& numbers, bool short_forms) {
  return Emitter(kernel, numbers, short_forms).run();
}

}  // namespace gvp::kcc::g80
