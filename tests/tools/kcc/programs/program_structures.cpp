// SPDX-License-Identifier: Apache-2.0
// Structures and unions that functions take and give by value: packed, with bit fields of all
// widths, in whatever pieces compilers pass them.
#include "tests/tools/kcc/programs/program_generator.h"

namespace gvp::kcc {

void ProgramGenerator::declare_passed() {
  std::vector<Variable> members;
  const uint32_t count = 2 + pick(4);
  for (uint32_t i = 0; i < count; ++i) {
    Variable member{choose({"unsigned", "unsigned", "int", "short", "unsigned char", "float",
                            "unsigned long long"}),
                    fmt::format("s{}", i), 0, 0};
    if (member.type == "unsigned" && chance(2)) member.bits = 1 + pick(31);
    if (member.is_wide() && chance(2)) member.bits = 33 + pick(28);
    members.push_back(member);
  }
  std::string& text = program_.before;
  text += fmt::format("struct {}Sealed {{\n", chance(2) ? "__attribute__((packed)) " : "");
  for (const Variable& member : members) {
    text += fmt::format("  {} {}", member.type, member.name);
    if (member.bits != 0) text += fmt::format(" : {}", member.bits);
    text += ";\n";
  }
  text +=
      fmt::format("}};\nunion Either {{ unsigned words[2]; {} all; unsigned char bytes[8]; }};\n",
                  choose({"unsigned long long", "double", "float", "unsigned char"}));
  const auto fill = [&](const Variable& member) {
    text += fmt::format("  s.{} = ", member.name);
    text += member.is_float() ? "(float)(b & 1023u);\n"
                              : fmt::format("({}){};\n", member.type, unsigned_number(1));
  };
  text +=
      fmt::format("FUNCTION {}Sealed sealed(unsigned a, unsigned b) {{\n  Sealed s;\n", separate());
  for (const Variable& member : members) fill(member);
  text += fmt::format(
      "  return s;\n}}\nFUNCTION {}Sealed resealed(Sealed s, unsigned a) {{\n"
      "  const unsigned b = a * 5u;\n",
      separate());
  fill(members[pick(count)]);
  text += fmt::format("  return s;\n}}\nFUNCTION {}unsigned unsealed(Sealed s) {{\n  return 1u",
                      separate());
  for (const Variable& member : members) {
    if (member.is_float()) {
      text += fmt::format(" + __float_as_uint(s.{})", member.name);
    } else if (member.is_wide()) {
      text += fmt::format(" + ((unsigned)s.{0} ^ (unsigned)(s.{0} >> 32))", member.name);
    } else {
      text += fmt::format(" + (unsigned)s.{} * {}u", member.name, 1 + pick(9));
    }
  }
  text += fmt::format(
      ";\n}}\nFUNCTION {}Either either(unsigned a, unsigned b) {{\n  Either e;\n"
      "  e.words[0] = {};\n  e.words[1] = {};\n  return e;\n}}\n"
      "FUNCTION {}Either exchanged(Either e) {{\n  Either other;\n  other.words[0] = e.words[1];\n"
      "  other.words[1] = e.words[0];\n  return other;\n}}\n"
      "FUNCTION {}unsigned taken(Either e, unsigned a) {{\n"
      "  return e.bytes[a & 7u] + e.words[a >> 3 & 1u];\n}}\n",
      separate(), unsigned_number(1), unsigned_number(1), separate(), separate());
}

std::string ProgramGenerator::passed(unsigned depth) {
  const auto u = [&] { return unsigned_number(depth); };
  switch (pick(5)) {
    case 0:
      return fmt::format("unsealed(sealed({}, {}))", u(), u());
    case 1:
      return fmt::format("unsealed(resealed(sealed({}, {}), {}))", u(), u(), u());
    case 2:
      return fmt::format("taken(either({}, {}), {})", u(), u(), u());
    case 3:
      return fmt::format("taken(exchanged(either({}, {})), {})", u(), u(), u());
    default:
      return "unpaired(both)";
  }
}

}  // namespace gvp::kcc
