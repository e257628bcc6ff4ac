// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/program_profile.h"

#include "models/gpgpu/g80/operations.h"
#include "models/gpgpu/simt/warp_size.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using Kind = g80::Operand::Kind;

// Shared memory of a block begins with its sizes and indices; the parameters follow.
constexpr uint32_t kHeaderBytes = 0x10;

InstructionKind kind_of(g80::Unit unit) {
  switch (unit) {
    case g80::Unit::kMove:
      return InstructionKind::kMove;
    case g80::Unit::kMemory:
      return InstructionKind::kMemory;
    case g80::Unit::kInteger:
      return InstructionKind::kInteger;
    case g80::Unit::kMultiplier:
      return InstructionKind::kMultiply;
    case g80::Unit::kConversion:
      return InstructionKind::kConversion;
    case g80::Unit::kFloat:
      return InstructionKind::kFloat;
    case g80::Unit::kSpecial:
      return InstructionKind::kSpecial;
    case g80::Unit::kControl:
      break;
  }
  return InstructionKind::kControl;
}

AccessSpace space_of(Kind kind) {
  switch (kind) {
    case Kind::kShared:
      return AccessSpace::kShared;
    case Kind::kConstant:
      return AccessSpace::kConstant;
    case Kind::kLocal:
      return AccessSpace::kLocal;
    default:
      return AccessSpace::kGlobal;
  }
}

class Accesses {
 public:
  Accesses(const Kernel& kernel, unsigned sps, SmProfile& profile)
      : launch_bytes_(kHeaderBytes + 4 * kernel.parameter_count),
        rows_(simt::kWarpSize / sps),
        profile_(profile) {}

  void add(const g80::Op& op, const g80::OpCounts& counts) {
    for (const g80::Operand& source : op.instruction->sources)
      if (source.is_memory()) add(source, *op.instruction, counts, false);
    const g80::Operand& destination = op.instruction->destination;
    if (destination.is_memory()) add(destination, *op.instruction, counts, true);
    if (!g80::is_atomic(*op.instruction)) return;
    // The other half of what it does.
    const bool returns = !destination.is_memory();
    add(returns ? op.instruction->sources[0] : destination, *op.instruction, counts, returns);
  }

 private:
  // g[], l[] and what has an address register is served lane after lane; else one access serves
  // all lanes of a row.
  void add(const g80::Operand& operand, const g80::Instruction& instruction,
           const g80::OpCounts& counts, bool write) {
    const bool by_lane = operand.kind == Kind::kGlobal || operand.kind == Kind::kLocal ||
                         (operand.indexed && instruction.address_register != 0) ||
                         (write && operand.kind == Kind::kShared);
    const bool launched = operand.kind == Kind::kShared && !by_lane &&
                          static_cast<uint32_t>(operand.value) + operand.bytes() <= launch_bytes_;
    const AccessSpace space = launched ? AccessSpace::kParameters : space_of(operand.kind);
    AccessCounters& c = profile_.memory[static_cast<size_t>(space)];
    const uint64_t transactions = by_lane ? counts.executed : counts.issued * rows_;
    (write ? c.writes : c.reads) += transactions;
    (write ? c.bytes_written : c.bytes_read) += transactions * operand.bytes();
  }

  const uint32_t launch_bytes_;
  const uint64_t rows_;
  SmProfile& profile_;
};

SmProfile profile_of(const ProgramProfile& sm, const g80::Program& program, const Kernel& kernel,
                     unsigned sps) {
  SmProfile profile;
  profile.cycles = sm.elsewhere;
  profile.executing_cycles = sm.executing_cycles;
  profile.warp_cycles = sm.warp_cycles;
  Accesses accesses(kernel, sps, profile);
  for (const g80::Op& op : program.ops()) {
    const OpProfile& own = sm.ops[op.number];
    profile.cycles.add(own.cycles);
    const g80::OpCounts& counts = own.counts;
    if (counts.issued == 0) continue;
    profile.warp_instructions += counts.issued;
    profile.active_lanes += counts.active;
    profile.executed_lanes += counts.executed;
    const g80::Unit unit = g80::info(op.instruction->operation).unit;
    profile.instructions[static_cast<size_t>(kind_of(unit))] += counts.issued;
    accesses.add(op, counts);
  }
  return profile;
}

// Gives numbers whose sum is `whole` a sum of `part`, each its share to within one.
class Share {
 public:
  Share(uint64_t part, uint64_t whole)
      : ratio_(static_cast<double>(part) / static_cast<double>(whole)),
        part_(part),
        whole_(whole) {}
  void take(CycleClasses& classes) {
    for (uint64_t& cycles : classes) {
      seen_ += cycles;
      const uint64_t until =
          seen_ == whole_ ? part_ : static_cast<uint64_t>(static_cast<double>(seen_) * ratio_);
      cycles = until - given_;
      given_ = until;
    }
  }

 private:
  const double ratio_;
  const uint64_t part_;
  const uint64_t whole_;
  uint64_t seen_ = 0;
  uint64_t given_ = 0;
};

}  // namespace

void end_at(std::vector<ProgramProfile>& sms, uint64_t cycles) {
  for (ProgramProfile& sm : sms) {
    uint64_t reached = sm.elsewhere.sum();
    for (const OpProfile& op : sm.ops) reached += op.cycles.sum();
    if (reached > cycles) {
      Share share(cycles, reached);
      share.take(sm.elsewhere);
      for (OpProfile& op : sm.ops) share.take(op.cycles);
    } else {
      sm.elsewhere[CycleClass::kLaunch] += cycles - reached;
    }
  }
}

KernelProfile kernel_profile(const std::vector<ProgramProfile>& sms, const g80::Program& program,
                             const Kernel& kernel, const Configuration& configuration) {
  KernelProfile profile;
  profile.lanes = simt::kWarpSize;
  profile.warps_per_sm = configuration.warps_per_sm;
  for (const ProgramProfile& sm : sms)
    profile.sms.push_back(profile_of(sm, program, kernel, configuration.sps));
  return profile;
}

}  // namespace gvp::gpgpu::flexgrip
