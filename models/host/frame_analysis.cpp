// SPDX-License-Identifier: Apache-2.0
#include "models/host/frame_analysis.h"

#include <algorithm>
#include <array>
#include <optional>

#include "models/host/branch_kind.h"
#include "models/host/decoder.h"
#include "models/host/micro_op_selection.h"

namespace gvp::host {
namespace {

// What a register or a saved word holds: what register `number` held at the function's beginning,
// plus an offset; or a constant; or who knows.
struct Value {
  enum class Kind : uint8_t { kUnknown, kEntry, kConstant };
  Kind kind = Kind::kUnknown;
  uint8_t number = 0;
  uint32_t offset = 0;

  bool operator==(const Value& other) const {
    return kind == other.kind && number == other.number && offset == other.offset;
  }
  Value operator+(uint32_t more) const {
    return kind == Kind::kUnknown ? *this : Value{kind, number, offset + more};
  }
};

Value constant(uint32_t value) { return {Value::Kind::kConstant, 0, value}; }
Value at_entry(unsigned number) { return {Value::Kind::kEntry, static_cast<uint8_t>(number), 0}; }

struct Slot {
  Value address;  // relative to the stack pointer at the beginning, or constant
  Value content;
};

struct Knowledge {
  bool reached = false;
  std::array<Value, 32> registers{};
  std::vector<Slot> slots;

  // Keeps what holds for both; whether anything changed.
  bool merge(const Knowledge& other) {
    if (!reached) {
      *this = other;
      return true;
    }
    bool changed = false;
    for (size_t i = 1; i < registers.size(); ++i) {
      if (registers[i].kind == Value::Kind::kUnknown || registers[i] == other.registers[i])
        continue;
      registers[i] = {};
      changed = true;
    }
    const auto missing = [&](const Slot& slot) {
      const Slot* const same = other.find(slot.address);
      return same == nullptr || !(same->content == slot.content);
    };
    const auto gone = std::remove_if(slots.begin(), slots.end(), missing);
    changed |= gone != slots.end();
    slots.erase(gone, slots.end());
    return changed;
  }
  const Slot* find(const Value& address) const {
    for (const Slot& slot : slots)
      if (slot.address == address) return &slot;
    return nullptr;
  }
  void forget(const Value& address, uint32_t bytes) {
    const auto hit = [&](const Slot& slot) {
      if (slot.address.kind != address.kind) return false;
      const uint32_t distance = address.offset - slot.address.offset;
      return distance < 4 || -distance < bytes;
    };
    slots.erase(std::remove_if(slots.begin(), slots.end(), hit), slots.end());
  }
};

bool is_address(const Value& value) {
  return value.kind == Value::Kind::kConstant ||
         (value.kind == Value::Kind::kEntry && value.number == kStackPointer);
}

class Analysis {
 public:
  Analysis(uint32_t first, std::vector<uint32_t> words)
      : first_(first),
        words_(std::move(words)),
        before_(words_.size()),
        in_slot_(words_.size()),
        during_call_(words_.size()) {}

  FrameRules rules() {
    if (words_.empty()) return {};
    Knowledge start;
    start.reached = true;
    start.registers[0] = constant(0);
    for (unsigned i = 1; i < 32; ++i) start.registers[i] = at_entry(i);
    follow(0, start);
    work();
    // Ways that lead through tables: all cases of a switch begin with what is known at its jump.
    for (size_t i = 0; i < words_.size() && jump_.reached; ++i) {
      if (before_[i].reached || in_slot_[i].reached) continue;
      follow(i, jump_);
      work();
    }
    FrameRules result;
    for (size_t i = 0; i < words_.size(); ++i)
      result.before.push_back(rule(before_[i].reached ? before_[i] : in_slot_[i]));
    for (const Knowledge& knowledge : during_call_) result.during_call.push_back(rule(knowledge));
    return result;
  }

 private:
  void follow(size_t index, const Knowledge& knowledge) {
    if (index < before_.size() && before_[index].merge(knowledge)) changed_.push_back(index);
  }
  void work() {
    while (!changed_.empty()) {
      const size_t index = changed_.back();
      changed_.pop_back();
      execute(index);
    }
  }
  uint32_t address(size_t index) const { return first_ + static_cast<uint32_t>(index) * 4; }
  void execute(size_t index);
  void branch(size_t index, const Instruction& instruction, uint32_t imm, Knowledge knowledge);
  static void perform(const Instruction& instruction, uint32_t imm, Knowledge& knowledge);
  static void after_call(Knowledge& knowledge);
  FrameRule rule(const Knowledge& knowledge) const;
  // With the imm prefix before it, if there is one.
  uint32_t immediate(size_t index, const Instruction& instruction) const {
    const Instruction before = index > 0 ? decode(words_[index - 1]) : Instruction{};
    if (before.is(Operation::kImm)) return uint32_t{before.imm} << 16 | instruction.imm;
    return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(instruction.imm)));
  }

  uint32_t first_;
  std::vector<uint32_t> words_;
  std::vector<Knowledge> before_;  // each instruction
  // The same as delay slots: what follows there is what follows the branch.
  std::vector<Knowledge> in_slot_;
  std::vector<Knowledge> during_call_;
  std::vector<size_t> changed_;
  Knowledge jump_;  // to an address in a register
  uint8_t link_ = kLink;
};

void Analysis::execute(size_t index) {
  Knowledge knowledge = before_[index];
  const Instruction instruction = decode(words_[index]);
  if (instruction.info == nullptr) return;
  const uint32_t imm = immediate(index, instruction);
  if (instruction.has(kBranch) && !instruction.is(Operation::kMbar))
    return branch(index, instruction, imm, std::move(knowledge));
  perform(instruction, imm, knowledge);
  follow(index + 1, knowledge);
}

void Analysis::branch(size_t index, const Instruction& instruction, uint32_t imm,
                      Knowledge knowledge) {
  const Operation operation = instruction.operation();
  const bool has_slot = instruction.has(kDelaySlot);
  const size_t next = index + (has_slot ? 2 : 1);
  const int link = written_register(instruction);
  if (link > 0) knowledge.registers[static_cast<size_t>(link)] = {};
  if (has_slot && index + 1 < words_.size()) {
    in_slot_[index + 1].merge(knowledge);
    const Instruction slot = decode(words_[index + 1]);
    const auto slot_imm =
        static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(slot.imm)));
    if (slot.info != nullptr && !slot.has(kBranch)) perform(slot, slot_imm, knowledge);
  }
  if (is_return(operation)) {
    if (operation != Operation::kRtsd) link_ = instruction.ra;
    return;
  }
  const bool calls = is_link(operation) || operation == Operation::kBrki;
  if (calls) {
    if (is_link(operation)) {
      during_call_[index].merge(knowledge);
      after_call(knowledge);
    }
    return follow(next, knowledge);
  }
  if (is_conditional(operation)) follow(next, knowledge);
  if (is_direct(operation)) {
    const uint32_t target = is_absolute(operation) ? imm : address(index) + imm;
    if (target - first_ < words_.size() * 4) follow((target - first_) / 4, knowledge);
  } else {
    jump_.merge(knowledge);
  }
}

void Analysis::after_call(Knowledge& knowledge) {
  for (unsigned i = 3; i <= 12; ++i) knowledge.registers[i] = {};
  knowledge.registers[kLink] = {};
  knowledge.registers[18] = {};
}

void Analysis::perform(const Instruction& instruction, uint32_t imm, Knowledge& knowledge) {
  auto& registers = knowledge.registers;
  const Value a = registers[instruction.ra];
  const Value b = registers[instruction.rb];
  const bool is_memory = instruction.word >> 30 == 3;
  const bool immediate = takes_imm_prefix(instruction.info->format);
  Value result;
  if (is_memory) {
    Value place = immediate ? a + imm : b == constant(0) ? a : Value{};
    if (!immediate && a == constant(0)) place = b;
    const MemoryShape shape = memory_shape(instruction.operation());
    if (shape.store) {
      if (!is_address(place)) return;
      knowledge.forget(place, shape.bytes);
      const Value stored = registers[instruction.rd];
      if (shape.bytes == 4 && !shape.reversed && stored.kind == Value::Kind::kEntry)
        knowledge.slots.push_back({place, stored});
      return;
    }
    const Slot* const slot = is_address(place) ? knowledge.find(place) : nullptr;
    if (slot != nullptr && shape.bytes == 4 && !shape.reversed) result = slot->content;
  } else {
    switch (instruction.operation()) {
      case Operation::kAddi:
      case Operation::kAddik:
        result = a + imm;
        break;
      case Operation::kAdd:
      case Operation::kAddk:
        if (b.kind == Value::Kind::kConstant) {
          result = a + b.offset;
        } else if (a.kind == Value::Kind::kConstant) {
          result = b + a.offset;
        }
        break;
      case Operation::kOr:
        if (b == constant(0)) result = a;
        if (a == constant(0)) result = b;
        break;
      case Operation::kOri:
        if (imm == 0) result = a;
        break;
      default:
        break;
    }
  }
  const int written = written_register(instruction);
  if (written > 0) registers[static_cast<size_t>(written)] = result;
}

FrameRule Analysis::rule(const Knowledge& knowledge) const {
  FrameRule rule;
  if (!knowledge.reached) return rule;
  // The stack pointer first; then a frame pointer.
  for (const unsigned i : {1u, 19u, 0u}) {
    for (unsigned j = i == 0 ? 2 : i; j < (i == 0 ? 32 : i + 1) && !rule.known; ++j) {
      const Value& value = knowledge.registers[j];
      if (value.kind != Value::Kind::kEntry || value.number != kStackPointer) continue;
      rule.known = true;
      rule.base = static_cast<uint8_t>(j);
      rule.offset = -static_cast<int32_t>(value.offset);
    }
  }
  rule.link = link_;
  const auto saved = [&](unsigned number) -> const Slot* {
    for (const Slot& slot : knowledge.slots)
      if (slot.content == at_entry(number)) return &slot;
    return nullptr;
  };
  // The stack pointer may have been exchanged for another stack's, and saved.
  if (!rule.known) {
    const Slot* const slot = saved(kStackPointer);
    if (slot == nullptr || slot->address.kind != Value::Kind::kConstant) return rule;
    rule.known = true;
    rule.registers.push_back(
        {kStackPointer, Recovery::Kind::kAtAddress, 0, static_cast<int32_t>(slot->address.offset)});
  }
  for (unsigned i = 2; i < 32; ++i) {
    if (knowledge.registers[i] == at_entry(i)) continue;
    Recovery recovery;
    recovery.number = static_cast<uint8_t>(i);
    if (const Slot* const slot = saved(i)) {
      recovery.kind = slot->address.kind == Value::Kind::kConstant ? Recovery::Kind::kAtAddress
                                                                   : Recovery::Kind::kInFrame;
      recovery.offset = static_cast<int32_t>(slot->address.offset);
    } else {
      for (unsigned j = 2; j < 32; ++j) {
        if (!(knowledge.registers[j] == at_entry(i))) continue;
        recovery.kind = Recovery::Kind::kInRegister;
        recovery.from = static_cast<uint8_t>(j);
      }
    }
    rule.registers.push_back(recovery);
  }
  return rule;
}

}  // namespace

FrameRules analyse_frames(uint32_t first, uint32_t end,
                          const std::function<bool(uint32_t address, uint32_t& word)>& read) {
  constexpr uint32_t kMostWords = 16384;
  std::vector<uint32_t> words;
  uint32_t word = 0;
  while (words.size() < kMostWords && first + words.size() * 4 < end &&
         read(first + static_cast<uint32_t>(words.size()) * 4, word))
    words.push_back(word);
  return Analysis(first, std::move(words)).rules();
}

}  // namespace gvp::host
