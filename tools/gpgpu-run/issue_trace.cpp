// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/issue_trace.h"

#include <fmt/format.h>

#include "models/base/error.h"

namespace gvp::tools {

IssueTrace::IssueTrace(const std::string& path, uint32_t sms)
    : path_(path), file_(path), with_sm_(sms > 1) {
  if (!file_) throw bad_input("cannot write the issue trace", {path, 0, 0});
  file_ << (with_sm_ ? "sm," : "") << "warp,row,pc,issue,fetch,decode,read,execute,write\n";
}

void IssueTrace::row_issued(const gpgpu::flexgrip::IssuedRow& row) {
  if (!first_issue_) first_issue_ = row.issue;
  const uint64_t zero = *first_issue_;
  if (with_sm_) file_ << row.sm << ',';
  file_ << fmt::format("{},{},{:#06x},{},{},{},{},{},{}\n", row.warp, row.row, row.pc,
                       row.issue - zero, row.fetch - zero, row.decode - zero, row.read - zero,
                       row.execute - zero, row.write - zero);
}

void IssueTrace::close() {
  file_.close();
  if (!file_) throw bad_input("cannot write all of the issue trace", {path_, 0, 0});
}

}  // namespace gvp::tools
