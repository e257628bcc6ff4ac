// SPDX-License-Identifier: Apache-2.0
#include "models/host/call_frames.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace gvp::host {
namespace {

// DWARF 5, table 7.29: instructions with an operand in their low six bits, and the others.
enum : uint8_t {
  kAdvance = 0x40,
  kOffset = 0x80,
  kRestore = 0xc0,
  kNop = 0x00,
  kSetLocation = 0x01,
  kAdvance1 = 0x02,
  kAdvance2 = 0x03,
  kAdvance4 = 0x04,
  kOffsetExtended = 0x05,
  kRestoreExtended = 0x06,
  kUndefined = 0x07,
  kSameValue = 0x08,
  kRegister = 0x09,
  kRememberState = 0x0a,
  kRestoreState = 0x0b,
  kDefineFrame = 0x0c,
  kDefineFrameRegister = 0x0d,
  kDefineFrameOffset = 0x0e,
  kFrameExpression = 0x0f,
  kExpression = 0x10,
  kOffsetExtendedSigned = 0x11,
  kDefineFrameSigned = 0x12,
  kDefineFrameOffsetSigned = 0x13,
  kValueOffset = 0x14,
  kValueOffsetSigned = 0x15,
  kValueExpression = 0x16,
  kGnuArgumentsSize = 0x2e,
  kGnuNegativeOffset = 0x2f,
};

// Linux Standard Base Core 5.0, 10.5.1: encodings of pointers.
constexpr uint8_t kAbsolute = 0x00;
constexpr uint8_t kUnsigned4 = 0x03;
constexpr uint8_t kSigned4 = 0x0b;
constexpr uint8_t kRelative = 0x10;

// Takes a section apart; what is behind the end reads as zero, and bad() says so.
class Reader {
 public:
  Reader(CallFrames::Span span, bool big_endian)
      : at_(span.first), last_(span.last), big_endian_(big_endian) {}

  const uint8_t* at() const { return at_; }
  bool more() const { return !bad_ && at_ < last_; }
  bool bad() const { return bad_; }
  CallFrames::Span rest() const { return {at_, last_}; }
  CallFrames::Span take(uint64_t bytes) {
    if (bytes > static_cast<uint64_t>(last_ - at_)) {
      bad_ = true;
      bytes = 0;
    }
    const uint8_t* const first = at_;
    at_ += bytes;
    return {first, at_};
  }
  uint32_t number(unsigned bytes) {
    const CallFrames::Span span = take(bytes);
    uint32_t value = 0;
    for (unsigned i = 0; !bad_ && i < bytes; ++i)
      value |= uint32_t{span.first[i]} << 8 * (big_endian_ ? bytes - 1 - i : i);
    return value;
  }
  uint64_t unsigned_leb() { return leb(false); }
  int64_t signed_leb() { return static_cast<int64_t>(leb(true)); }

 private:
  uint64_t leb(bool is_signed) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint32_t byte = number(1);
      if (bad_ || shift > 63) {
        bad_ = true;
        return 0;
      }
      value |= uint64_t{byte & 0x7f} << shift;
      if ((byte & 0x80) != 0) continue;
      if (is_signed && (byte & 0x40) != 0 && shift + 7 < 64) value |= ~uint64_t{0} << (shift + 7);
      return value;
    }
  }

  const uint8_t* at_;
  const uint8_t* last_;
  bool big_endian_;
  bool bad_ = false;
};

// A row of the table that the instructions describe (DWARF 5, 6.4.1).
struct Row {
  bool frame_known = true;
  uint8_t base = kStackPointer;
  int64_t offset = 0;
  std::array<Recovery, 32> registers{};
  std::array<bool, 32> changed{};
};

class Machine {
 public:
  Machine(const CallFrames::Common& common, uint32_t location, bool big_endian)
      : common_(common), location_(location), big_endian_(big_endian) {}

  // Up to the row for pc; false: the instructions cannot be understood.
  bool run(CallFrames::Span instructions, uint32_t pc) {
    Reader reader(instructions, big_endian_);
    while (reader.more() && location_ <= pc)
      if (!step(reader)) return false;
    return !reader.bad();
  }
  // The common instructions are done.
  void begin() { initial_ = row; }

  Row row;  // the one that begins at location_

 private:
  void set(uint64_t number, Recovery::Kind kind, int64_t offset, uint8_t from = 0) {
    if (number >= row.registers.size()) return;
    row.registers[number] = {static_cast<uint8_t>(number), kind, from,
                             static_cast<int32_t>(offset)};
    row.changed[number] = true;
  }
  void restore(uint64_t number) {
    if (number >= row.registers.size()) return;
    row.registers[number] = initial_.registers[number];
    row.changed[number] = initial_.changed[number];
  }
  void advance(uint64_t units) { location_ += units * common_.code_alignment; }
  int64_t factored(int64_t offset) const { return offset * common_.data_alignment; }
  void frame(uint64_t base, int64_t offset) {
    row.frame_known = base < 32;
    row.base = static_cast<uint8_t>(base);
    row.offset = offset;
  }
  bool step(Reader& reader);
  bool register_rule(uint8_t code, Reader& reader);

  const CallFrames::Common& common_;
  uint64_t location_;
  bool big_endian_;
  Row initial_;  // after the common instructions
  std::vector<Row> remembered_;
};

bool Machine::step(Reader& reader) {
  constexpr size_t kMostRemembered = 64;
  const auto code = static_cast<uint8_t>(reader.number(1));
  const uint8_t low = code & 0x3f;
  switch (code & 0xc0) {
    case kAdvance:
      advance(low);
      return true;
    case kOffset:
      set(low, Recovery::Kind::kInFrame, factored(static_cast<int64_t>(reader.unsigned_leb())));
      return !reader.bad();
    case kRestore:
      restore(low);
      return true;
    default:
      break;
  }
  switch (code) {
    case kNop:
      return true;
    case kSetLocation:
      location_ = reader.number(4);
      break;
    case kAdvance1:
    case kAdvance2:
      advance(reader.number(code == kAdvance1 ? 1 : 2));
      break;
    case kAdvance4:
      advance(reader.number(4));
      break;
    case kRememberState:
      if (remembered_.size() == kMostRemembered) return false;
      remembered_.push_back(row);
      break;
    case kRestoreState:
      if (remembered_.empty()) return false;
      row = remembered_.back();
      remembered_.pop_back();
      break;
    case kDefineFrame: {
      const uint64_t base = reader.unsigned_leb();
      frame(base, static_cast<int64_t>(reader.unsigned_leb()));
      break;
    }
    case kDefineFrameSigned: {
      const uint64_t base = reader.unsigned_leb();
      frame(base, factored(reader.signed_leb()));
      break;
    }
    case kDefineFrameRegister:
      frame(reader.unsigned_leb(), row.offset);
      break;
    case kDefineFrameOffset:
      row.offset = static_cast<int64_t>(reader.unsigned_leb());
      break;
    case kDefineFrameOffsetSigned:
      row.offset = factored(reader.signed_leb());
      break;
    case kFrameExpression:
      reader.take(reader.unsigned_leb());
      row.frame_known = false;
      break;
    case kGnuArgumentsSize:
      reader.unsigned_leb();
      break;
    default:
      return register_rule(code, reader);
  }
  return !reader.bad();
}

bool Machine::register_rule(uint8_t code, Reader& reader) {
  const uint64_t number = reader.unsigned_leb();
  switch (code) {
    case kOffsetExtended:
      set(number, Recovery::Kind::kInFrame, factored(static_cast<int64_t>(reader.unsigned_leb())));
      break;
    case kOffsetExtendedSigned:
      set(number, Recovery::Kind::kInFrame, factored(reader.signed_leb()));
      break;
    case kGnuNegativeOffset:
      set(number, Recovery::Kind::kInFrame, -factored(static_cast<int64_t>(reader.unsigned_leb())));
      break;
    case kValueOffset:
      set(number, Recovery::Kind::kFrame, factored(static_cast<int64_t>(reader.unsigned_leb())));
      break;
    case kValueOffsetSigned:
      set(number, Recovery::Kind::kFrame, factored(reader.signed_leb()));
      break;
    case kRestoreExtended:
      restore(number);
      break;
    case kUndefined:
      set(number, Recovery::Kind::kLost, 0);
      break;
    case kSameValue:
      if (number < row.changed.size()) row.changed[number] = false;
      break;
    case kRegister: {
      const uint64_t from = reader.unsigned_leb();
      set(number, from < 32 ? Recovery::Kind::kInRegister : Recovery::Kind::kLost, 0,
          static_cast<uint8_t>(from & 31));
      break;
    }
    case kExpression:
    case kValueExpression:
      reader.take(reader.unsigned_leb());
      set(number, Recovery::Kind::kLost, 0);
      break;
    default:
      return false;
  }
  return !reader.bad();
}

CallFrames::Common read_common(Reader entry, bool is_exception) {
  CallFrames::Common common;
  const uint32_t version = entry.number(1);
  std::vector<char> augmentation;
  for (char c = 0; (c = static_cast<char>(entry.number(1))) != 0 && !entry.bad();)
    augmentation.push_back(c);
  const bool has_data = !augmentation.empty() && augmentation[0] == 'z';
  if (!augmentation.empty() && !has_data) return common;
  if (version >= 4) {
    const uint32_t address_bytes = entry.number(1);
    const uint32_t segment_bytes = entry.number(1);
    if (address_bytes != 4 || segment_bytes != 0) return common;
  }
  common.code_alignment = entry.unsigned_leb();
  common.data_alignment = entry.signed_leb();
  const uint64_t link = version == 1 ? entry.number(1) : entry.unsigned_leb();
  if (has_data) {
    Reader data(entry.take(entry.unsigned_leb()), false);
    for (size_t i = 1; i < augmentation.size(); ++i) {
      if (augmentation[i] == 'R') {
        common.pointer_encoding = static_cast<uint8_t>(data.number(1));
      } else if (augmentation[i] != 'S') {
        return common;  // personality routines and the like: not in C programs
      }
    }
  }
  common.has_augmentation_data = has_data;
  common.instructions = entry.rest();
  common.usable = !entry.bad() && link == kLink && (version == 1 || version == 3 || version == 4) &&
                  (is_exception || !has_data);
  return common;
}

}  // namespace

CallFrames::CallFrames(const std::vector<CallFrameSection>& sections, bool big_endian)
    : sections_(sections), big_endian_(big_endian) {
  for (const CallFrameSection& section : sections_) read(section);
  std::stable_sort(functions_.begin(), functions_.end(),
                   [](const Function& a, const Function& b) { return a.first < b.first; });
  // Functions that the linker dropped are left behind at address 0.
  const auto dropped = [](const Function& function) { return function.first == 0; };
  if (std::count_if(functions_.begin(), functions_.end(), dropped) > 1)
    functions_.erase(std::remove_if(functions_.begin(), functions_.end(), dropped),
                     functions_.end());
}

void CallFrames::read(const CallFrameSection& section) {
  const uint8_t* const begin = section.bytes.data();
  const Span whole = {begin, begin + section.bytes.size()};
  const auto entry_at = [&](uint64_t offset) {
    Reader reader({begin + std::min<uint64_t>(offset, section.bytes.size()), whole.last},
                  big_endian_);
    return Reader(reader.take(reader.number(4)), big_endian_);
  };
  Reader reader(whole, big_endian_);
  while (reader.more()) {
    const uint32_t length = reader.number(4);
    if (length == 0) continue;  // the end of one object's part
    const auto id_at = static_cast<uint64_t>(reader.at() - begin);
    Reader entry(reader.take(length), big_endian_);
    if (reader.bad() || length == 0xffffffff) return;
    const uint32_t id = entry.number(4);
    if (id == (section.is_exception ? 0 : 0xffffffff)) continue;  // a CIE
    Reader common = entry_at(section.is_exception ? id_at - id : id);
    common.number(4);  // its own mark
    Function function;
    function.common = read_common(common, section.is_exception);
    const uint8_t encoding = section.is_exception ? function.common.pointer_encoding : kAbsolute;
    const uint8_t format = encoding & 0x0f;
    if (!function.common.usable || (encoding & 0x70 & ~kRelative) != 0 ||
        (format != kAbsolute && format != kUnsigned4 && format != kSigned4))
      continue;
    const auto place = static_cast<uint32_t>(section.address + (entry.at() - begin));
    function.first = entry.number(4) + ((encoding & kRelative) != 0 ? place : 0);
    function.bytes = entry.number(4);
    if (function.common.has_augmentation_data) entry.take(entry.unsigned_leb());
    function.instructions = entry.rest();
    if (!entry.bad() && function.bytes != 0) functions_.push_back(function);
  }
}

const CallFrames::Function* CallFrames::function_at(uint32_t pc) const {
  const auto next = std::upper_bound(functions_.begin(), functions_.end(), pc,
                                     [](uint32_t a, const Function& f) { return a < f.first; });
  if (next == functions_.begin()) return nullptr;
  const Function& function = *std::prev(next);
  return pc - function.first < function.bytes ? &function : nullptr;
}

FrameRule CallFrames::find(uint32_t pc) const {
  FrameRule rule;
  const Function* function = function_at(pc);
  if (function == nullptr) return rule;
  Machine machine(function->common, function->first, big_endian_);
  // The common instructions have no locations: all of them count.
  if (!machine.run(function->common.instructions, 0xffffffff)) return rule;
  machine.begin();
  if (!machine.run(function->instructions, pc) || !machine.row.frame_known) return rule;
  rule.known = true;
  rule.base = machine.row.base;
  rule.offset = static_cast<int32_t>(machine.row.offset);
  for (size_t i = 0; i < machine.row.registers.size(); ++i)
    if (machine.row.changed[i]) rule.registers.push_back(machine.row.registers[i]);
  return rule;
}

}  // namespace gvp::host
