// SPDX-License-Identifier: Apache-2.0
// Random programs of one wavefront, or of several that run in a compute unit at a time: the device,
// loosely and approximately timed, and the reference come to the same registers and memory.
// Arithmetic of all kinds under changing EXEC, branches ahead by SCC, VCC and EXEC, words of
// prefetch memory and of the local data share.
//
// GVP_RANDOM_PROGRAMS=COUNT runs so many (default 150), GVP_TEST_SEED=random others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "models/gpgpu/southern_islands/codec.h"
#include "models/gpgpu/southern_islands/disassembler.h"
#include "models/gpgpu/southern_islands/execution.h"
#include "tests/models/gpgpu/miaow/one_wavefront.h"
#include "tests/models/gpgpu/southern_islands/reference_state.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::miaow {
namespace {

using namespace southern_islands;

constexpr unsigned kMemoryWords = 1024;  // of prefetch memory and of the share
constexpr unsigned kInstructions = 40;

// One instruction, with what the reference has to know of it.
struct Step {
  enum class Kind { kArithmetic, kBranch, kMemory, kPlain };
  Kind kind = Kind::kArithmetic;
  Instruction instruction;
  unsigned skipped = 0;    // branches: steps
  bool continues = false;  // what the step before has begun: no branch leads here
};

bool is_arithmetic(const OperationInfo& row) {
  if (row.operation == Operation::kNone) return false;
  if (row.format == Format::kVopc) return true;
  const Group group = group_of(row);
  return group == Group::kScalar || group == Group::kInteger || group == Group::kFloat;
}

class Program {
 public:
  // memory: address of its words in prefetch memory.
  explicit Program(RandomInstructions& random, uint32_t memory = 0)
      : random_(random), memory_(memory) {
    while (steps.size() < kInstructions) {
      switch (random_.below(8)) {
        case 0:
          add_branch();
          break;
        case 1:
          add_memory();
          break;
        default:
          add_arithmetic();
      }
    }
    add_text("s_endpgm", Step::Kind::kPlain);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      Step& step = steps[i];
      step.skipped = std::min<unsigned>(
          step.skipped, static_cast<unsigned>(steps.size() - 2 - std::min(i, steps.size() - 2)));
      while (step.skipped != 0 && steps[i + 1 + step.skipped].continues) --step.skipped;
    }
  }

  std::vector<Step> steps;

  std::vector<uint32_t> words() const {
    std::vector<std::size_t> at{0};
    for (const Step& step : steps) at.push_back(at.back() + encode(step.instruction).count);
    std::vector<uint32_t> all;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      Instruction instruction = steps[i].instruction;
      if (steps[i].kind == Step::Kind::kBranch)
        instruction.immediate = static_cast<uint16_t>(at[i + 1 + steps[i].skipped] - at[i + 1]);
      const Encoded encoded = encode(instruction);
      all.insert(all.end(), encoded.words.begin(), encoded.words.begin() + encoded.count);
    }
    return all;
  }
  std::string text() const {
    std::string all;
    for (const Step& step : steps) all += to_text(step.instruction) + "\n";
    return all;
  }

 private:
  void add_text(const std::string& text, Step::Kind kind) {
    steps.push_back({kind, assemble_instruction(text), 0, false});
  }
  void add_arithmetic() {
    for (;;) {
      const OperationInfo& row = kOperations[random_.below(kOperationCount)];
      if (!is_arithmetic(row)) continue;
      steps.push_back({Step::Kind::kArithmetic,
                       *random_.of(row.operation, row.has_long_form() && random_.chance(2)), 0,
                       false});
      return;
    }
  }
  void add_branch() {
    const char* const branches[] = {"scc0", "scc1", "vccz", "vccnz", "execz", "execnz"};
    add_text(fmt::format("s_cbranch_{} 1", branches[random_.below(6)]), Step::Kind::kBranch);
    steps.back().skipped = random_.below(5);
  }
  // A word of each lane; the address is held within memory right before.
  void add_memory() {
    const unsigned address = random_.below(255);
    const unsigned data = (address + 1 + random_.below(254)) % 255;
    const bool load = random_.chance(2);
    add_text(fmt::format("v_and_b32 v{}, {:#x}, v{}", address, 4 * (kMemoryWords - 1), address),
             Step::Kind::kArithmetic);
    const std::size_t first = steps.size();
    if (random_.chance(2)) {
      add_text(load ? fmt::format("ds_read_b32 v{}, v{}", data, address)
                    : fmt::format("ds_write_b32 v{}, v{}", address, data),
               Step::Kind::kMemory);
      steps[first].continues = true;
      return;
    }
    for (unsigned i = 0; i < 4; ++i)
      add_text(i == 0   ? fmt::format("s_mov_b32 s96, {:#x}", memory_)
               : i == 2 ? "s_mov_b32 s98, -1"
                        : fmt::format("s_mov_b32 s{}, 0", 96 + i),
               Step::Kind::kArithmetic);
    add_text(fmt::format("buffer_{}_dword v{}, v{}, s[96:99], 0 offen", load ? "load" : "store",
                         data, address),
             Step::Kind::kMemory);
    for (std::size_t i = first; i < steps.size(); ++i) steps[i].continues = true;
  }

  RandomInstructions& random_;
  uint32_t memory_;
};

struct Memory {
  std::vector<uint32_t> prefetch = std::vector<uint32_t>(kMemoryWords);
  std::vector<uint32_t> share = std::vector<uint32_t>(kMemoryWords);
};

void apply_memory(State& state, Memory& memory, const Instruction& instruction) {
  const std::string mnemonic(info(instruction.operation).mnemonic);
  const bool share = mnemonic.rfind("ds_", 0) == 0;
  auto& words = share ? memory.share : memory.prefetch;
  const bool load = mnemonic == "ds_read_b32" || mnemonic == "buffer_load_dword";
  const unsigned address = instruction.source[0] - 256u;
  const unsigned data = (load || !share ? instruction.destination : instruction.source[1]) - 256u;
  for (unsigned lane = 0; lane < 64; ++lane) {
    if ((state.wavefront.exec() >> lane & 1) == 0) continue;
    uint32_t& word = words[state.vector[address].lane[lane] / 4];
    if (load)
      state.vector[data].lane[lane] = word;
    else
      word = state.vector[data].lane[lane];
  }
}

bool is_taken(const Wavefront& wave, const std::string& mnemonic) {
  if (mnemonic == "s_cbranch_scc0") return !wave.scc;
  if (mnemonic == "s_cbranch_scc1") return wave.scc;
  if (mnemonic == "s_cbranch_vccz") return (wave.scalar[106] | wave.scalar[107]) == 0;
  if (mnemonic == "s_cbranch_vccnz") return (wave.scalar[106] | wave.scalar[107]) != 0;
  if (mnemonic == "s_cbranch_execz") return (wave.scalar[126] | wave.scalar[127]) == 0;
  return (wave.scalar[126] | wave.scalar[127]) != 0;
}

void interpret(const Program& program, State& state, Memory& memory) {
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    if (step.kind == Step::Kind::kBranch) {
      if (is_taken(state.wavefront, std::string(info(step.instruction.operation).mnemonic)))
        i += step.skipped;
    } else if (step.kind == Step::Kind::kMemory) {
      apply_memory(state, memory, step.instruction);
    } else if (step.kind == Step::Kind::kArithmetic) {
      const State before = state;
      ASSERT_TRUE(apply(state, before, step.instruction)) << to_text(step.instruction);
    }
  }
}

// Where a wavefront's parts of the files and memories begin, by its number.
uint32_t scalars_of(unsigned wave) { return wave * code::kScalarRegisters; }
uint32_t vectors_of(unsigned wave) { return wave * kMostVectorRegisters; }
uint32_t memory_of(unsigned wave) { return 4 * kMemoryWords * wave; }

// What the device's registers and memory can show, against the reference.
std::string device_difference(ComputeUnit& unit, const State& should, const Memory& memory,
                              unsigned wave = 0) {
  State is = should;
  for (unsigned i = 0; i < code::kScalarRegisters; ++i)
    is.wavefront.scalar[i] = unit.scalar(scalars_of(wave) + i);
  for (unsigned i = 0; i < 256; ++i) is.vector[i] = unit.vector(vectors_of(wave) + i);
  for (unsigned i = 0; i < kMemoryWords; ++i) {
    const uint32_t word = unit.prefetch(memory_of(wave) + 4 * i);
    if (word != memory.prefetch[i])
      return fmt::format("memory at {:#x} is {:#x}, should be {:#x}", 4 * i, word,
                         memory.prefetch[i]);
  }
  return difference(is, should);
}

// Registers, and EXEC as of a launch of so many lanes.
State random_state(RandomInstructions& random, unsigned lanes) {
  State state;
  for (Lanes& row : state.vector)
    for (uint32_t& word : row.lane) word = random_word(random);
  for (unsigned i = 0; i < code::kScalarRegisters; ++i)
    state.wavefront.scalar[i] = random_word(random);
  state.wavefront.set_pair(code::kExecLo, simt::first_lanes_of<64>(lanes));
  return state;
}

void put(ComputeUnit& unit, const State& state, unsigned wave = 0) {
  for (unsigned i = 0; i < 256; ++i) unit.vector(vectors_of(wave) + i) = state.vector[i];
  for (unsigned i = 0; i < code::kScalarRegisters; ++i)
    unit.set_scalar(scalars_of(wave) + i, state.wavefront.scalar[i]);
}

unsigned count_of_programs() {
  const char* text = std::getenv("GVP_RANDOM_PROGRAMS");
  return text == nullptr ? 150 : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

TEST(RandomPrograms, GiveTheSameInBothTimingsAndByTheReference) {
  const uint32_t seed = test::seed(40);
  SCOPED_TRACE(test::text_of_seed(seed));
  RandomInstructions random(seed);
  uint64_t loose_cycles = 0;
  uint64_t timed_cycles = 0;
  for (unsigned n = 0; n < count_of_programs(); ++n) {
    const Program program(random);
    const unsigned lanes = 1 + random.below(64);
    const State start = random_state(random, lanes);
    State state = start;
    Memory memory;
    interpret(program, state, memory);
    for (const Model model : {Model::kLt, Model::kAt}) {
      OneWavefront device(model);
      device.load(program.words());
      put(device.unit, start);
      Launch launch;
      launch.lanes = lanes;
      (model == Model::kLt ? loose_cycles : timed_cycles) += device.run(launch);
      ASSERT_EQ(device_difference(device.unit, state, memory), "")
          << (model == Model::kLt ? "lt" : "at") << ", program " << n << ":\n"
          << program.text();
    }
  }
  EXPECT_LT(timed_cycles, loose_cycles);
}

// Each of its own program, registers and memory, which no other one may disturb.
TEST(RandomPrograms, OfSeveralWavefrontsAtATimeGiveTheSame) {
  constexpr unsigned kWaves = 3;
  const uint32_t seed = test::seed(41);
  SCOPED_TRACE(test::text_of_seed(seed));
  RandomInstructions random(seed);
  Configuration configuration;
  configuration.wavefronts = kWaves;
  for (unsigned n = 0; n < count_of_programs() / kWaves; ++n) {
    std::vector<Program> programs;
    std::vector<State> starts, states;
    std::vector<Memory> memories(kWaves);
    std::vector<Launch> launches(kWaves);
    std::vector<uint32_t> words;
    for (unsigned wave = 0; wave < kWaves; ++wave) {
      Launch& launch = launches[wave];
      launch.pc = static_cast<uint32_t>(4 * words.size());
      launch.base_vector = vectors_of(wave);
      launch.base_scalar = scalars_of(wave);
      launch.base_share = memory_of(wave);
      launch.share_bytes = 4 * kMemoryWords;
      launch.lanes = 1 + random.below(64);
      launch.first_of_group = wave;
      programs.emplace_back(random, memory_of(wave));
      starts.push_back(random_state(random, launch.lanes));
      states.push_back(starts.back());
      interpret(programs[wave], states[wave], memories[wave]);
      for (const uint32_t word : programs[wave].words()) words.push_back(word);
    }
    for (const Model model : {Model::kLt, Model::kAt}) {
      OneWavefront device(model, configuration);
      device.load(words);
      device.unit.prepare();
      for (unsigned wave = 0; wave < kWaves; ++wave) {
        put(device.unit, starts[wave], wave);
        device.unit.start(wave, launches[wave], wave * random.below(50));
      }
      for (unsigned wave = 0; wave < kWaves; ++wave) device.unit.run_until(10'000'000);
      for (unsigned wave = 0; wave < kWaves; ++wave) {
        ASSERT_EQ(device.unit.state(wave), ComputeUnit::State::kFinished);
        ASSERT_EQ(device_difference(device.unit, states[wave], memories[wave], wave), "")
            << (model == Model::kLt ? "lt" : "at") << ", wavefront " << wave << " of " << n << ":\n"
            << programs[wave].text();
      }
    }
  }
}

}  // namespace
}  // namespace gvp::gpgpu::miaow
