// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/generated_code.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
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

// { ... shl.b32 %lhs, x, n; sub.s32 %amt2, 32, n; shr.b32 %rhs, x, %amt2; add.u32 d, %lhs, %rhs; }
std::string with_whole_rotations(const std::string& ptx) {
  constexpr std::string_view kAmount = "%amt2, ";
  std::string result;
  size_t done = 0;
  for (size_t at = 0; (at = ptx.find(kAmount, at)) != std::string::npos; at += kAmount.size()) {
    const std::string_view rest = std::string_view(ptx).substr(at + kAmount.size());
    const std::string_view width = rest.substr(0, 4);
    const size_t line = ptx.rfind('\n', at);
    if ((width != "32, " && width != "64, ") || line == std::string::npos || line == 0) continue;
    const std::string n(rest.substr(4, rest.find(';') - 4));
    const size_t before = ptx.rfind('\n', line - 1) + 1;
    const std::string_view shift = std::string_view(ptx).substr(before, line - before);
    const std::string end = ", " + n + ";";
    const bool same = shift.size() > end.size() && shift.substr(shift.size() - end.size()) == end;
    if (!same || n[0] != '%' || before < done) continue;
    result += ptx.substr(done, before - done);
    result.append("and.b32 %amt2, ").append(n).append(width == "32, " ? ", 31; " : ", 63; ");
    result.append(shift.substr(0, shift.size() - end.size())).append(", %amt2;");
    done = at + kAmount.size() + width.size();
    result += ptx.substr(line, done - line) + "%amt2";
    done += n.size();
  }
  return result + ptx.substr(done);
}

std::string with_shifted_signs(const std::string& ptx) {
  constexpr std::string_view kField = "bfe.u64";
  constexpr long kWidth = 64;
  std::string result;
  size_t done = 0;
  for (size_t at = 0; (at = ptx.find(kField, at)) != std::string::npos; at += kField.size()) {
    const size_t end = ptx.find(';', at);
    if (end == std::string::npos) break;
    std::array<std::string, 4> operands;  // d, x, position, length
    size_t found = 0;
    size_t from = at + kField.size();
    for (; found < operands.size() && from < end; ++found) {
      const size_t begin = ptx.find_first_not_of(" \t", from);
      const size_t stop = std::min(ptx.find(',', begin), end);
      operands[found] = ptx.substr(begin, stop - begin);
      from = stop + 1;
    }
    const long position = std::strtol(operands[2].c_str(), nullptr, 10);
    const long length = std::strtol(operands[3].c_str(), nullptr, 10);
    if (position <= 0 || position >= kWidth || length >= kWidth || position + length <= kWidth)
      continue;
    const std::string& d = operands[0];
    const std::string mask = std::to_string((uint64_t{1} << length) - 1);
    result += ptx.substr(done, at - done);
    result.append("shr.s64 ").append(d).append(", ").append(operands[1]).append(", ");
    result.append(operands[2]).append("; and.b64 ").append(d).append(", ").append(d);
    result.append(", ").append(mask);
    done = end;
  }
  return result + ptx.substr(done);
}

// A definition begins
//   .visible .func  (.param .b32 func_retval0) _Z3addii(
//   	.param .b32 _Z3addii_param_0
//   )
//   {
std::string with_separate_functions(const std::string& ptx, const std::set<std::string>& names) {
  if (names.empty()) return ptx;
  constexpr std::string_view kFunction = ".func ";
  std::string result;
  bool wanted = false;
  for (size_t at = 0; at < ptx.size();) {
    const size_t end = std::min(ptx.find('\n', at), ptx.size() - 1) + 1;
    const std::string_view line = std::string_view(ptx).substr(at, end - at);
    at = end;
    result += line;
    const size_t function = line.find(kFunction);
    if (function != std::string_view::npos && line[0] == '.') {
      size_t name = line.find_first_not_of(' ', function + kFunction.size());
      if (name < line.size() && line[name] == '(')
        name = line.find_first_not_of(' ', std::min(line.find(')', name), line.size() - 1) + 1);
      wanted =
          name < line.size() &&
          names.count(std::string(line.substr(name, line.find_first_of("( \n", name) - name))) != 0;
    } else if (line == "{\n") {
      if (wanted) result += "\t.pragma \"noinline\";\n";
      wanted = false;
    }
  }
  return result;
}

}  // namespace gvp::kcc
