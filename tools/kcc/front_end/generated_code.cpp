// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/generated_code.h"

#include <string_view>

namespace gvp::kcc {

std::string with_wide_shifts(const std::string& ptx) {
  constexpr std::string_view kProduct = "mul.wide.s32";
  constexpr std::string_view kFactor = ", -2147483648;";
  std::string result;
  size_t done = 0;
  for (size_t at = 0; (at = ptx.find(kProduct, at)) != std::string::npos; at += kProduct.size()) {
    const size_t end = ptx.find(';', at) + 1;
    if (end == 0) break;
    const std::string_view line = std::string_view(ptx).substr(at, end - at);
    const size_t operands = line.find_first_not_of(" \t", kProduct.size());
    const size_t comma = line.find(',');
    const size_t factor = line.size() - kFactor.size();
    if (comma >= factor || line.substr(factor) != kFactor) continue;
    const std::string d(line.substr(operands, comma - operands));
    result += ptx.substr(done, at - done);
    result += "cvt.s64.s32 " + d;
    result += line.substr(comma, factor - comma);
    result.append("; shl.b64 ").append(d).append(", ").append(d).append(", 31;");
    done = end;
  }
  return result + ptx.substr(done);
}

}  // namespace gvp::kcc
