// SPDX-License-Identifier: Apache-2.0
#include "models/host/unwinder.h"

#include <algorithm>

#include "models/host/branch_kind.h"
#include "models/host/decoder.h"

namespace gvp::host {
namespace {

constexpr uint32_t bit(unsigned number) { return 1u << number; }

// Registers that a function need not keep: r3 to r12, r15, r18.
constexpr uint32_t kVolatile = 0x00001ff8 | bit(kLink) | bit(18);

}  // namespace

Unwinder::Unwinder(const Symbols& symbols, ReadWord read)
    : symbols_(symbols),
      read_(std::move(read)),
      call_frames_(symbols.call_frames, symbols.big_endian) {}

FrameRule Unwinder::rule_at(uint32_t pc, uint32_t start, bool during_call) {
  constexpr uint32_t kCallBytes = 8;  // with its delay slot
  FrameRule rule = call_frames_.find(during_call ? pc + kCallBytes - 1 : pc);
  if (rule.known) return rule;
  auto known = analysed_.find(start);
  if (known == analysed_.end()) {
    constexpr uint32_t kMostBytes = 1u << 16;
    uint32_t end = start;
    std::string name;
    for (uint32_t first = 0; end - start < kMostBytes; end += 4)
      if (!symbols_.function(end, name, first) || first != start) break;
    known = analysed_.emplace(start, analyse_frames(start, end, read_)).first;
  }
  const size_t index = (pc - start) / 4;
  const auto& rules = during_call ? known->second.during_call : known->second.before;
  return index < rules.size() ? rules[index] : FrameRule{};
}

const Unwinder::Place& Unwinder::place_at(uint32_t pc, bool during_call) {
  const uint32_t key = pc + (during_call ? 1 : 0);
  const auto found = places_.find(key);
  if (found != places_.end()) return found->second;
  Place place;
  std::string name;
  place.has_function = symbols_.function && symbols_.function(pc, name, place.start);
  if (!place.has_function) place.start = pc;
  uint32_t word = 0;
  if (place.has_function && (pc & 3) == 0 && read_(pc, word)) {
    const Instruction instruction = decode(word);
    place.is_call = instruction.info != nullptr && is_link(instruction.operation());
    place.rule = rule_at(pc, place.start, during_call);
  }
  return places_.emplace(key, std::move(place)).first->second;
}

bool Unwinder::step(const FrameRule& rule, Registers& registers, uint32_t& pc, bool& by_call) {
  if (!rule.known || (registers.known & bit(rule.base)) == 0) return false;
  const uint32_t frame = registers.values[rule.base] + static_cast<uint32_t>(rule.offset);
  Registers caller = registers;
  caller.values[kStackPointer] = frame;
  for (const Recovery& recovery : rule.registers) {
    bool good = true;
    uint32_t value = 0;
    const auto offset = static_cast<uint32_t>(recovery.offset);
    switch (recovery.kind) {
      case Recovery::Kind::kLost:
        good = false;
        break;
      case Recovery::Kind::kInRegister:
        good = (registers.known & bit(recovery.from)) != 0;
        value = registers.values[recovery.from];
        break;
      case Recovery::Kind::kInFrame:
        good = read_(frame + offset, value);
        break;
      case Recovery::Kind::kAtAddress:
        good = read_(offset, value);
        break;
      case Recovery::Kind::kFrame:
        value = frame + offset;
        break;
    }
    caller.values[recovery.number] = value;
    caller.known =
        good ? caller.known | bit(recovery.number) : caller.known & ~bit(recovery.number);
  }
  if ((caller.known & bit(rule.link)) == 0) return false;
  pc = caller.values[rule.link];
  by_call = rule.link == kLink;
  if (by_call) caller.known &= ~kVolatile;
  registers = caller;
  return true;
}

const std::vector<Unwinder::Frame>& Unwinder::walk(const State& state) {
  frames_.clear();
  Registers registers;
  std::copy_n(state.r.begin(), registers.values.size(), registers.values.begin());
  registers.known = 0xffffffff;
  uint32_t pc = state.pc;
  bool by_call = false;
  for (bool more = true; more && frames_.size() < kMaxDepth;) {
    const Place& place = place_at(pc, by_call);
    if (by_call && !place.is_call) break;
    frames_.push_back({pc, place.start});
    const uint32_t stack_pointer = registers.values[kStackPointer];
    more = step(place.rule, registers, pc, by_call) && pc != 0;
    // A caller's frame is further up, unless there was no frame; else the walk goes round.
    if (more && by_call && registers.values[kStackPointer] < stack_pointer) more = false;
  }
  return frames_;
}

}  // namespace gvp::host
