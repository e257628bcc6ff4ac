// SPDX-License-Identifier: Apache-2.0
// What $a registers hold is known across blocks, where all ways to a block bring the same: blocks
// are gone through in the order in which they run, back edges are taken to bring what the others
// do, and what turns out otherwise is forgotten there and all done again.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "tools/compiler/dominators.h"
#include "tools/kcc/g80/address_requests.h"
#include "tools/kcc/g80/legalise.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

// How far it pays to look for who wants an address next.
constexpr size_t kFarthest = 500;

// What an $a register holds: (base << shift) + offset.
struct Content {
  bool valid = false;
  uint32_t base = kNoRegister;
  int32_t offset = 0;
  uint8_t shift = 0;
  unsigned used = 0;  // when last

  bool is_same(const Content& other) const {
    return valid && other.valid && base == other.base && offset == other.offset &&
           shift == other.shift;
  }
};
using Contents = std::array<Content, kAddressRegisters>;

class AddressAssignment {
 public:
  AddressAssignment(Kernel& kernel, bool across_blocks)
      : kernel_(kernel),
        graph_(graph_of(kernel)),
        across_(across_blocks),
        code_(kernel.blocks.size()),
        behind_(kernel.blocks.size()),
        done_(kernel.blocks.size(), false),
        forgotten_(kernel.blocks.size()) {}

  void run() {
    std::vector<uint32_t> order = compiler::reverse_post_order(graph_, 0);
    const std::set<uint32_t> reached(order.begin(), order.end());
    for (uint32_t block = 0; block < graph_.size(); ++block) {
      if (reached.count(block) == 0) order.push_back(block);
    }
    if (across_) {
      requests_ = address_requests(kernel_, graph_);
      weights_ = address_weights(kernel_, graph_);
    }
    do {
      std::fill(done_.begin(), done_.end(), false);
      for (const uint32_t block : order) assign_block(block);
    } while (forget_differing());
    for (const uint32_t block : order) kernel_.blocks[block].code = std::move(code_[block]);
  }

 private:
  // What all ways to a block bring, as far as they are known.
  Contents before(uint32_t block) const {
    Contents contents;
    if (!across_ || block == 0) return contents;
    bool first = true;
    for (const uint32_t from : graph_.predecessors[block]) {
      if (!done_[from]) continue;
      for (size_t i = 0; i < contents.size(); ++i) {
        if (first) contents[i] = behind_[from][i];
        if (!contents[i].is_same(behind_[from][i])) contents[i].valid = false;
      }
      first = false;
    }
    for (size_t i = 0; i < contents.size(); ++i) {
      contents[i].used = 0;
      if (forgotten_[block][i]) contents[i].valid = false;
    }
    return contents;
  }

  void assign_block(uint32_t number) {
    block_ = number;
    contents_ = before(number);
    before_[number] = contents_;
    done_[number] = true;
    out_.clear();
    clock_ = 0;
    const auto& code = kernel_.blocks[number].code;
    for (position_ = 0; position_ < code.size(); ++position_) {
      Instruction instruction = code[position_];
      for (Operand& source : instruction.sources) assign(instruction, source);
      assign(instruction, instruction.destination);
      out_.push_back(instruction);
      for_each_definition(instruction, [&](uint32_t v) {
        for (Content& content : contents_) {
          if (content.valid && content.base == v) content.valid = false;
        }
      });
      if (is_call(instruction)) contents_ = Contents();
    }
    const auto wanted = requests_.find(number);
    if (wanted != requests_.end()) {
      for (const AddressRequest& request : wanted->second) {
        Operand operand = request.operand;
        assign(request.user, operand);
      }
    }
    code_[number] = std::move(out_);
    behind_[number] = contents_;
  }

  // Whether something was taken to be in a register that a back edge brings otherwise.
  bool forget_differing() {
    bool found = false;
    for (const auto& [block, contents] : before_) {
      for (const uint32_t from : graph_.predecessors[block]) {
        if (!done_[from]) continue;
        for (size_t i = 0; i < contents.size(); ++i) {
          if (!contents[i].valid || contents[i].is_same(behind_[from][i])) continue;
          forgotten_[block][i] = true;
          found = true;
        }
      }
    }
    return found;
  }

  void assign(const Instruction& instruction, Operand& operand) {
    if (!needs_address_register(instruction, operand)) return;
    const AddressUse use = use_of(instruction, operand);
    Content* found = nullptr;
    Content* related = nullptr;
    for (Content& content : contents_) {
      if (!content.valid || content.base != operand.reg) continue;
      if (content.shift != operand.shift) continue;
      if (use.fits(content.offset)) found = &content;
      related = &content;
    }
    if (found == nullptr) found = compute(instruction, operand, related, use.fits(0));
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
    Content* place = across_ ? least_wanted() : &least_recent();
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

  Content& least_recent() {
    return *std::min_element(contents_.begin(), contents_.end(),
                             [](const Content& a, const Content& b) {
                               return a.valid != b.valid ? !a.valid : a.used < b.used;
                             });
  }

  // What is computed again least often, or farthest from here, where it has to go.
  Content* least_wanted() {
    Content* least = nullptr;
    std::pair<double, size_t> best;
    for (Content& content : contents_) {
      std::pair<double, size_t> wish{-1, 0};
      if (content.valid) {
        wish.first = weights_.elsewhere({content.base, content.shift}, content.offset, block_);
        const size_t next = next_use(content);
        const size_t size = kernel_.blocks[block_].code.size();
        if (next < size) wish.first += weights_.here(block_);
        wish.second = size - next;
      }
      const bool less =
          least == nullptr || wish < best || (wish == best && content.used < least->used);
      if (!less) continue;
      least = &content;
      best = wish;
    }
    return least;
  }

  // The next instruction of this block that wants the address; the block's size for none.
  size_t next_use(const Content& content) const {
    const auto& code = kernel_.blocks[block_].code;
    for (size_t i = position_; i < std::min(code.size(), position_ + kFarthest); ++i) {
      bool reads = false;
      for_each_source(code[i], [&](const Operand& operand) {
        reads |= needs_address_register(code[i], operand) && operand.reg == content.base &&
                 operand.shift == content.shift && use_of(code[i], operand).fits(content.offset);
      });
      if (reads) return i;
      bool rewritten = false;
      for_each_definition(code[i], [&](uint32_t v) { rewritten |= v == content.base; });
      if (rewritten || is_call(code[i])) break;
    }
    return code.size();
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

  Kernel& kernel_;
  compiler::Graph graph_;
  bool across_;
  AddressRequests requests_;
  AddressWeights weights_;
  std::vector<std::vector<Instruction>> code_;  // by block
  std::map<uint32_t, Contents> before_;
  std::vector<Contents> behind_;
  std::vector<bool> done_;
  std::vector<std::array<bool, kAddressRegisters>> forgotten_;
  uint32_t block_ = 0;  // under way
  size_t position_ = 0;
  Contents contents_;
  std::vector<Instruction> out_;
  unsigned clock_ = 0;
};

}  // namespace

void assign_address_registers(Kernel& kernel, bool across_blocks) {
  AddressAssignment(kernel, across_blocks).run();
}

}  // namespace gvp::kcc::g80
