// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/generation.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <future>
#include <thread>
#include <utility>

#include "models/base/error.h"
#include "tools/kcc/front_end/aligned_values.h"
#include "tools/kcc/front_end/bit_field_units.h"
#include "tools/kcc/front_end/equal_functions.h"
#include "tools/kcc/front_end/generated_code.h"
#include "tools/kcc/front_end/intermediate_code.h"
#include "tools/kcc/front_end/messages.h"
#include "tools/kcc/front_end/parts.h"
#include "tools/kcc/front_end/ptx_parts.h"
#include "tools/kcc/front_end/structure_copies.h"
#include "tools/kcc/front_end/union_values.h"
#include "tools/kcc/front_end/warp_order.h"

namespace gvp::kcc {
namespace {

constexpr unsigned kMostParts = 8;

// Calls work(part) for all parts at the same time.
template <typename Part, typename Work>
std::vector<Outcome> of_each(const std::vector<Part>& parts, Work work) {
  std::vector<std::future<Outcome>> running;
  running.reserve(parts.size());
  for (const Part& part : parts)
    running.push_back(std::async(std::launch::async, [&] { return work(part); }));
  std::vector<Outcome> outcomes;
  outcomes.reserve(running.size());
  for (std::future<Outcome>& each : running) outcomes.push_back(each.get());
  return outcomes;
}

std::vector<std::string> divided(const std::string& intermediate) {
  return parts_of(intermediate, std::clamp(std::thread::hardware_concurrency(), 1U, kMostParts));
}

// PTX as clang writes it, of intermediate code with these functions.
std::string finished(const std::string& ptx, const std::string& intermediate) {
  return with_separate_functions(with_shifted_signs(with_whole_rotations(with_wide_shifts(ptx))),
                                 separate_functions(intermediate));
}

// "In function: _Z3addii" or "on function '@_Z3addii'" of a crash, as the source has it.
std::string function_of_crash(const std::string& messages) {
  for (const std::string mark : {"In function: ", "on function '@"}) {
    const size_t at = messages.rfind(mark);
    if (at == std::string::npos) continue;
    const size_t begin = at + mark.size();
    const std::string name = messages.substr(begin, messages.find_first_of("'\n", begin) - begin);
    int status = 0;
    char* const plain = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    std::string result = plain != nullptr ? plain : name;
    std::free(plain);
    return result;
  }
  return "";
}

std::string without_own_lines(const std::string& prepared) {
  return without_lines_of_headers(prepared, Clang::header_folder());
}

}  // namespace

std::string Generation::as_a_whole(const std::string& intermediate) const {
  return whole(generate({without_own_lines(prepared(intermediate))}).front(), intermediate);
}

std::pair<std::string, std::string> Generation::both_ways(const std::string& intermediate) const {
  const Outcome ordered = with_order_of_warps({without_own_lines(prepared(intermediate))}).front();
  Clang gentle = clang_;
  gentle.optimise_as(1);
  std::future<Outcome> gentler =
      std::async(std::launch::async, [&] { return generate(ordered, gentle); });
  const Outcome generated = generate(ordered, clang_);
  const Outcome other = gentler.get();
  const bool differs = other.good() && other.messages.empty() && other.output != generated.output;
  return {whole(generated, intermediate), differs ? finished(other.output, intermediate) : ""};
}

std::string Generation::whole(const Outcome& generated, const std::string& intermediate) const {
  if (!generated.good()) refuse_code(generated.messages);
  show(generated.messages);
  return finished(generated.output, intermediate);
}

std::optional<std::string> Generation::in_parts(const std::string& intermediate) const {
  const auto ptx = generate_and_join(divided(without_own_lines(prepared(intermediate))));
  if (!ptx) return std::nullopt;
  return finished(*ptx, intermediate);
}

std::optional<std::string> Generation::in_parts_without_lines(
    const std::string& intermediate) const {
  const bool lines = intermediate.find("\n!llvm.dbg.cu") != std::string::npos;
  EqualFunctions one_of_each{lines ? without_lines(intermediate) : intermediate, {}};
  if (!keeps_functions()) one_of_each = without_equal_functions(one_of_each.text);
  const auto parts = divided(prepared(one_of_each.text));
  if (std::any_of(parts.begin(), parts.end(), computes_in_doubles)) return std::nullopt;
  auto ptx = generate_and_join(parts);
  if (ptx) ptx = with_copies(*ptx, one_of_each.kernels);
  if (!ptx) return std::nullopt;
  return finished(*ptx, intermediate);
}

std::optional<std::string> Generation::generate_and_join(
    const std::vector<std::string>& parts) const {
  std::vector<std::string> ptx;
  for (Outcome& part : generate(parts)) {
    if (!part.good() || !part.messages.empty()) return std::nullopt;
    ptx.push_back(std::move(part.output));
  }
  return joined(ptx);
}

bool Generation::keeps_functions() const {
  return options_.optimise == 0 || options_.separate_functions;
}

// What clang read, as it is to optimise it.
std::string Generation::prepared(const std::string& intermediate) const {
  const std::string passable =
      with_aligned_values(with_whole_units(with_unions_of_integers(intermediate)));
  return with_locks_in_their_loops(
      with_loads_in_their_place(with_shared_variables(without_unused_textures(
          without_holes(keeps_functions() ? without_inlining(passable) : passable)))));
}

// From parts of intermediate code to PTX, as clang writes it.
std::vector<Outcome> Generation::generate(const std::vector<std::string>& parts) const {
  return of_each(with_order_of_warps(parts),
                 [this](const Outcome& part) { return generate(part, clang_); });
}

Outcome Generation::generate(const Outcome& ordered, const Clang& clang) const {
  if (!ordered.good()) return ordered;
  Outcome optimised = clang.optimise(ordered.output);
  if (!optimised.good()) return optimised;
  Outcome generated = clang.generate(
      with_holes_as_zero(without_orders_of_assembly(without_exact_shifts(optimised.output))));
  generated.messages.insert(0, optimised.messages);
  return generated;
}

// Where the order matters in one of the parts, what is optimised a little, with that said, is
// optimised again; where there are several parts, in any case, as it is so much less by then.
std::vector<Outcome> Generation::with_order_of_warps(const std::vector<std::string>& parts) const {
  std::vector<Outcome> as_they_are;
  bool shared = false;
  for (const std::string& part : parts) {
    as_they_are.push_back({0, part, ""});
    shared |= part.find(" addrspace(3) ") != std::string::npos;
  }
  if (!shared) return as_they_are;
  std::vector<Outcome> ordered =
      of_each(parts, [this](const std::string& part) { return clang_.simplify(part); });
  bool changed = false;
  for (Outcome& part : ordered) {
    if (!part.good()) return ordered;
    const std::string readable = without_orders_of_assembly(part.output);
    part = {0, with_stores_before_loads(readable), ""};
    changed |= part.output != readable;
  }
  return changed || parts.size() > 1 ? ordered : as_they_are;
}

// What LLVM cannot generate code for ends in a dump of its stack, which tells nobody anything.
// Where it stops with nothing but that, or with its graph of an instruction, it is told here.
void Generation::refuse_code(const std::string& messages) const {
  if (messages.find("Unsupported expression in static initializer") != std::string::npos)
    throw bad_input("initial values that are addresses are not supported", {file_},
                    "store the address at run time");
  const std::string own = messages.substr(0, messages.find("PLEASE submit a bug report"));
  const size_t graph = own.find("error in backend: Cannot select");
  show(graph == std::string::npos ? own : own.substr(0, own.rfind('\n', graph) + 1));
  if (graph == std::string::npos && own.find("error: ") != std::string::npos) refused(file_);
  const std::string function = function_of_crash(messages);
  throw bad_input(
      "clang cannot generate code for " + (function.empty() ? "this file" : function), {file_},
      "structures with long bit fields, taken or given by value, are known for this: pass "
      "pointers, or have the function inlined");
}

}  // namespace gvp::kcc
