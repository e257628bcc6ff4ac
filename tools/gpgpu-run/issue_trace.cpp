// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/issue_trace.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace gvp::tools {
namespace {

constexpr unsigned kStageCount = 5;  // fetch, decode, read, execute, write

}  // namespace

IssueTrace::IssueTrace(const std::string& path) : path_(path), file_(path) {
  if (!file_) throw bad_input("cannot write the issue trace", {path, 0, 0});
  file_ << "warp,row,pc,issue,fetch,decode,read,execute,write,sm\n";
}

void IssueTrace::stages(const gpgpu::StageEvent& row) {
  if (!first_issue_) first_issue_ = row.issue;
  const uint64_t zero = *first_issue_;
  file_ << fmt::format("{},{},{:#06x},{}", row.place.slot, row.row, row.pc, row.issue - zero);
  for (unsigned stage = 0; stage < kStageCount; ++stage)
    file_ << fmt::format(",{}", row.left[stage] - zero);
  file_ << fmt::format(",{}\n", row.place.block.sm);
}

void IssueTrace::close() {
  file_.close();
  if (!file_) throw bad_input("cannot write all of the issue trace", {path_, 0, 0});
}

}  // namespace gvp::tools
