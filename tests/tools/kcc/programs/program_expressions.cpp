// SPDX-License-Identifier: Apache-2.0
// Expressions that are defined whatever the values of the variables are.  Floats stay between 1e-4
// and 1e4 (or are zero) in variables, and expressions are short, so that neither a denormal number,
// which the machine does not have, nor one without an end turns up.
#include "tests/tools/kcc/programs/program_generator.h"

namespace gvp::kcc {

uint32_t ProgramGenerator::interesting() {
  switch (pick(6)) {
    case 0:
      return pick(16);
    case 1:
      return 0U - pick(16);
    case 2:
      return 0x80000000U >> pick(3);
    case 3:
      return 1U << pick(32);
    case 4:
      return (1U << pick(32)) - 1;
    default:
      return static_cast<uint32_t>(random_());
  }
}

std::string ProgramGenerator::member(const Variable& member) {
  std::string text = fmt::format("t{}.{}", pick(2), member.name);
  if (member.elements != 0) text += fmt::format("[{}]", pick(member.elements));
  return text;
}

const ProgramGenerator::Variable* ProgramGenerator::member_of_kind(bool is_float) {
  const Variable& found = any(members_);
  return found.is_float() == is_float ? &found : nullptr;
}

// The same for all threads of a block.
std::string ProgramGenerator::uniform() {
  switch (pick(4)) {
    case 0:
      return "(unsigned)n";
    case 1:
      return "blockIdx.x";
    case 2:
      return fmt::format("table[(blockIdx.x + {}u) & 15u]", pick(16));
    default:
      return "(unsigned)setting.count";
  }
}

std::string ProgramGenerator::uniform_in_block() {
  return chance(3) ? fmt::format("limits[{}]", pick(4)) : uniform();
}

// Of an array in shared memory, whoever writes its elements until the next barrier.
std::string ProgramGenerator::of_others() {
  const SharedArray& array = any(shared_);
  if (array.is_float()) return "u0";
  if (array.own) return fmt::format("(unsigned){}[{}]", array.name, array.place);
  return fmt::format("(unsigned){}[(u{} + {}u) % {}u]", array.name, pick(3), pick(99),
                     program_.threads);
}

std::string ProgramGenerator::unsigned_leaf() {
  if (in_function_) return choose({"a", "b", "(a ^ b)", "0x10001u", "7u", "table[a & 15u]"});
  switch (pick(15)) {
    case 13:
      if (!textures_) return "u1";
      return fmt::format("tex1Dfetch(row, (int)(u{} & 63u))", pick(3));
    case 14:
      return fmt::format("(unsigned)presets[u{} % 3u].{}", pick(3),
                         choose({"count", "step", "mask", "bias"}));
    case 0:
      return fmt::format("{}u", interesting());
    case 1:
      return choose({"own", "threadIdx.x", "threadIdx.y", "blockDim.x", "me", "blockIdx.x"});
    case 2:
      return uniform();
    case 3:
      return fmt::format("table[({} + {}u) & 15u]", choose({"own", "u0", "u1"}), pick(16));
    case 4:
      return fmt::format("weights[{} & 7u]", choose({"me", "u2", "u0"}));
    case 5:
      return of_others();
    case 6: {
      const Flag& flag = any(flags_);
      return flag.raised ? "u1" : flag.name;
    }
    case 7: {
      const Variable& array = any(arrays_);
      if (array.is_float()) return "u2";
      return fmt::format("(unsigned){}[(u{} + {}u) & {}u]", array.name, pick(3), pick(8),
                         array.elements - 1);
    }
    case 8:
      if (const Variable* found = member_of_kind(false)) return "(unsigned)" + member(*found);
      return "u1";
    case 9:
      return choose(
          {"quad.x", "quad.y", "quad.z", "quad.w", "(unsigned)small.x", "(unsigned)small.w"});
    case 10:
      return fmt::format("in[(me * 4u + {}u) % {}u]", pick(64),
                         program_.threads * program_.grid * 4);
    default: {
      const Variable& variable = any(variables_);
      if (variable.is_float()) return "u0";
      return variable.type == "unsigned" ? variable.name : "(unsigned)" + variable.name;
    }
  }
}

std::string ProgramGenerator::unsigned_number(unsigned depth) {
  if (depth == 0) return unsigned_leaf();
  const auto u = [&] { return unsigned_number(depth - 1); };
  switch (pick(26)) {
    case 0:
    case 1:
      return fmt::format("({} + {})", u(), u());
    case 2:
      return fmt::format("({} - {})", u(), u());
    case 3:
      return fmt::format("({} * {})", u(), chance(2) ? u() : fmt::format("{}u", pick(1000)));
    case 4:
      return fmt::format("({} {} {})", u(), choose({"&", "|", "^"}), u());
    case 5:
      return fmt::format("({} {} ({} & 31u))", u(), choose({"<<", ">>"}), u());
    case 6:
      return fmt::format("({} {} {})", u(), choose({"<<", ">>"}), pick(32));
    case 7:
      return fmt::format("({} {} ({} | 1u))", u(), choose({"/", "%"}), u());
    case 8:
      return fmt::format("({} {} {}u)", u(), choose({"/", "%"}), 1 + pick(chance(2) ? 20 : 70000));
    case 9:
      return fmt::format("{}({}, {})", choose({"min", "max", "__umul24"}), u(), u());
    case 10:
      return fmt::format("({} ? {} : {})", condition(depth - 1), u(), u());
    case 11:
      return fmt::format("(unsigned){}((int){})", choose({"__clz", "__ffs"}), u());
    case 12:
      return fmt::format("{}({})", choose({"(unsigned)__popc", "__brev", "~", "-", "(unsigned)!"}),
                         u());
    case 13:
      return fmt::format("__usad({}, {}, {})", u(), u(), u());
    case 14:
      return fmt::format("(unsigned)({}){}",
                         choose({"unsigned char", "unsigned short", "signed char", "short"}), u());
    case 15:
      if (in_function_) return u();
      if (chance(2)) return fmt::format("mixed({}, {})", u(), u());
      return fmt::format(
          "sifted({}, (signed char){}, (short){}, (unsigned char){}, (long long){}, {}, (int){})",
          condition(0), u(), u(), u(), wide_number(depth - 1), u(), u());
    case 16:
      if (!in_function_) return fmt::format("turned<{}>({})", 1 + pick(31), u());
      return u();
    case 17:
      return fmt::format("__byte_perm({}, {}, {}u)", u(), u(), random_() & 0x7777U);
    case 18:
      return fmt::format("(unsigned)({})", condition(depth - 1));
    case 19:
      return fmt::format("__umulhi({}, {})", u(), u());
    case 20:
      return fmt::format(chance(2) ? "(unsigned){}" : "(unsigned)({} >> 32)",
                         wide_number(depth - 1));
    case 21:
      return in_function_ ? u() : passed(depth - 1);
    default:
      return fmt::format("(unsigned){}", integer(depth - 1));
  }
}

std::string ProgramGenerator::integer_leaf() {
  if (in_function_) return choose({"(int)a", "(int)b", "-3", "12345"});
  switch (pick(5)) {
    case 0:
      return fmt::format("(int){}u", interesting());
    case 1:
      return choose({"n", "(int)own", "(int)me", "(int)setting.step", "(int)setting.bias"});
    case 2:
      return "(int)" + unsigned_leaf();
    default: {
      const Variable& variable = any(variables_);
      if (variable.is_float()) return "i0";
      return variable.type == "int" ? variable.name : "(int)" + variable.name;
    }
  }
}

std::string ProgramGenerator::integer(unsigned depth) {
  if (depth == 0) return integer_leaf();
  const auto s = [&] { return integer(depth - 1); };
  switch (pick(17)) {
    case 0:
      return fmt::format("(({} >> 2) {} ({} >> 2))", s(), choose({"+", "-"}), s());
    case 1:
      return fmt::format("(({} & 0xffff) {} ({} & 0x7fff))", s(), choose({"+", "-", "*"}), s());
    case 2:
      return fmt::format("(({} % 1000) * ({} % {}))", s(), s(), 1 + pick(30000));
    case 3:
      return fmt::format("({} >> ({} & 31))", s(), s());
    case 4:
      return fmt::format("(({} >> 1) {} ({} | 1))", s(), choose({"/", "%"}), s());
    case 5:
      return fmt::format("({} {} {})", s(), choose({"/", "%"}),
                         static_cast<int>(pick(2000)) - 2500);
    case 6:
      return fmt::format("({} {} {})", s(), choose({"/", "%"}), 2 + pick(99999));
    case 7:
      return fmt::format("{}({}, {})", choose({"min", "max", "__mul24"}), s(), s());
    case 8:
      return fmt::format("abs({} >> 1)", s());
    case 9:
      return fmt::format("(int)({}){}", choose({"short", "signed char", "unsigned char"}),
                         unsigned_number(depth - 1));
    case 10:
      return fmt::format("({} ? {} : {})", condition(depth - 1), s(), s());
    case 11:
      return fmt::format("({} {} {})", s(), choose({"&", "|", "^"}), s());
    case 12:
      return fmt::format("(int)__sad({}, {}, {})", s(), s(), unsigned_number(depth - 1));
    case 13:
      if (in_function_) return s();
      return fmt::format("{}(fminf(fmaxf({}, -30000.0f), 30000.0f))",
                         choose({"(int)", "__float2int_rn", "__float2int_rd", "(int)(short)"}),
                         real(1));
    case 14:
      return fmt::format("__mulhi({}, {})", s(), s());
    default:
      return fmt::format("(int){}", unsigned_number(depth - 1));
  }
}

std::string ProgramGenerator::wide_leaf() {
  if (in_function_) return choose({"(unsigned long long)a", "((unsigned long long)b << 32 | a)"});
  switch (pick(8)) {
    case 0:
      return fmt::format("{}ull", static_cast<uint64_t>(interesting()) << 32 | interesting());
    case 1:
      return fmt::format("(unsigned long long){}", unsigned_leaf());
    case 2:
      return fmt::format("(unsigned long long)(long long){}", integer_leaf());
    case 3: {
      const Variable& found = any(members_);
      if (found.is_wide()) return "(unsigned long long)" + member(found);
      return "v0";
    }
    case 4:
      return fmt::format("((unsigned long long){} << 32 | {})", unsigned_leaf(), unsigned_leaf());
    case 5:
      return "(unsigned long long)l0";
    default:
      return "v0";
  }
}

std::string ProgramGenerator::wide_number(unsigned depth) {
  if (depth == 0) return wide_leaf();
  const auto w = [&] { return wide_number(depth - 1); };
  if (!in_function_ && chance(12)) {
    return fmt::format("folded({}, {}, {})",
                       choose({"in + me * 4u", "local0", "table", "(q0 ? in : local0)"}),
                       unsigned_number(depth - 1), w());
  }
  switch (pick(16)) {
    case 0:
      return fmt::format("({} {} {})", w(), choose({"&", "|", "^"}), w());
    case 1:
      return fmt::format("({} * {})", w(), w());
    case 2:
      return fmt::format("({} {} ({} & 63u))", w(), choose({"<<", ">>"}), unsigned_leaf());
    case 3:
      return fmt::format("({} {} {})", w(), choose({"<<", ">>"}), pick(64));
    case 4:
      return fmt::format("(unsigned long long)((long long){} >> {})", w(), pick(64));
    case 5:
      return fmt::format("({} {} ({} | 1ull))", w(), choose({"/", "%"}), w());
    case 6:
      return fmt::format("(unsigned long long)(((long long){} >> 1) {} (long long)({} | 1))", w(),
                         choose({"/", "%"}), integer_leaf());
    case 7:
      return fmt::format("({} {} {}ull)", w(), choose({"/", "%"}),
                         1 + pick(chance(2) ? 20 : 70000));
    case 8:
      return fmt::format("({} ? {} : {})", condition(0), w(), w());
    case 9:
      return fmt::format("((unsigned long long){} * {})", unsigned_leaf(), unsigned_leaf());
    case 10:
      return fmt::format("(unsigned long long)((long long){} * {})", integer_leaf(),
                         integer_leaf());
    case 11:
      return fmt::format("{}({})", choose({"~", "-", "(unsigned long long)!"}), w());
    case 12:
      return fmt::format("({} < {} ? 1ull : {})", w(), w(), w());
    default:
      return fmt::format("({} {} {})", w(), choose({"+", "-"}), w());
  }
}

std::string ProgramGenerator::real_leaf() {
  switch (pick(13)) {
    case 10:
      if (!textures_) return "f1";
      return fmt::format("tex2D(sheet, (float)(u{} & 15u) * 0.75f - 1.0f, f{} * 0.03125f)", pick(3),
                         pick(3));
    case 11:
      return fmt::format("presets[u{} % 3u].rest", pick(3));
    case 12:
      return "(float)d0";
    case 0:
      return fmt::format("{}.{}f", pick(100), 1 + pick(9));
    case 1:
      return fmt::format("(float)(short){}", unsigned_leaf());
    case 2:
      return fmt::format("(float)({} & 0xfffu)", unsigned_leaf());
    case 3:
      if (const Variable* found = member_of_kind(true)) return member(*found);
      return "scale";
    case 4: {
      const SharedArray& array = any(shared_);
      if (!array.is_float()) return "f0";
      if (array.own) return fmt::format("(float){}[{}]", array.name, array.place);
      return fmt::format("(float){}[(u{} + {}u) % {}u]", array.name, pick(3), pick(99),
                         program_.threads);
    }
    case 5:
      return choose({"pair.x", "pair.y", "scale", "floats[me]"});
    case 6:
      return fmt::format("limited((float){}{} * 1e-16f)", chance(2) ? "(long long)" : "",
                         wide_leaf());
    default:
      return choose({"f0", "f1", "f2"});
  }
}

// Of depth 2 at most.
std::string ProgramGenerator::real(unsigned depth) {
  if (depth == 0) return real_leaf();
  const auto f = [&] { return real(depth - 1); };
  switch (pick(12)) {
    case 0:
    case 1:
      return fmt::format("({} + {})", f(), f());
    case 2:
      return fmt::format("({} - {})", f(), f());
    case 3:
    case 4:
      return fmt::format("({} * {})", f(), f());
    case 5:
      return fmt::format("{}({})", choose({"fabsf", "-", "__saturatef"}), f());
    case 6:
      return fmt::format("{}({}, {})", choose({"fminf", "fmaxf"}), f(), f());
    case 7:
      return fmt::format("({} ? {} : {})", condition(0), f(), f());
    case 8:
      return fmt::format("{}({})", choose({"rintf", "floorf", "ceilf", "truncf"}), real_leaf());
    case 9: {
      // Division is off by up to two units of the last place, which rounding takes away.
      const std::string divisor = fmt::format("(int)({} % 99u + 1u)", unsigned_leaf());
      return fmt::format("rintf((float)((int)(unsigned char){} * {}) / (float){})", unsigned_leaf(),
                         divisor, divisor);
    }
    case 10: {
      const std::string root = fmt::format("(int)(unsigned char){}", unsigned_leaf());
      return fmt::format("rintf(sqrtf((float)({} * {})))", root, root);
    }
    default:
      return real_leaf();
  }
}

std::string ProgramGenerator::condition(unsigned depth) {
  const std::string comparison = choose({"<", "<=", ">", ">=", "==", "!="});
  switch (pick(in_function_ ? 3 : 10)) {
    case 0:
      return fmt::format("{} {} {}", unsigned_number(depth), comparison, unsigned_number(depth));
    case 1:
      return fmt::format("{} {} {}", integer(depth), comparison, integer(depth));
    case 2:
      return fmt::format("({} & {}u) {} 0u", unsigned_number(depth), 1U << pick(8),
                         choose({"==", "!="}));
    case 3:
      return fmt::format("{} {} {}", real_leaf(), comparison, real_leaf());
    case 4:
      return choose({"q0", "!q0", "q1"});
    case 5:
      if (depth == 0) return "own < 20u";
      return fmt::format("(({}) {} ({}))", condition(depth - 1), choose({"&&", "||"}),
                         condition(depth - 1));
    case 6:
      return fmt::format("own {} {}u", comparison, pick(program_.threads));
    case 7:
      return fmt::format("!({})", condition(0));
    case 8:
      return fmt::format(chance(2) ? "{} {} {}" : "(long long){} {} (long long){}",
                         wide_number(depth), comparison, wide_number(depth));
    default:
      return fmt::format("{} {} {}", unsigned_leaf(), comparison, unsigned_leaf());
  }
}

// As the initial or next value of a variable, of its type.
std::string ProgramGenerator::value_for(const Variable& variable, unsigned depth) {
  if (variable.type == "float") return fmt::format("limited({})", real(depth < 2 ? depth : 2));
  // Doubles are floats on this machine.  One operation on two floats, rounded at once, is the same
  // in both, so that what clang computes in doubles agrees.
  if (variable.type == "double")
    return fmt::format("limited((float)((double)({}) {} (double)({})))", real(1),
                       choose({"+", "-", "*"}), real_leaf());
  if (variable.type == "bool") return condition(depth);
  if (variable.type == "unsigned") return unsigned_number(depth);
  if (variable.type == "int") return integer(depth);
  if (variable.is_wide()) return fmt::format("({}){}", variable.type, wide_number(depth));
  return fmt::format("({}){}", variable.type, chance(2) ? unsigned_number(depth) : integer(depth));
}

}  // namespace gvp::kcc
