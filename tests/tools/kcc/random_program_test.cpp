// SPDX-License-Identifier: Apache-2.0
// Random programs in CUDA C: what our machine computes with the code at every level, loosely and
// approximately timed, is what the host's compiler makes of the same text, bit for bit.
//
//   GVP_RANDOM_PROGRAMS=N        how many; GVP_TEST_SEED where to begin
//   GVP_RANDOM_LEVELS=one        for very many: each program at one level, loosely timed, and every
//                                fourth approximately timed, too
//   GVP_RANDOM_HOST=clang++-14   the host's compiler, g++ unless another is named
//
// One that is wrong is made smaller, then printed.
#include "tests/tools/kcc/programs/random_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <set>

#include "models/base/error.h"
#include "tests/end_to_end/program.h"
#include "tests/support/seed.h"
#include "tests/tools/kcc/both_timings.h"
#include "tests/tools/kcc/machine_runner.h"
#include "tests/tools/kcc/programs/host_results.h"
#include "tools/kcc/choice.h"
#include "tools/kcc/front_end.h"
#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc {
namespace {

constexpr unsigned kTogether = 12;      // programs in a file
constexpr unsigned kManyTogether = 48;  // where there are many: what each file costs counts less
constexpr unsigned kMostAttempts = 60;  // to make a wrong program smaller
constexpr unsigned kMostWrong = 20;     // programs, before a run of many gives up
// Behind those of the optimisation: the highest, and all large functions are called, not inlined;
// with few registers, as many as the first program of a file says, so that there is little room
// around a call.
constexpr unsigned kCallsLevel = 3;
constexpr uint32_t kCalledFrom = 12;
constexpr uint32_t kFewestRegisters = 10;

using Bytes = std::vector<uint8_t>;

bool each_at_one_level() {
  const char* text = std::getenv("GVP_RANDOM_LEVELS");
  if (text == nullptr) return false;
  if (std::string(text) != "one")
    throw std::invalid_argument("GVP_RANDOM_LEVELS=" + std::string(text) + ": \"one\" is known");
  return true;
}

// A variable of a program's, by its name in C++: _ZN10program1233rowE.
bool is_of(const std::string& symbol, const RandomProgram& program, const std::string& name) {
  const std::string space = "program" + std::to_string(program.seed);
  return symbol ==
         "_ZN" + std::to_string(space.size()) + space + std::to_string(name.size()) + name + "E";
}

// Those that no kernel reads are not there.
void bind_textures(const RandomProgram& program, gpgpu::g80::Module& module) {
  for (const Texture& texture : program.textures)
    for (gpgpu::g80::ConstantSegment& segment : module.constants)
      if (is_of(segment.name, program, texture.name)) segment.words = texture.descriptor;
}

gpgpu::g80::Module compiled(const std::vector<RandomProgram>& programs, unsigned level) {
  const std::string file = test::temporary("random.cu");
  // clang has much to say about what nobody wrote.
  std::string text =
      "#pragma clang diagnostic ignored \"-Weverything\"\n"
      "#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]\n";
  for (const RandomProgram& program : programs) text += program.text();
  test::write(file, text);
  FrontEndOptions front_end;
  front_end.optimise = std::min(level, 2U);
  front_end.separate_functions = level == kCallsLevel;
  front_end.both_ways = true;
  front_end.device_extensions = true;
  // Lines are for messages and change no code; clang takes a sixth of its time for them.
  if (each_at_one_level()) front_end.arguments = {"-g0"};
  g80::Options options;
  options.optimise = front_end.optimise;
  if (level == kCallsLevel) {
    options.call_from = kCalledFrom;
    options.max_registers = kFewestRegisters + programs.front().seed / kTogether % 4;
  }
  options.generated = true;
  options.device_extensions = true;
  struct Removal {
    const std::string& file;
    ~Removal() { std::remove(file.c_str()); }
  } removal{file};  // also of what is refused
  gpgpu::g80::Module module = compile(file, compile_cuda_file(file, front_end), options).module;
  for (const RandomProgram& program : programs) bind_textures(program, module);
  return module;
}

// What the compiler may refuse, because clang makes of defined programs what it does not take: it
// joins accesses to different memories.
bool is_known(const std::string& refusal) {
  for (const char* text :
       {"may point to different memories", "in other pieces than it was written"})
    if (refusal.find(text) != std::string::npos) return true;
  return false;
}

using Levels = std::vector<unsigned>;

// Those to compile the programs of a file at, of which the first has this seed.
Levels levels_of(uint32_t first) {
  if (!each_at_one_level()) return {0, 1, first / kTogether % 2 == 0 ? 2 : kCallsLevel};
  return {first / kManyTogether % (kCallsLevel + 1)};
}

std::vector<gpgpu::g80::Module> at_levels(const std::vector<RandomProgram>& programs,
                                          const Levels& levels) {
  std::vector<gpgpu::g80::Module> modules;
  for (const unsigned level : levels) modules.push_back(compiled(programs, level));
  return modules;
}

// Those of the programs that are not refused: halves of what is refused are looked at.
std::vector<RandomProgram> accepted(const std::vector<RandomProgram>& programs,
                                    const Levels& levels) {
  try {
    at_levels(programs, levels);
    return programs;
  } catch (const Error& error) {
    if (programs.size() == 1) {
      const std::string what = error.what();
      if (is_known(what)) return {};
      throw std::runtime_error(test::text_of_seed(programs.front().seed) + ": " + what);
    }
  }
  const auto middle = programs.begin() + static_cast<std::ptrdiff_t>(programs.size() / 2);
  std::vector<RandomProgram> result = accepted({programs.begin(), middle}, levels);
  const std::vector<RandomProgram> rest = accepted({middle, programs.end()}, levels);
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

ptx::Grid grid_of(const RandomProgram& program) {
  ptx::Grid grid;
  grid.grid_x = program.grid;
  grid.block_x = program.columns;
  grid.block_y = program.threads / program.columns;
  grid.dynamic_shared_bytes = program.dynamic_shared;
  return grid;
}

// What is wrong with the code, or nothing.  machine: memory as the machine leaves it
std::string mismatch(const RandomProgram& program, const gpgpu::g80::Module& module,
                     const Bytes& expected, Bytes& machine) {
  machine = program.memory;
  const RunResult run =
      run_on_machine(module, program.kernel(), grid_of(program), program.parameters, machine);
  if (!run.fault.empty()) return run.fault;
  machine.resize(program.memory.size());
  for (uint32_t i = 0; i < program.compared; ++i) {
    if (machine[i] == expected[i]) continue;
    const uint32_t begin = i < program.parameters[2] ? program.parameters[1] : 0;
    return "byte " + std::to_string(i - begin) + (begin != 0 ? " of out" : " of memory") + " is " +
           std::to_string(machine[i]) + ", not " + std::to_string(expected[i]);
  }
  return "";
}

// As mismatch(), on the whole device and with --check.
std::string wrong_on_device(const RandomProgram& program, const gpgpu::g80::Module& module,
                            const Bytes& machine, bool approximately) {
  Timings timings = {"lt"};
  if (approximately) timings.emplace_back("at");
  return wrong_with_timings(module, program.kernel(), grid_of(program), program.parameters,
                            program.memory, machine, timings);
}

// on_device: look there, where the machine's results are right
std::string mismatch_of_one(const RandomProgram& program, unsigned level, bool on_device) {
  Bytes machine;
  try {
    const Bytes expected = host_results({program}).front();
    const gpgpu::g80::Module module = compiled({program}, level);
    const std::string what = mismatch(program, module, expected, machine);
    if (!on_device) return what;
    return what.empty() ? wrong_on_device(program, module, machine, true) : "";
  } catch (const Error&) {
    return "";  // another failure
  } catch (const std::exception&) {
    return "";
  }
}

template <typename IsWrong>
RandomProgram made_smaller(RandomProgram program, IsWrong is_wrong) {
  unsigned attempts = 0;
  for (bool again = true; again;) {
    again = false;
    for (const RandomProgram& smaller : with_one_less(program)) {
      if (++attempts > kMostAttempts) return program;
      if (!is_wrong(smaller)) continue;
      program = smaller;
      again = true;
      break;
    }
  }
  return program;
}

struct Counts {
  size_t refused = 0;
  size_t wrong = 0;
};

void compare(uint32_t first, uint32_t count, Counts& counts) {
  std::vector<RandomProgram> programs;
  for (uint32_t i = 0; i < count; ++i) programs.push_back(random_program(first + i));
  const Levels levels = levels_of(first);
  std::vector<gpgpu::g80::Module> modules;
  try {
    modules = at_levels(programs, levels);
  } catch (const Error&) {
    programs = accepted(programs, levels);
    modules = at_levels(programs, levels);
  }
  counts.refused += count - programs.size();
  const std::vector<Bytes> expected = host_results(programs);
  std::set<uint32_t> wrong;  // seeds
  for (size_t at = 0; at < levels.size(); ++at) {
    const unsigned level = levels[at];
    const gpgpu::g80::Module& module = modules[at];
    for (size_t i = 0; i < programs.size(); ++i) {
      if (wrong.count(programs[i].seed) != 0) continue;
      Bytes machine;
      std::string what = mismatch(programs[i], module, expected[i], machine);
      const bool on_device = what.empty();
      // Timing changes the order of the warps; the code of one level is enough for that, and of
      // very many programs every fourth.
      const bool many = levels.size() == 1;
      const bool both = !many || programs[i].seed % 4 == 0;
      if (on_device && (many || programs[i].seed % 3 == std::min(level, 2U)))
        what = wrong_on_device(programs[i], module, machine, both);
      if (what.empty()) continue;
      ADD_FAILURE() << "-O" << level << ", " << test::text_of_seed(programs[i].seed) << ": "
                    << what;
      const RandomProgram smaller = made_smaller(programs[i], [&](const RandomProgram& each) {
        return !mismatch_of_one(each, level, on_device).empty();
      });
      ADD_FAILURE() << "left of it: " << mismatch_of_one(smaller, level, on_device) << "\n"
                    << smaller.text();
      wrong.insert(programs[i].seed);
    }
  }
  counts.wrong += wrong.size();
}

TEST(RandomPrograms, ComputeWhatTheHostComputes) {
  const char* text = std::getenv("GVP_RANDOM_PROGRAMS");
  const auto count = text == nullptr ? kTogether : static_cast<uint32_t>(std::atoi(text));
  const uint32_t first = test::seed(1);
  Counts counts;
  const uint32_t together = count > 100 ? kManyTogether : kTogether;
  for (uint32_t seed = first; seed - first < count; seed += together) {
    ASSERT_NO_THROW(compare(seed, together, counts)) << test::text_of_seed(seed);
    if (counts.wrong >= kMostWrong) return;
    if (count > 100)
      std::cout << seed - first + together << " programs, " << counts.refused << " refused, "
                << counts.wrong << " wrong" << std::endl;
  }
  EXPECT_LE(counts.refused, (count + 99) / 100);  // nearly all must be there to be compared
}

// Made smaller as long as one assignment is in it, a program is that assignment, what it stands in,
// and barriers.
TEST(RandomPrograms, AreMadeSmaller) {
  const std::string marked = "u2 = 424242u;";
  const auto may_hold = [](const Statement& each) { return !each.fixed && !each.body.empty(); };
  RandomProgram larger;
  Statement* holder = nullptr;
  for (uint32_t seed = 1; holder == nullptr; ++seed) {
    larger = random_program(seed);
    std::vector<Statement>& all = larger.statements;
    const auto found = std::find_if(all.begin(), all.end(), may_hold);
    if (all.size() > 5 && found != all.end()) holder = &*found;
  }
  holder->body.push_back({marked, {}, "", false});
  const RandomProgram smaller = made_smaller(larger, [&](const RandomProgram& each) {
    return each.text().find(marked) != std::string::npos;
  });
  for (const Statement& statement : smaller.statements) {
    const bool holds = statement.body.size() == 1 && statement.body[0].head == marked;
    EXPECT_TRUE(statement.fixed || holds) << statement.head;
  }
  EXPECT_NE(smaller.text().find(marked), std::string::npos);
}

}  // namespace
}  // namespace gvp::kcc
