// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/split.h"

#include <algorithm>
#include <utility>

#include "tools/ptx/rewriting.h"

namespace gvp::ptx {
namespace {

bool is_wide(Type type) { return is_integer(type) && bytes(type) == 8; }

class Splitter : private Rewriting {
 public:
  Splitter(const Module& module, Function& function)
      : Rewriting(function, "half"),
        module_(module),
        high_of_(function.registers.size(), kNoIndex) {}

  void run() {
    const auto count = static_cast<uint32_t>(function_.registers.size());
    for (uint32_t v = 0; v < count; ++v) {
      if (!is_wide(function_.registers[v].type)) continue;
      function_.registers[v].type = Type::kB32;
      high_of_[v] = add_register(Type::kB32);
    }
    rewrite_body([this](const Instruction& instruction) {
      if (!split(instruction)) out_.push_back(instruction);
    });
  }

 private:
  struct Pair {
    Operand low;
    Operand high;
  };

  [[noreturn]] void unsupported() const {
    fail(module_, *current_, mnemonic(*current_) + ": not supported for 64-bit integers",
         "use 32-bit types");
  }

  Pair pair(const Operand& operand) const {
    Pair result{operand, word(0)};
    if (operand.is_immediate()) {
      result.low = word(static_cast<uint32_t>(operand.value));
      result.high = word(static_cast<uint32_t>(operand.value >> 32));
    } else if (operand.is_register()) {
      if (operand.index >= high_of_.size() || high_of_[operand.index] == kNoIndex) unsupported();
      result.high = operand;
      result.high.index = high_of_[operand.index];
    }
    return result;
  }
  Pair source(size_t i) const { return pair(current_->operands[i]); }

  Instruction& emit(Opcode opcode, Type type, std::vector<Operand> operands) {
    out_.push_back(plain(opcode, type, std::move(operands)));
    return out_.back();
  }
  // The result of an operation with one destination.
  Operand value(Opcode opcode, Type type, std::vector<Operand> sources) {
    Operand result = fresh(Type::kB32);
    sources.insert(sources.begin(), result);
    emit(opcode, type, std::move(sources));
    return result;
  }
  Operand product(Half half, Type type, const Operand& a, const Operand& b) {
    Operand result = value(Opcode::kMul, type, {a, b});
    out_.back().half = half;
    return result;
  }
  // 0 or ~0.
  Operand mask(Compare compare, Type type, const Operand& a, const Operand& b) {
    Operand result = value(Opcode::kSet, Type::kU32, {a, b});
    out_.back().source_type = type;
    out_.back().compare = compare;
    return result;
  }

  void guard(Instruction& out) const {
    out.guard = current_->guard;
    out.guard_negated = current_->guard_negated;
  }
  // The destination is written last, because it may be a source, too.
  void write(const Pair& result) {
    const Operand& destination = current_->operands[0];
    if (destination.kind == Operand::Kind::kSink) return;
    const Pair to = pair(destination);
    // Neither half may be overwritten before it is read.
    const Operand low = value(Opcode::kMov, Type::kB32, {result.low});
    guard(emit(Opcode::kMov, Type::kB32, {to.high, result.high}));
    guard(emit(Opcode::kMov, Type::kB32, {to.low, low}));
  }
  void write_word(const Operand& result, Type type = Type::kB32) {
    if (current_->operands[0].kind == Operand::Kind::kSink) return;
    guard(emit(Opcode::kMov, type, {current_->operands[0], result}));
  }

  bool split(const Instruction& in) {
    if (in.opcode == Opcode::kMov && in.operands[0].kind == Operand::Kind::kVector) {
      unpack(in);
      return true;
    }
    if (in.opcode == Opcode::kMov && in.operands[1].kind == Operand::Kind::kVector) {
      pack(in);
      return true;
    }
    const bool wide_product = (in.opcode == Opcode::kMul || in.opcode == Opcode::kMad) &&
                              in.half == Half::kWide && bytes(in.type) == 4;
    if (!is_wide(in.type) && !is_wide(in.source_type) && !wide_product) return widen(in);
    arithmetic(in, wide_product);
    return true;
  }

  // Loads, moves and conversions of less into a register of 64 bits fill all of it.
  bool widen(const Instruction& in) {
    if (!writes_first_operand(in) || is_float(in.type)) return false;
    std::vector<Operand> wide;
    const auto note = [&](const Operand& operand) {
      if (operand.is_register() && operand.index < high_of_.size() &&
          high_of_[operand.index] != kNoIndex)
        wide.push_back(operand);
    };
    if (in.operands.empty()) return false;
    note(in.operands[0]);
    for (const Operand& element : in.operands[0].elements) note(element);
    if (wide.empty()) return false;
    out_.push_back(in);
    for (const Operand& low : wide) {
      const bool is_signed = ptx::is_signed(in.type);
      const Operand high = is_signed ? value(Opcode::kShr, Type::kS32, {low, word(31)}) : word(0);
      guard(emit(Opcode::kMov, Type::kB32, {pair(low).high, high}));
    }
    return true;
  }

  void unpack(const Instruction& in) {
    const auto& parts = in.operands[0].elements;
    if (parts.size() != 2) unsupported();
    Pair halves;
    if (bytes(in.type) == 8) {
      halves = source(1);
    } else {
      halves.low = in.operands[1];
      halves.high = value(Opcode::kShr, Type::kU32, {in.operands[1], word(16)});
    }
    const Operand low = value(Opcode::kMov, Type::kB32, {halves.low});
    const Operand high = value(Opcode::kMov, Type::kB32, {halves.high});
    const Operand* from[] = {&low, &high};
    for (size_t i = 0; i < 2; ++i) {
      if (parts[i].kind == Operand::Kind::kSink) continue;
      guard(emit(Opcode::kMov, Type::kB32, {parts[i], *from[i]}));
    }
  }

  void pack(const Instruction& in) {
    const auto& parts = in.operands[1].elements;
    if (parts.size() != 2) unsupported();
    if (bytes(in.type) == 8) return write({parts[0], parts[1]});
    const Operand low = value(Opcode::kAnd, Type::kB32, {parts[0], word(0xffff)});
    const Operand high = value(Opcode::kShl, Type::kB32, {parts[1], word(16)});
    write_word(value(Opcode::kOr, Type::kB32, {low, high}));
  }

  void arithmetic(const Instruction& in, bool wide_product) {
    if (in.carry || in.saturate || !in.modifier.empty()) unsupported();
    const bool is_signed = ptx::is_signed(in.type);
    switch (in.opcode) {
      case Opcode::kMov:
      case Opcode::kCvta:
        return write(source(1));
      case Opcode::kAdd:
        return write(sum(source(1), source(2)));
      case Opcode::kSub:
        return write(difference(source(1), source(2)));
      case Opcode::kNeg:
        return write(difference({word(0), word(0)}, source(1)));
      case Opcode::kAbs: {
        const Operand sign = value(Opcode::kShr, Type::kS32, {source(1).high, word(31)});
        const Pair signs{sign, sign};
        return write(difference(logic(Opcode::kXor, source(1), signs), signs));
      }
      case Opcode::kAnd:
      case Opcode::kOr:
      case Opcode::kXor:
        return write(logic(in.opcode, source(1), source(2)));
      case Opcode::kNot:
        return write({value(Opcode::kNot, Type::kB32, {source(1).low}),
                      value(Opcode::kNot, Type::kB32, {source(1).high})});
      case Opcode::kCnot: {
        const Operand any = value(Opcode::kOr, Type::kB32, {source(1).low, source(1).high});
        return write({value(Opcode::kCnot, Type::kB32, {any}), word(0)});
      }
      case Opcode::kShl:
        return write(shift_left(source(1), in.operands[2]));
      case Opcode::kShr:
        return write(shift_right(source(1), in.operands[2], is_signed));
      case Opcode::kBfe:
        return write(field(source(1), known(2), known(3), is_signed));
      case Opcode::kBfi:
        return write(with_field(source(1), source(2), known(3), known(4)));
      case Opcode::kMul:
      case Opcode::kMad: {
        const Pair result = wide_product ? product_of_words(in) : product_of_pairs(in);
        return write(in.opcode == Opcode::kMad ? sum(result, source(3)) : result);
      }
      case Opcode::kMin:
      case Opcode::kMax: {
        const Compare order = in.opcode == Opcode::kMin ? Compare::kLt : Compare::kGt;
        return write(
            selected(ordered(order, is_signed, source(1), source(2)), source(1), source(2)));
      }
      case Opcode::kSelp:
        return write(
            {choice(in, source(1).low, source(2).low), choice(in, source(1).high, source(2).high)});
      case Opcode::kSetp:
        return set_predicate(in, is_signed);
      case Opcode::kSet:
        return set_word(in);
      case Opcode::kCvt:
        return convert(in);
      case Opcode::kLd:
      case Opcode::kLdu:
      case Opcode::kSt:
        return access(in);
      default:
        unsupported();
    }
  }

  // The carry out of a sum is that the sum is less than an addend; as a mask it is -1.
  Pair sum(const Pair& a, const Pair& b) {
    const Operand low = value(Opcode::kAdd, Type::kU32, {a.low, b.low});
    const Operand high = value(Opcode::kAdd, Type::kU32, {a.high, b.high});
    if (b.low.is_immediate() && b.low.value == 0) return {low, high};
    const Operand carry = mask(Compare::kLt, Type::kU32, low, b.low);
    return {low, value(Opcode::kSub, Type::kU32, {high, carry})};
  }
  Pair difference(const Pair& a, const Pair& b) {
    const Operand low = value(Opcode::kSub, Type::kU32, {a.low, b.low});
    const Operand high = value(Opcode::kSub, Type::kU32, {a.high, b.high});
    if (b.low.is_immediate() && b.low.value == 0) return {low, high};
    const Operand borrow = mask(Compare::kLt, Type::kU32, a.low, b.low);
    return {low, value(Opcode::kAdd, Type::kU32, {high, borrow})};
  }
  Pair logic(Opcode opcode, const Pair& a, const Pair& b) {
    return {value(opcode, Type::kB32, {a.low, b.low}), value(opcode, Type::kB32, {a.high, b.high})};
  }

  // Shifts of words by 32 and more give zero, or the sign: the parts of all three cases (less than
  // a word, a word and more, everything) can be put together without asking which it is.  The
  // counts 32 - n and n - 32 are huge as unsigned numbers where they would be negative.
  Pair shift_left(const Pair& a, const Operand& count) {
    if (count.is_immediate()) {
      const auto n = static_cast<uint32_t>(std::min<uint64_t>(count.value & 0xffffffff, 64));
      if (n == 0) return a;
      if (n >= 32) return {word(0), value(Opcode::kShl, Type::kB32, {a.low, word(n - 32)})};
    }
    const auto [less, more] = counts(count);
    const Operand upper = value(Opcode::kShl, Type::kB32, {a.high, count});
    const Operand across = value(Opcode::kShr, Type::kU32, {a.low, less});
    Operand high = value(Opcode::kOr, Type::kB32, {upper, across});
    if (!count.is_immediate()) {
      const Operand beyond = value(Opcode::kShl, Type::kB32, {a.low, more});
      high = value(Opcode::kOr, Type::kB32, {high, beyond});
    }
    return {value(Opcode::kShl, Type::kB32, {a.low, count}), high};
  }

  Pair shift_right(const Pair& a, const Operand& count, bool is_signed) {
    const Type type = is_signed ? Type::kS32 : Type::kU32;
    if (count.is_immediate()) {
      const auto n = static_cast<uint32_t>(std::min<uint64_t>(count.value & 0xffffffff, 64));
      if (n == 0) return a;
      const Operand high = n < 32      ? value(Opcode::kShr, type, {a.high, word(n)})
                           : is_signed ? value(Opcode::kShr, type, {a.high, word(31)})
                                       : word(0);
      if (n >= 32) return {value(Opcode::kShr, type, {a.high, word(std::min(n - 32, 32U))}), high};
      const Operand lower = value(Opcode::kShr, Type::kU32, {a.low, word(n)});
      const Operand across = value(Opcode::kShl, Type::kB32, {a.high, word(32 - n)});
      return {value(Opcode::kOr, Type::kB32, {lower, across}), high};
    }
    const auto [less, more] = counts(count);
    const Operand lower = value(Opcode::kShr, Type::kU32, {a.low, count});
    const Operand across = value(Opcode::kShl, Type::kB32, {a.high, less});
    const Operand part = value(Opcode::kOr, Type::kB32, {lower, across});
    // The upper word in the place of the lower one; with signs it is not zero for small counts.
    const Operand moved = value(Opcode::kShr, type, {a.high, more});
    const Operand small = mask(Compare::kLo, Type::kU32, count, word(32));
    const Operand outside = value(Opcode::kNot, Type::kB32, {small});
    const Operand beyond = value(Opcode::kAnd, Type::kB32, {moved, outside});
    return {value(Opcode::kOr, Type::kB32, {part, beyond}),
            value(Opcode::kShr, type, {a.high, count})};
  }
  std::pair<Operand, Operand> counts(const Operand& count) {
    if (count.is_immediate()) return {word(32 - static_cast<uint32_t>(count.value)), word(0)};
    return {value(Opcode::kSub, Type::kU32, {word(32), count}),
            value(Opcode::kSub, Type::kU32, {count, word(32)})};
  }

  // Places and lengths of bit fields have 8 bits (PTX ISA, bfe and bfi).
  uint32_t known(size_t i) const {
    if (!current_->operands[i].is_immediate()) unsupported();
    return static_cast<uint32_t>(current_->operands[i].value) & 0xff;
  }
  Pair field(const Pair& a, uint32_t begin, uint32_t length, bool is_signed) {
    if (length == 0) return {word(0), word(0)};
    if (begin >= 64 && !is_signed) return {word(0), word(0)};
    const uint32_t low = std::min(begin, 63U);
    const uint32_t end = std::min(low + length, 64U);
    const Pair top = shift_left(a, word(64 - end));
    return shift_right(top, word(64 - end + low), is_signed);
  }
  // The bits of a from the lowest on instead of those of b from `begin` on.
  Pair with_field(const Pair& a, const Pair& b, uint32_t begin, uint32_t length) {
    if (length == 0 || begin >= 64) return b;
    const uint64_t all = ~uint64_t{0};
    const uint64_t bits = (length >= 64 ? all : (uint64_t{1} << length) - 1) << begin;
    const auto both = [](uint64_t value) {
      return Pair{word(static_cast<uint32_t>(value)), word(static_cast<uint32_t>(value >> 32))};
    };
    return logic(Opcode::kOr, logic(Opcode::kAnd, shift_left(a, word(begin)), both(bits)),
                 logic(Opcode::kAnd, b, both(~bits)));
  }

  Pair product_of_words(const Instruction& in) {
    return {product(Half::kLow, in.type, in.operands[1], in.operands[2]),
            product(Half::kHigh, in.type, in.operands[1], in.operands[2])};
  }
  Pair product_of_pairs(const Instruction& in) {
    if (in.half != Half::kLow) unsupported();
    const Pair a = source(1);
    const Pair b = source(2);
    const Operand low = product(Half::kLow, Type::kU32, a.low, b.low);
    const Operand upper = product(Half::kHigh, Type::kU32, a.low, b.low);
    const Operand first = product(Half::kLow, Type::kU32, a.low, b.high);
    const Operand second = product(Half::kLow, Type::kU32, a.high, b.low);
    const Operand cross = value(Opcode::kAdd, Type::kU32, {first, second});
    return {low, value(Opcode::kAdd, Type::kU32, {upper, cross})};
  }

  // a < b or a > b as a mask.
  Operand ordered(Compare order, bool is_signed, const Pair& a, const Pair& b) {
    const Operand upper = mask(order, is_signed ? Type::kS32 : Type::kU32, a.high, b.high);
    const Operand equal = mask(Compare::kEq, Type::kU32, a.high, b.high);
    const Operand lower = mask(order, Type::kU32, a.low, b.low);
    const Operand both = value(Opcode::kAnd, Type::kB32, {equal, lower});
    return value(Opcode::kOr, Type::kB32, {upper, both});
  }
  Operand compared(Compare compare, bool is_signed, const Pair& a, const Pair& b) {
    switch (compare) {
      case Compare::kEq:
      case Compare::kNe: {
        const Pair differences = logic(Opcode::kXor, a, b);
        const Operand any = value(Opcode::kOr, Type::kB32, {differences.low, differences.high});
        return mask(compare, Type::kU32, any, word(0));
      }
      case Compare::kLt:
        return ordered(Compare::kLt, is_signed, a, b);
      case Compare::kGt:
        return ordered(Compare::kGt, is_signed, a, b);
      case Compare::kLe:
        return value(Opcode::kNot, Type::kB32, {ordered(Compare::kGt, is_signed, a, b)});
      case Compare::kGe:
        return value(Opcode::kNot, Type::kB32, {ordered(Compare::kLt, is_signed, a, b)});
      case Compare::kLo:
        return ordered(Compare::kLt, false, a, b);
      case Compare::kHi:
        return ordered(Compare::kGt, false, a, b);
      case Compare::kLs:
        return value(Opcode::kNot, Type::kB32, {ordered(Compare::kGt, false, a, b)});
      case Compare::kHs:
        return value(Opcode::kNot, Type::kB32, {ordered(Compare::kLt, false, a, b)});
      default:
        unsupported();
    }
  }

  Pair selected(const Operand& chosen, const Pair& yes, const Pair& no) {
    const Operand other = value(Opcode::kNot, Type::kB32, {chosen});
    const auto part = [&](const Operand& a, const Operand& b) {
      const Operand first = value(Opcode::kAnd, Type::kB32, {a, chosen});
      const Operand second = value(Opcode::kAnd, Type::kB32, {b, other});
      return value(Opcode::kOr, Type::kB32, {first, second});
    };
    return {part(yes.low, no.low), part(yes.high, no.high)};
  }
  Operand choice(const Instruction& in, const Operand& yes, const Operand& no) {
    return value(Opcode::kSelp, Type::kB32, {yes, no, in.operands[3]});
  }

  // The mask is compared with zero; combination with another predicate stays there.
  void set_predicate(const Instruction& in, bool is_signed) {
    const Operand result = compared(in.compare, is_signed, source(1), source(2));
    std::vector<Operand> operands{in.operands[0], result, word(0)};
    if (in.operands.size() > 3) operands.push_back(in.operands[3]);
    Instruction& out = emit(Opcode::kSetp, Type::kU32, std::move(operands));
    out.compare = Compare::kNe;
    out.combine = in.combine;
    out.second_destination = in.second_destination;
    guard(out);
  }
  void set_word(const Instruction& in) {
    if (in.operands.size() > 3 || is_wide(in.type)) unsupported();
    const Operand result =
        compared(in.compare, ptx::is_signed(in.source_type), source(1), source(2));
    if (!is_float(in.type)) return write_word(result);
    write_word(value(Opcode::kAnd, Type::kB32, {result, word(0x3f800000)}));
  }

  void convert(const Instruction& in) {
    if (is_float(in.type) || is_float(in.source_type)) unsupported();
    if (is_wide(in.source_type)) {
      if (is_wide(in.type)) return write(source(1));
      if (bytes(in.type) == 4) return write_word(source(1).low);
      const Operand narrow = fresh(Type::kB32);
      Instruction& out = emit(Opcode::kCvt, in.type, {narrow, source(1).low});
      out.source_type = Type::kU32;
      return write_word(narrow);
    }
    Operand low = in.operands[1];
    const bool is_signed = ptx::is_signed(in.source_type);
    if (bytes(in.source_type) < 4) {
      low = fresh(Type::kB32);
      Instruction& out =
          emit(Opcode::kCvt, is_signed ? Type::kS32 : Type::kU32, {low, in.operands[1]});
      out.source_type = in.source_type;
    }
    write({low, is_signed ? value(Opcode::kShr, Type::kS32, {low, word(31)}) : word(0)});
  }

  // As a vector of words, which code generators know how to move.
  void access(const Instruction& in) {
    Instruction out = in;
    out.type = Type::kB32;
    out.vector = static_cast<uint8_t>(2 * in.vector);
    Operand& data = out.operands[in.opcode == Opcode::kSt ? 1 : 0];
    const std::vector<Operand> single{data};
    const auto list = data.kind == Operand::Kind::kVector ? data.elements : single;
    Operand words;
    words.kind = Operand::Kind::kVector;
    words.position = data.position;
    for (const Operand& element : list) {
      const bool sink = element.kind == Operand::Kind::kSink;
      const Pair halves = sink ? Pair{element, element} : pair(element);
      words.elements.push_back(halves.low);
      words.elements.push_back(halves.high);
    }
    data = std::move(words);
    out_.push_back(std::move(out));
  }

  const Module& module_;
  std::vector<uint32_t> high_of_;
};

}  // namespace

void split_wide(const Module& module, Function& function) { Splitter(module, function).run(); }

}  // namespace gvp::ptx
