// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/issue_trace.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace gvp::tools {
namespace {

constexpr unsigned kStageCount = 5;  // fetch, decode, read, execute, write

}  // namespace

IssueTrace::IssueTrace(const std::string& path, uint32_t sms)
    : path_(path), file_(path), with_sm_(sms > 1) {
  if (!file_) throw bad_input("cannot write the issue trace", {path, 0, 0});
  file_ << (with_sm_ ? "sm," : "") << "warp,row,pc,issue,fetch,decode,read,execute,write\n";
}

void IssueTrace::stages(const gpgpu::StageEvent& row) {
  if (!first_issue_) first_issue_ = row.issue;
  const uint64_t zero = *first_issue_;
  if (with_sm_) file_ << row.place.block.sm << ',';
  file_ << fmt::format("{},{},{:#06x},{}", row.place.slot, row.row, row.pc, row.issue - zero);
  for (unsigned stage = 0; stage < kStageCount; ++stage)
    file_ << fmt::format(",{}", row.left[stage] - zero);
  file_ << '\n';
}

void IssueTrace::close() {
  file_.close();
  if (!file_) throw bad_input("cannot write all of the issue trace", {path_, 0, 0});
}

}  // namespace gvp::tools
