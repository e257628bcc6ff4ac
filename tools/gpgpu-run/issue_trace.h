// SPDX-License-Identifier: Apache-2.0
// The issue trace: a CSV line for each row of each warp instruction, with the clock cycles at
// which it was issued and left the stages, counted from the first issue.  The last column is the
// number of the SM.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "models/gpgpu/observer.h"

namespace gvp::tools {

class IssueTrace : public gpgpu::Observer {
 public:
  // Throws Error (bad input) for a file that cannot be written.
  explicit IssueTrace(const std::string& path);
  unsigned wants() const override { return kStages; }
  void stages(const gpgpu::StageEvent& row) override;
  // Throws Error (bad input) if not everything could be written.
  void close();

 private:
  std::string path_;
  std::ofstream file_;
  std::optional<uint64_t> first_issue_;
};

}  // namespace gvp::tools
