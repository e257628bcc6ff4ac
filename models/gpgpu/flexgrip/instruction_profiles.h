// SPDX-License-Identifier: Apache-2.0
// The instructions of the kernels that a device has run, by kernel: launches of one name whose code
// is the same are added up, others stand apart.  No SystemC.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/flexgrip/program_profile.h"
#include "models/gpgpu/instruction_profile.h"
#include "models/gpgpu/line_table.h"

namespace gvp::gpgpu::flexgrip {

class InstructionProfiles {
 public:
  // code: the words that the program was made from.  lines: null where nobody knows them.
  void add(const std::string& kernel, const std::vector<uint32_t>& code,
           const g80::Program& program, const std::vector<ProgramProfile>& sms,
           const LineTable* lines);
  std::vector<InstructionProfile> all() const;

 private:
  struct Entry {
    std::vector<uint32_t> code;
    InstructionProfile profile;
  };
  Entry& entry_of(const std::string& kernel, const std::vector<uint32_t>& code,
                  const g80::Program& program, const LineTable* lines);

  std::vector<Entry> entries_;  // in the order of their first launches
};

}  // namespace gvp::gpgpu::flexgrip
