// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/doubles.h"

#include <algorithm>
#include <utility>

#include "tools/kcc/g80/copied_doubles.h"
#include "tools/ptx/rewriting.h"
#include "tools/ptx/shown_names.h"
#include "tools/ptx/values.h"

namespace gvp::kcc::g80 {
namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

class Demotion : private ptx::Rewriting {
 public:
  Demotion(ptx::Module& module, ptx::Function& function, bool arrays)
      : Rewriting(function, "double"), module_(module), arrays_(arrays) {}

  // Whether there was anything to do.
  bool run() {
    for (ptx::Register& reg : function_.registers) {
      was_double_.push_back(reg.type == Type::kF64);
      if (was_double_.back()) reg.type = Type::kF32;
    }
    rewrite_body([this](const Instruction& instruction) { rewrite(instruction); });
    return changed_;
  }
  const ptx::SourceLine& where() const { return where_; }

  // Accesses alone, where pointers lead to the kernel's own memory.
  bool run_on_own_memory() {
    const std::vector<uint32_t> addresses(module_.symbols.size(), 0);
    const ptx::Values values(module_, function_, addresses);
    rewrite_body([&](const Instruction& instruction) {
      const bool demoted = is_double_access(instruction) && is_own(values, instruction);
      changed_ |= demoted;
      if (demoted) {
        convert(instruction);
      } else {
        out_.push_back(instruction);
      }
    });
    return changed_;
  }

 private:
  bool is_double(const Operand& operand) const {
    return operand.is_register() && operand.index < was_double_.size() &&
           was_double_[operand.index];
  }
  static bool has_memory(const Instruction& in) {
    return in.opcode == Opcode::kLd || in.opcode == Opcode::kLdu || in.opcode == Opcode::kSt;
  }
  static bool is_double_access(const Instruction& in) {
    return has_memory(in) && in.type == Type::kF64;
  }
  static bool is_own(const ptx::Values& values, const Instruction& in) {
    constexpr unsigned kOwn =
        1U << static_cast<unsigned>(Space::kShared) | 1U << static_cast<unsigned>(Space::kLocal);
    const ptx::Values::Target target = values.target(in.operands[in.opcode == Opcode::kSt ? 0 : 1]);
    return in.space == Space::kGeneric && !target.anything && target.spaces != 0 &&
           (target.spaces & ~kOwn) == 0;
  }
  bool touches_double(const Instruction& in) const {
    bool found = in.type == Type::kF64 || in.source_type == Type::kF64;
    const auto look = [&](const Operand& operand) {
      found |= is_double(operand);
      for (const Operand& element : operand.elements) found |= is_double(element);
    };
    for (const Operand& operand : in.operands) look(operand);
    return found;
  }

  void rewrite(const Instruction& original) {
    if (!touches_double(original)) return out_.push_back(original);
    if (!changed_ || where_.line == 0) where_ = original.source;
    changed_ = true;
    if (has_memory(original)) return memory(original);
    if (original.opcode == Opcode::kMov && bits_move(original)) return;
    Instruction in = original;
    if (in.type == Type::kF64) in.type = Type::kF32;
    if (in.source_type == Type::kF64) in.source_type = Type::kF32;
    for (Operand& operand : in.operands) shorten(operand);
    const bool same = in.opcode == Opcode::kCvt && in.type == Type::kF32 &&
                      in.source_type == Type::kF32 && !in.to_integer && !in.saturate;
    if (same) {
      in.opcode = Opcode::kMov;
      in.source_type = Type::kNone;
      in.rounding = ptx::Rounding::kDefault;
    }
    out_.push_back(std::move(in));
  }

  static void shorten(Operand& operand) {
    for (Operand& element : operand.elements) shorten(element);
    if (!operand.is_immediate() || operand.type != Type::kF64) return;
    operand.value = ptx::float_bits(operand.value);
    operand.type = Type::kF32;
  }

  void call(const char* routine, std::vector<Operand> results, std::vector<Operand> arguments) {
    Instruction out = plain(Opcode::kCall, Type::kNone);
    out.callee = routine;
    out.call_results = std::move(results);
    out.call_arguments = std::move(arguments);
    out_.push_back(std::move(out));
  }

  // What a float's value is as the two words of a double.
  std::pair<Operand, Operand> to_words(Operand value) {
    shorten(value);
    const Operand low = fresh(Type::kB32);
    const Operand high = fresh(Type::kB32);
    call("__kcc_float_to_double", {low, high}, {value});
    return {low, high};
  }
  void guarded_move(const Operand& to, const Operand& from, Type type) {
    if (to.kind == Operand::Kind::kSink) return;
    Instruction out = plain(Opcode::kMov, type);
    out.guard = current_->guard;
    out.guard_negated = current_->guard_negated;
    out.operands = {to, from};
    out_.push_back(std::move(out));
  }
  void from_words(const Operand& to, const Operand& low, const Operand& high) {
    const Operand value = fresh(Type::kF32);
    call("__kcc_double_to_float", {value}, {low, high});
    guarded_move(to, value, Type::kF32);
  }

  // Moves of 64 bits between doubles and integers, or pairs of words.
  bool bits_move(const Instruction& in) {
    const Operand& to = in.operands[0];
    const Operand& from = in.operands[1];
    if (from.kind == Operand::Kind::kVector && is_double(to)) {
      from_words(to, from.elements.at(0), from.elements.at(1));
      return true;
    }
    if (to.kind == Operand::Kind::kVector && is_double(from)) {
      const auto [low, high] = to_words(from);
      guarded_move(to.elements.at(0), low, Type::kB32);
      guarded_move(to.elements.at(1), high, Type::kB32);
      return true;
    }
    if (is_double(to) == is_double(from) || from.is_immediate()) return false;
    Operand words;
    words.kind = Operand::Kind::kVector;
    if (is_double(to)) {
      words.elements = {fresh(Type::kB32), fresh(Type::kB32)};
      Instruction unpack = plain(Opcode::kMov, Type::kB64);
      unpack.operands = {words, from};
      out_.push_back(std::move(unpack));
      from_words(to, words.elements[0], words.elements[1]);
      return true;
    }
    const auto [low, high] = to_words(from);
    words.elements = {low, high};
    guarded_move(to, words, Type::kB64);
    return true;
  }

  // A scalar parameter is a float; everything else has the bits of doubles.
  bool is_scalar_parameter(const Instruction& in) const {
    const Operand& place = in.operands[in.opcode == Opcode::kSt ? 0 : 1];
    return in.space == Space::kParameter && place.symbol != ptx::kNoIndex && place.value == 0 &&
           module_.symbols[place.symbol].type == Type::kF64 && in.vector == 1;
  }

  // The pointer to the variables of a function, in PTX of LLVM.
  bool on_stack(const Instruction& in) const {
    const Operand& place = in.operands[in.opcode == Opcode::kSt ? 0 : 1];
    return in.space == Space::kGeneric && place.index != ptx::kNoIndex &&
           function_.registers[place.index].name == "%SP";
  }

  void memory(const Instruction& in) {
    if (in.type == Type::kF64 && is_scalar_parameter(in)) {
      Instruction out = in;
      out.type = Type::kF32;
      for (Operand& operand : out.operands) shorten(operand);
      out_.push_back(std::move(out));
      return;
    }
    const bool own = in.space == Space::kShared || in.space == Space::kLocal ||
                     in.space == Space::kParameter || on_stack(in);
    if (!own && !arrays_) return out_.push_back(in);  // refused in kernels that need it
    convert(in);
  }

  void convert(const Instruction& in) {
    const bool store = in.opcode == Opcode::kSt;
    const Operand& data = in.operands[store ? 1 : 0];
    const std::vector<Operand> single{data};
    const auto list = data.kind == Operand::Kind::kVector ? data.elements : single;
    Instruction out = in;
    out.type = Type::kB32;
    out.vector = static_cast<uint8_t>(2 * in.vector);
    Operand words;
    words.kind = Operand::Kind::kVector;
    words.position = data.position;
    for (const Operand& element : list) {
      if (store) {
        const auto [low, high] = to_words(element);
        words.elements.insert(words.elements.end(), {low, high});
      } else {
        words.elements.push_back(fresh(Type::kB32));
        words.elements.push_back(fresh(Type::kB32));
      }
    }
    out.operands[store ? 1 : 0] = words;
    out_.push_back(std::move(out));
    if (store) return;
    for (size_t i = 0; i < list.size(); ++i)
      from_words(list[i], words.elements[2 * i], words.elements[2 * i + 1]);
  }

  ptx::Module& module_;
  bool arrays_;
  bool changed_ = false;
  ptx::SourceLine where_;
  std::vector<bool> was_double_;
};

}  // namespace

bool demote_own_memory(ptx::Module& module, ptx::Function& kernel) {
  return Demotion(module, kernel, false).run_on_own_memory();
}

std::vector<std::string> demote_doubles(ptx::Module& module, bool arrays) {
  std::vector<std::string> warnings;
  for (ptx::Function& function : module.functions) {
    copy_doubles_as_words(function);
    Demotion demotion(module, function, arrays);
    if (!demotion.run()) continue;
    const ptx::SourceLine& where = demotion.where();
    const auto file = module.files.find(where.file);
    std::string place =
        file == module.files.end() ? module.source.name() : ptx::shown_file(file->second);
    if (where.line != 0) place += ":" + std::to_string(where.line);
    if (where.line != 0 && where.column != 0) place += ":" + std::to_string(where.column);
    std::string warning = place + ": warning: double precision in \"" +
                          ptx::readable_name(function.name) +
                          "\" is demoted to float, which is all the machine has";
    // A constructor is two functions of one name.
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
      warnings.push_back(std::move(warning));
  }
  // Scalar parameters are floats, too: for a call both sides are in this file, and a launch passes
  // four bytes.
  for (ptx::Symbol& symbol : module.symbols) {
    if (symbol.space != Space::kParameter || symbol.type != Type::kF64 || symbol.size != 8)
      continue;
    symbol.type = Type::kF32;
    symbol.size = 4;
    symbol.alignment = 4;
  }
  return warnings;
}

}  // namespace gvp::kcc::g80
