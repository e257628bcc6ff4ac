// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/lt_costs.h"

#include <algorithm>

#include "models/gpgpu/flexgrip/timing/instruction_costs.h"

namespace gvp::gpgpu::flexgrip::timing {
namespace {

constexpr uint32_t kPipelineLatency = 8;  // issue to issue of one warp, beyond its stages

// The stages' sums over all rows of a warp, with so many active lanes in each row.
struct StageSum {
  uint32_t slowest;      // per row the slowest stage, and one cycle between rows
  uint32_t alone;        // issue to issue when no other warp is there
  CycleClasses classes;  // of the cycles of `slowest`
};

// The cycles of the slowest stage, and the one between rows, by class, so many times.
void classify(CycleClasses& classes, const InstructionCosts& c, uint32_t prologue, uint32_t read,
              uint32_t write, uint32_t times) {
  classes[CycleClass::kIssue] += times;
  if (prologue + read >= std::max(c.execute, write)) {
    classes[CycleClass::kRead] += uint64_t{times} * (prologue + c.read_registers);
    classes[c.read_class] += uint64_t{times} * (read - c.read_registers);
  } else if (c.execute >= write) {
    classes[CycleClass::kExecute] += uint64_t{times} * c.execute;
  } else {
    classes[c.write_class] += uint64_t{times} * write;
  }
}

// on_bus: memory's own time is known and comes extra.
StageSum stage_sum(const InstructionCosts& c, unsigned sps, unsigned active, bool on_bus) {
  const auto lanes = [&](const LaneCosts& of) {
    return active * (on_bus ? of.access : of.active) + (sps - active) * of.idle;
  };
  const uint32_t read = std::max(c.read_registers, c.read_memory + lanes(c.read_lanes));
  const uint32_t write = c.write + lanes(c.write_lanes);
  const uint32_t first = std::max({c.read_prologue + read, c.execute, write}) + 1;
  const uint32_t other = std::max({read, c.execute, write}) + 1;
  const uint32_t rows = simt::kWarpSize / sps;
  const uint32_t more_rows = (rows - 1) * other;
  StageSum sum{first + more_rows,
               kPipelineLatency + c.read_prologue + read + c.execute + write + more_rows,
               {}};
  classify(sum.classes, c, c.read_prologue, read, write, 1);
  classify(sum.classes, c, 0, read, write, rows - 1);
  return sum;
}

}  // namespace

std::vector<OpClasses> annotate(g80::Program& program, const PipelineTiming& timing, unsigned sps,
                                const SharedBanks& banks, bool global_on_bus,
                                bool device_extensions) {
  std::vector<OpClasses> classes(program.ops().size());
  for (g80::Op& op : program.ops()) {
    if (op.fault != FaultCause::kNone) continue;  // never completes
    InstructionCosts costs = instruction_costs(*op.instruction, timing, sps, device_extensions);
    op.steps = nullptr;
    if (banks.any() && SharedBanks::serve(op)) {
      op.steps = &banks;
      costs.read_lanes.idle = costs.write_lanes.idle = 0;
    }
    const bool on_bus = global_on_bus && g80::accesses_global(*op.instruction);
    const StageSum idle = stage_sum(costs, sps, 0, on_bus);
    const StageSum busy = stage_sum(costs, sps, sps, on_bus);
    op.cost = idle.slowest;
    op.latency = idle.alone;
    // Where a lane that takes no part costs more than one that does, none counts as less.
    op.cost_per_lane = (std::max(busy.slowest, idle.slowest) - idle.slowest) / simt::kWarpSize;
    classes[op.number] = {idle.classes,
                          costs.read_lanes.accessed ? costs.read_class : costs.write_class};
    if (op.memory.access == g80::Type::kNone && op.load_count == 0) {
      op.cost = busy.slowest;
      op.latency = busy.alone;
      op.cost_per_lane = 0;
      classes[op.number].base = busy.classes;
    }
  }
  return classes;
}

}  // namespace gvp::gpgpu::flexgrip::timing
