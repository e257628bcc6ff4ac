// SPDX-License-Identifier: Apache-2.0
// Statements: what a thread does by itself, and what all threads of a block do together, between
// barriers.
#include <algorithm>
#include <tuple>
#include <utility>

#include "tests/tools/kcc/programs/program_generator.h"

namespace gvp::kcc {
namespace {

constexpr unsigned kDeepest = 3;
constexpr unsigned kMostLoops = 2;
constexpr unsigned kSeldom = 25;

Statement line(std::string text) { return {std::move(text), {}, "", false}; }

}  // namespace

void ProgramGenerator::statements(Statements& to, unsigned depth, unsigned count) {
  for (unsigned i = 0; i < count; ++i) statement(to, depth);
}

void ProgramGenerator::statement(Statements& to, unsigned depth) {
  if (depth > 0 && chance(kSeldom)) return leave(to);
  const uint32_t kind = pick(23);
  if (kind < 6) return assign(to);
  if (kind < 9) return update(to);
  if (kind < 11) return structure(to);
  if (kind < 13) return memory(to);
  if (kind < 15) return shared(to);
  if (kind == 15) return pointer(to);
  if (kind == 22) return atomic(to);
  if (depth >= kDeepest) return assign(to);
  if (kind < 19) return conditional(to, depth);
  if (kind == 19) return switched(to, depth);
  if (loops_ < kMostLoops) return loop(to, depth);
  assign(to);
}

// Some threads end, or none, often having looked at what others change behind the next barrier: the
// others meet at barriers that come later.
void ProgramGenerator::leave(Statements& to) {
  const uint32_t kind = pick(4);
  const std::string result = kind < 2 ? "" : kind == 2 ? unsigned_number(1) : of_others();
  const std::string store =
      result.empty() ? "" : fmt::format("bytes[me * 8u] = (unsigned char)({}); ", result);
  const bool many = chance(4);
  to.push_back(line(fmt::format("if ((u{} & {}u) == {}u) {{ {}return; }}", pick(3), many ? 3 : 31,
                                pick(many ? 6 : 40), store)));
}

void ProgramGenerator::assign(Statements& to) {
  const Variable& variable = any(variables_);
  to.push_back(line(fmt::format("{} = {};", variable.name, value_for(variable, 1 + pick(3)))));
}

void ProgramGenerator::update(Statements& to) {
  const Variable& variable = any(variables_);
  if (variable.is_float()) {
    to.push_back(line(fmt::format("{0} = limited({0} {1} {2});", variable.name,
                                  choose({"+", "-", "*"}), real(1))));
  } else if (variable.type == "bool") {
    to.push_back(
        line(fmt::format("{} {} {};", variable.name, choose({"|=", "&=", "^="}), condition(1))));
  } else if (variable.is_wide()) {
    const std::string change =
        variable.is_unsigned() ? choose({"+=", "-=", "*=", "^="}) : choose({"&=", "|=", "^="});
    to.push_back(line(fmt::format("{} {} {};", variable.name, change, wide_number(2))));
  } else if (variable.is_unsigned()) {
    const bool shift = chance(4);
    to.push_back(line(shift ? fmt::format("{} {} ({} & 7u);", variable.name, choose({"<<=", ">>="}),
                                          unsigned_leaf())
                            : fmt::format("{} {} {};", variable.name,
                                          choose({"+=", "-=", "*=", "&=", "|=", "^="}),
                                          unsigned_number(2))));
  } else if (variable.type == "int") {
    to.push_back(
        line(fmt::format("{} {} {};", variable.name, choose({"&=", "|=", "^="}), integer(2))));
  } else {  // what is narrower than int does not overflow
    to.push_back(line(fmt::format("{} {} (short){};", variable.name, choose({"+=", "-=", "*="}),
                                  unsigned_number(1))));
  }
}

void ProgramGenerator::structure(Statements& to) {
  switch (pick(10)) {
    case 8:
    case 9:
      return pair(to);
    case 0:
      return to.push_back(line(choose({"t0 = t1;", "t1 = t0;"})));
    case 1:
      return to.push_back(line(fmt::format("{} = made({}, limited({}));", choose({"t0", "t1"}),
                                           unsigned_number(1), real(1))));
    case 2:
      return to.push_back(line(
          fmt::format("change({}, {});", choose({"t0", "t1", "&t0", "&t1"}), unsigned_number(1))));
    case 3:
      return to.push_back(line(choose(
          {"t0 = t0 + t1;", "t1 = t1 + made(u0, f0);", "things[me] = t0;", "t1 = things[me];"})));
    case 4:
      return to.push_back(line(fmt::format("quad.{} {} {};", choose({"x", "y", "z", "w"}),
                                           choose({"=", "+=", "^="}), unsigned_number(2))));
    case 5:
      return to.push_back(line(fmt::format(
          "{}", chance(2) ? fmt::format("small = make_uchar4(c{}, u0 & 255u, {}, b0);", 0,
                                        "(unsigned char)u1")
                          : fmt::format("pair = make_float2(limited({}), pair.x);", real(1)))));
    case 6:
      return to.push_back(line(choose({"quads[me] = quad;", "quad = quads[me];",
                                       "quad = make_uint4(u2, quad.z, u0, quad.x);"})));
    default: {
      const Variable& found = any(members_);
      to.push_back(line(fmt::format("{} = {};", member(found),
                                    found.bits != 0 ? unsigned_number(1) : value_for(found, 2))));
    }
  }
}

// A structure of eight bytes, as a value and in each memory.
void ProgramGenerator::pair(Statements& to) {
  switch (pick(5)) {
    case 0:
      return to.push_back(
          line(fmt::format("both = paired({}, {});", unsigned_number(1), unsigned_number(1))));
    case 1:
      return to.push_back(
          line(choose({"t0.both = both;", "both = t1.both;", "things[me].both = both;",
                       "both = things[me].both;", "t1.both.flag = both.tag;"})));
    case 2:
      return to.push_back(line(fmt::format("both.{} {} {};", choose({"low", "high", "tag", "flag"}),
                                           choose({"=", "^=", "+="}), unsigned_number(1))));
    case 3:
      if (!pairs_.own) break;
      return to.push_back(line(
          chance(3) ? fmt::format("pairs[{}].high = {};", pairs_.place, unsigned_number(1))
                    : fmt::format("pairs[{}] = {};", pairs_.place, choose({"both", "t0.both"}))));
    default:
      break;
  }
  const std::string place =
      pairs_.own ? pairs_.place
                 : fmt::format("(u{} + {}u) % {}u", pick(3), pick(99), program_.threads);
  to.push_back(line(chance(2) ? fmt::format("both = pairs[{}];", place)
                              : fmt::format("u{} ^= unpaired(pairs[{}]);", pick(3), place)));
}

// Own places in global memory, arrays in local memory.
void ProgramGenerator::memory(Statements& to) {
  switch (pick(6)) {
    case 0:
      return to.push_back(
          line(fmt::format("bytes[me * 8u + (u{} & 7u)] {} (unsigned char){};", pick(3),
                           choose({"=", "^=", "+="}), unsigned_number(1))));
    case 1:
      return to.push_back(line(
          fmt::format("u{} += (unsigned)halves[me * 4u + ({} & 3u)];", pick(3), unsigned_leaf())));
    case 2:
      return to.push_back(line(
          fmt::format("halves[me * 4u + ({} & 3u)] = (short){};", unsigned_leaf(), integer(1))));
    case 3:
      return to.push_back(line(fmt::format("floats[me] = limited(floats[me] + {});", real(1))));
    case 4:
      return to.push_back(line(fmt::format("b0 = bytes[me * 8u + (unsigned)(w0 & 7)];")));
    default: {
      const Variable& array = any(arrays_);
      const Variable element{array.type, "", 0, 0};
      to.push_back(line(fmt::format("{}[({}) & {}u] = {};", array.name, unsigned_number(1),
                                    array.elements - 1, value_for(element, 1))));
    }
  }
}

void ProgramGenerator::shared(Statements& to) {
  if (chance(4)) {
    const Flag& flag = any(flags_);
    if (!flag.raised) return to.push_back(line(fmt::format("u{} ^= {};", pick(3), flag.name)));
    return to.push_back(line(fmt::format("{} = {}u;", flag.name, flag.value)));
  }
  const SharedArray& array = any(shared_);
  if (!array.own) return assign(to);
  const Variable element{array.type, "", 0, 0};
  to.push_back(line(fmt::format("{}[{}] = {};", array.name, array.place, value_for(element, 2))));
}

void ProgramGenerator::pointer(Statements& to) {
  // Its memory is known at run time only.
  if (chance(4)) {
    for (const SharedArray& array : shared_) {
      if (!array.own || array.type != "unsigned") continue;
      const std::string name = fresh("p");
      to.push_back({fmt::format("{{ unsigned* {} = {} ? &local0[u{} & 7u] : &{}[{}];", name,
                                chance(2) ? "q0" : "(me & 1u)", pick(3), array.name, array.place),
                    {line(fmt::format("*{} += {};", name, unsigned_number(1))),
                     line(fmt::format("u{} ^= *{} >> {};", pick(3), name, pick(9)))},
                    "}",
                    false});
      return;
    }
  }
  std::vector<std::string> targets{"&local0[u0 & 7u]", "&u1", "&t0.words[1]"};
  for (const SharedArray& array : shared_) {
    if (array.own && array.type == "unsigned")
      targets.push_back(fmt::format("&{}[{}]", array.name, array.place));
  }
  const std::string& target = any(targets);
  if (chance(2))
    return to.push_back(line(fmt::format("bump({}, {});", target, unsigned_number(1))));
  const std::string name = fresh("p");
  to.push_back({fmt::format("{{ unsigned* {} = {};", name, target),
                {line(fmt::format("*{} += {};", name, unsigned_number(1))),
                 line(fmt::format("u{} ^= *{} >> {};", pick(3), name, pick(9)))},
                "}",
                false});
}

// Each counter, in global memory or the block's own, with operations of one kind, which give the
// same in any order.
void ProgramGenerator::atomic(Statements& to) {
  if (chance(3)) return own_atomic(to);
  const uint32_t counter = pick(7);
  const std::string place = chance(8)   ? "(q1 ? counters : counts)"
                            : chance(2) ? "counters"
                                        : "counts";
  const auto call = [&](const std::string& name, const std::string& type,
                        const std::string& value) {
    to.push_back(line(fmt::format("{}(({}*)&{}[{}], {});", name, type, place, counter, value)));
  };
  switch (counter) {
    case 0:
      return call(choose({"atomicAdd", "atomicSub"}), "unsigned", unsigned_number(2));
    case 1:
      return call("atomicXor", "unsigned", unsigned_number(2));
    case 2:
      return call("atomicOr", "int", integer(2));
    case 3:
      return call("atomicAnd", "unsigned", unsigned_number(2));
    case 4:
      return call("atomicMax", "unsigned", unsigned_number(2));
    case 5:
      return call("atomicMin", "int", integer(2));
    default:
      return call("atomicInc", "unsigned", "40u");
  }
}

// On words of the thread's own, so that what the operation returns is known.
void ProgramGenerator::own_atomic(Statements& to) {
  std::string place = fmt::format("&quads[me].{}", choose({"x", "y", "z", "w"}));
  for (const SharedArray& array : shared_) {
    if (!array.own || array.type != "unsigned" || chance(2)) continue;
    const std::string other = fmt::format("&{}[{}]", array.name, array.place);
    place = chance(4) ? fmt::format("(q0 ? {} : {})", other, place) : other;
  }
  if (chance(4)) {
    to.push_back(line(fmt::format("u{} ^= atomicCAS({}, {}, {});", pick(3), place, unsigned_leaf(),
                                  unsigned_number(1))));
    return;
  }
  to.push_back(line(fmt::format("u{} ^= {}({}, {});", pick(3),
                                choose({"atomicAdd", "atomicExch", "atomicMax", "atomicXor"}),
                                place, unsigned_number(1))));
}

// Of the threads of a warp that have not ended: all of them come here together.
void ProgramGenerator::vote(Statements& to) {
  if (chance(4)) {
    Statement whole{
        fmt::format("if ({}({})) {{", choose({"__any", "__all"}), condition(1)), {}, "}", false};
    statements(whole.body, 1, 1 + pick(3));
    to.push_back(whole);
    return;
  }
  const std::string counter = fresh("vote");
  to.push_back(line(fmt::format("const int {0} = {1}({2}); u{3} += {0} ? {4}u : 1u;", counter,
                                choose({"__any", "__all"}), condition(1), pick(3), interesting())));
}

void ProgramGenerator::conditional(Statements& to, unsigned depth) {
  Statement whole{fmt::format("if ({}) {{", condition(2)), {}, "}", false};
  if (chance(2)) {
    statements(whole.body, depth + 1, 1 + pick(4));
  } else {
    Statement then{"", {}, "", false};
    Statement otherwise{"} else {", {}, "", false};
    statements(then.body, depth + 1, 1 + pick(3));
    statements(otherwise.body, depth + 1, 1 + pick(3));
    whole.body = {then, otherwise};
  }
  to.push_back(whole);
}

void ProgramGenerator::loop(Statements& to, unsigned depth) {
  ++loops_;
  const std::string counter = fresh("n");
  Statement body;
  switch (pick(5)) {
    case 0:
      body.head = fmt::format("for (unsigned {0} = 0; {0} < ({1} & 7u); ++{0}) {{", counter,
                              unsigned_leaf());
      body.tail = "}";
      break;
    case 1:
      body.head = fmt::format("for (int {0} = {1}; {0} >= 0; {0} -= {2}) {{", counter, pick(12),
                              1 + pick(4));
      body.tail = "}";
      break;
    case 2:
      body.head = fmt::format("for (int {0} = 6; {0}-- > 0 && {1};) {{", counter, condition(1));
      body.tail = "}";
      break;
    case 3:
      body.head = fmt::format("for ({3} {0} = ({3})({1} & 127u); {0} {4} {2}; {0} >>= {5}) {{",
                              counter, unsigned_leaf(), 1 + pick(4), choose({"int", "unsigned"}),
                              choose({">", ">="}), 1 + pick(2));
      body.tail = "}";
      break;
    default:
      body.head = fmt::format("{{ int {} = (int)({} & 3u); do {{", counter, unsigned_leaf());
      body.tail = fmt::format("}} while ({}-- > 0); }}", counter);
  }
  statements(body.body, depth + 1, 1 + pick(3));
  if (chance(2)) {
    body.body.push_back(
        line(fmt::format("if ({}) {};", condition(1), choose({"break", "continue"}))));
    statements(body.body, depth + 1, 1 + pick(2));
  }
  if (chance(3)) body.body.push_back(line(fmt::format("u{} += (unsigned){};", pick(3), counter)));
  --loops_;
  to.push_back(body);
}

void ProgramGenerator::switched(Statements& to, unsigned depth) {
  const uint32_t cases = 2 + pick(6);
  Statement whole{
      fmt::format("switch ({} % {}u) {{", unsigned_number(1), cases + pick(2)), {}, "}", false};
  for (uint32_t i = 0; i < cases; ++i) {
    const bool last = i + 1 == cases && chance(2);
    Statement arm{last ? "default: {" : fmt::format("case {}: {{", i), {}, "}", false};
    statements(arm.body, depth + 1, 1 + pick(2));
    whole.body.push_back(arm);
    if (!chance(4)) whole.body.push_back(line("  break;"));
  }
  to.push_back(whole);
}

// A barrier, and what memory between the warps is for until the next.
void ProgramGenerator::barrier(Statements& to) {
  constexpr uint32_t kFactors[] = {1, 7, 17, 19, 23, 29, 31, 37};  // divide no number of threads
  to.push_back({choose({"__syncthreads();", "__syncthreads();", "meet();"}), {}, "", true});
  for (SharedArray& array : shared_) {
    array.own = chance(2);
    array.place = fmt::format("(own * {}u + {}u) % {}u", kFactors[pick(8)], pick(program_.threads),
                              program_.threads);
    if (chance(3)) array.place = "own";
  }
  pairs_.own = chance(2);
  pairs_.place = shared_.front().place;
  for (Flag& flag : flags_) {
    flag.raised = chance(2);
    flag.value = interesting();
  }
}

// A loop that all threads of a block leave together, behind a barrier of its own.
Statement ProgramGenerator::left_behind_a_barrier(const std::string& counter) {
  Statement whole{fmt::format("for (unsigned {0} = 0;; ++{0}) {{", counter), {}, "}", false};
  barrier(whole.body);
  if (chance(2)) {
    top(whole.body, 1 + pick(3), true);
    barrier(whole.body);
  }
  whole.body.push_back(
      {fmt::format("if ({} >= {} % 3u) break;", counter, uniform_in_block()), {}, "", true});
  return whole;
}

// Loops and branches that all threads of a block take alike, with barriers inside.
void ProgramGenerator::together(Statements& to) {
  const auto before = std::tuple(shared_, pairs_, flags_);
  ++loops_;
  Statement whole;
  const std::string counter = chance(3) ? "" : fresh("round");
  if (counter.empty()) {
    whole.head =
        fmt::format("if ({} {} {}u) {{", uniform_in_block(), choose({"<", ">", "!="}), pick(4));
    whole.tail = "}";
    barrier(whole.body);
  } else if (chance(3)) {
    whole = left_behind_a_barrier(counter);
  } else {
    whole.head = fmt::format("for (unsigned {0} = 0; {0} < {1} % 4u; ++{0}) {{", counter,
                             uniform_in_block());
    whole.tail = "}";
    barrier(whole.body);
  }
  top(whole.body, 2 + pick(4), true);
  if (!counter.empty() && chance(3)) {
    whole.body.push_back(
        line(fmt::format("if ({} % 3u == {} % 3u) {};", uniform_in_block(), counter,
                         choose({"continue", "continue", "break", "return"}))));
    top(whole.body, 1 + pick(2), true);
  }
  barrier(whole.body);
  --loops_;
  // Where nobody meets, some may end.
  if (counter.empty() && chance(2)) {
    std::tie(shared_, pairs_, flags_) = before;
    Statement otherwise{"} else {", {}, "", false};
    statements(otherwise.body, 1, 1 + pick(4));
    whole.body.push_back(otherwise);
  }
  to.push_back(whole);
  barrier(to);
}

// As the last barrier of a program: nothing but its end lies behind the loop.
void ProgramGenerator::last_rounds(Statements& to) {
  ++loops_;
  Statement whole = left_behind_a_barrier(fresh("round"));
  whole.fixed = true;
  top(whole.body, 1 + pick(2), true);
  --loops_;
  to.push_back(whole);
}

// A branch with the last barriers on one side, behind which all that go on do the same.
void ProgramGenerator::last_choice(Statements& to) {
  const auto before = std::tuple(shared_, pairs_, flags_);
  Statement with{"", {}, "", true};
  ++loops_;
  barrier(with.body);
  top(with.body, 1 + pick(3), true);
  --loops_;
  std::tie(shared_, pairs_, flags_) = before;
  Statement without{"", {}, "", true};
  statements(without.body, 1, 2 + pick(3));
  Statement whole{fmt::format("if ({} % 2u == 0u) {{", uniform_in_block()), {}, "}", true};
  if (chance(2)) std::swap(with, without);
  without.head = "} else {";
  whole.body = {with, without};
  to.push_back(whole);
}

void ProgramGenerator::top(Statements& to, unsigned count, bool nested) {
  for (unsigned i = 0; i < count; ++i) {
    switch (pick(9)) {
      case 0:
      case 1:
        barrier(to);
        break;
      case 8:
        vote(to);
        break;
      case 2:
        if (!nested) {
          together(to);
          break;
        }
        [[fallthrough]];
      case 3:
        if (!nested && chance(6)) {
          to.push_back(
              line(fmt::format("if (({} & 63u) == {}u) return;", unsigned_number(1), pick(64))));
          break;
        }
        [[fallthrough]];
      default:
        statement(to, 0);
    }
  }
}

}  // namespace gvp::kcc
