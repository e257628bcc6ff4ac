// SPDX-License-Identifier: Apache-2.0
// For whoever wants to see every warp instruction's way through the pipeline of an approximately
// timed device: traces, tests.  Units: clock cycles since the start of the kernel.
#pragma once

#include <cstdint>

namespace gvp::gpgpu::flexgrip {

// One row (pass through the pipeline) of one warp instruction.
struct IssuedRow {
  uint32_t sm = 0;
  uint32_t warp = 0;  // slot in the SM
  uint32_t row = 0;
  uint32_t pc = 0;
  uint64_t issue = 0;  // when it was issued, and when it left each stage
  uint64_t fetch = 0;
  uint64_t decode = 0;
  uint64_t read = 0;
  uint64_t execute = 0;
  uint64_t write = 0;
};

class IssueObserver {
 public:
  virtual ~IssueObserver() = default;
  // In the order of issue within an SM.
  virtual void row_issued(const IssuedRow& row) = 0;
};

}  // namespace gvp::gpgpu::flexgrip
