// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/estimate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "models/gpgpu/flexgrip/timing/instruction_costs.h"
#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/simt/warp_size.h"
#include "tools/compiler/graph.h"

namespace gvp::kcc {
namespace {

namespace g80 = gpgpu::g80;
namespace timing = gpgpu::flexgrip::timing;

using g80::Condition;
using g80::Instruction;
using g80::Operation;

constexpr unsigned kSps = 8;
constexpr unsigned kRows = gpgpu::simt::kWarpSize / kSps;
constexpr double kRounds = 10;    // of a loop
constexpr uint32_t kDeepest = 6;  // loops in loops beyond count no more

struct Placed {
  uint32_t address = 0;
  Instruction instruction;
};

std::vector<Placed> instructions_of(const g80::Kernel& kernel) {
  std::vector<Placed> all;
  for (size_t word = 0; word < kernel.code.size();) {
    const g80::Decoded decoded = g80::decode(&kernel.code[word], kernel.code.size() - word);
    if (decoded.executable()) all.push_back({static_cast<uint32_t>(4 * word), decoded.instruction});
    word += decoded.bytes() / 4;
  }
  return all;
}

// Whether threads may go on behind it.
bool goes_on(const Instruction& instruction) {
  const bool ends = instruction.marker == g80::Marker::kExit ||
                    instruction.operation == Operation::kBranch ||
                    instruction.operation == Operation::kReturn;
  return !ends || instruction.predicate != Condition::kAlways;
}

// Straight pieces of code, and the ways between them.
class Blocks {
 public:
  explicit Blocks(const std::vector<Placed>& code) {
    for (size_t i = 0; i < code.size(); ++i) index_[code[i].address] = i;
    begins_.assign(code.size(), false);
    for (size_t i = 0; i < code.size(); ++i) {
      const Instruction& instruction = code[i].instruction;
      const bool branches = jumps(instruction);
      if (branches && index_.count(instruction.target) != 0)
        begins_[index_.at(instruction.target)] = true;
      if ((branches || !goes_on(instruction)) && i + 1 < code.size()) begins_[i + 1] = true;
    }
    block_.resize(code.size());
    uint32_t block = 0;
    for (size_t i = 0; i < code.size(); ++i) block_[i] = begins_[i] && i != 0 ? ++block : block;
    compiler::Graph graph(code.empty() ? 0 : block + 1);
    for (size_t i = 0; i < code.size(); ++i) {
      const Instruction& instruction = code[i].instruction;
      if (jumps(instruction) && index_.count(instruction.target) != 0)
        graph.add_edge(block_[i], block_[index_.at(instruction.target)]);
      const bool last = i + 1 == code.size() || begins_[i + 1];
      if (last && i + 1 < code.size() && goes_on(instruction))
        graph.add_edge(block_[i], block_[i + 1]);
    }
    depths_ = compiler::loop_depths(graph);
  }

  uint32_t depth(size_t instruction) const { return depths_[block_[instruction]]; }

 private:
  static bool jumps(const Instruction& instruction) {
    return instruction.operation == Operation::kBranch || instruction.operation == Operation::kCall;
  }

  std::map<uint32_t, size_t> index_;
  std::vector<bool> begins_;
  std::vector<uint32_t> block_;   // by instruction
  std::vector<uint32_t> depths_;  // by block: loops around it
};

double cycles_of(const Instruction& instruction) {
  static const timing::PipelineTiming kTiming;
  const auto costs = timing::instruction_costs(instruction, kTiming, kSps, true);
  const uint32_t read =
      std::max(costs.read_registers, costs.read_memory + kSps * costs.read_lanes.active);
  const uint32_t write = costs.write + kSps * costs.write_lanes.active;
  return kRows * std::max({read, costs.execute, write}) + costs.read_prologue;
}

}  // namespace

double estimated_cycles(const g80::Kernel& kernel) {
  const std::vector<Placed> code = instructions_of(kernel);
  const Blocks blocks(code);
  double sum = 0;
  for (size_t i = 0; i < code.size(); ++i)
    sum += cycles_of(code[i].instruction) * std::pow(kRounds, std::min(blocks.depth(i), kDeepest));
  return sum;
}

}  // namespace gvp::kcc
