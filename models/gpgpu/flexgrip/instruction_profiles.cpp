// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/instruction_profiles.h"

#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/simt/warp_size.h"

namespace gvp::gpgpu::flexgrip {

InstructionProfiles::Entry& InstructionProfiles::entry_of(const std::string& kernel,
                                                          const std::vector<uint32_t>& code,
                                                          const g80::Program& program,
                                                          const LineTable* lines) {
  for (Entry& entry : entries_)
    if (entry.profile.kernel == kernel && entry.code == code) return entry;
  Entry& entry = entries_.emplace_back();
  entry.code = code;
  entry.profile.kernel = kernel;
  entry.profile.lanes = simt::kWarpSize;
  for (const g80::Op& op : program.ops()) {
    InstructionRow row;
    row.pc = op.pc;
    const bool executable = op.fault == FaultCause::kNone && op.pc != g80::kNoAddress;
    row.text = executable ? g80::to_text(*op.instruction) : "(not an instruction)";
    if (executable && lines != nullptr) row.source = lines->place(op.pc);
    entry.profile.rows.push_back(row);
  }
  return entry;
}

void InstructionProfiles::add(const std::string& kernel, const std::vector<uint32_t>& code,
                              const g80::Program& program, const std::vector<ProgramProfile>& sms,
                              const LineTable* lines) {
  InstructionProfile& profile = entry_of(kernel, code, program, lines).profile;
  ++profile.launches;
  for (const ProgramProfile& sm : sms) {
    profile.elsewhere.add(sm.elsewhere);
    profile.cycles += sm.elsewhere.sum();
    for (const g80::Op& op : program.ops()) {
      const OpProfile& from = sm.ops[op.number];
      InstructionRow& row = profile.rows[op.number];
      row.issued += from.counts.issued;
      row.active += from.counts.active;
      row.executed += from.counts.executed;
      row.cycles.add(from.cycles);
      profile.cycles += from.cycles.sum();
    }
  }
}

std::vector<InstructionProfile> InstructionProfiles::all() const {
  std::vector<InstructionProfile> profiles;
  for (const Entry& entry : entries_) profiles.push_back(entry.profile);
  return profiles;
}

}  // namespace gvp::gpgpu::flexgrip
