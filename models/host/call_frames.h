// SPDX-License-Identifier: Apache-2.0
// Call-frame information of a program: sections .debug_frame (DWARF 5, section 6.4) and .eh_frame
// (Linux Standard Base Core 5.0, section 10.6).  GCC's MicroBlaze register numbers are the
// processor's; the return address column is r15.
//
// Not evaluated: DWARF expressions and segments; where they occur there is no rule.  Broken
// sections yield the rules up to the damage.
#pragma once

#include <cstdint>
#include <vector>

#include "models/host/frame_rule.h"
#include "models/host/symbols.h"

namespace gvp::host {

class CallFrames {
 public:
  CallFrames() = default;
  CallFrames(const std::vector<CallFrameSection>& sections, bool big_endian);

  // The rule at an address; not known where the section says nothing.
  FrameRule find(uint32_t pc) const;
  bool empty() const { return functions_.empty(); }

  // Bytes of a section.
  struct Span {
    const uint8_t* first = nullptr;
    const uint8_t* last = nullptr;  // behind it
  };
  // What several functions share (CIE).
  struct Common {
    uint64_t code_alignment = 1;
    int64_t data_alignment = 1;
    uint8_t pointer_encoding = 0;  // of .eh_frame: DW_EH_PE_*
    bool has_augmentation_data = false;
    bool usable = false;
    Span instructions;
  };

 private:
  struct Function {
    uint32_t first = 0;
    uint32_t bytes = 0;
    Common common;
    Span instructions;
  };
  void read(const CallFrameSection& section);
  const Function* function_at(uint32_t pc) const;

  std::vector<CallFrameSection> sections_;  // the spans point here
  bool big_endian_ = false;
  std::vector<Function> functions_;  // by address
};

}  // namespace gvp::host
