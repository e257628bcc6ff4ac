// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/choice.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <optional>
#include <utility>

#include "models/base/error.h"
#include "tools/kcc/estimate.h"

namespace gvp::kcc {
namespace {

// What is to be said of a kernel needs lines.
g80::Result with_lines_for_messages(const std::string& file_name, const FrontEndResult& front,
                                    const g80::Options& options) {
  if (!front.with_lines) return g80::compile(file_name, front.ptx, options);
  try {
    g80::Result result = g80::compile(file_name, front.ptx, options);
    if (result.warnings.empty() && result.errors.empty()) return result;
  } catch (const Error& error) {
    if (error.code() != ExitCode::kBadInput) throw;
  }
  return g80::compile(file_name, front.with_lines(), options);
}

// What only the gentler version is refused for is nobody's business.
std::optional<g80::Result> gentler(const std::string& file_name, const FrontEndResult& front,
                                   const g80::Options& options) {
  try {
    return g80::compile(file_name, front.gentler, options);
  } catch (const Error& error) {
    if (error.code() != ExitCode::kBadInput) throw;
    return std::nullopt;
  }
}

// The same kernels, of which there is the same to say, and which find the same variables in the
// same places.  Where some are left out, names may mean others.
bool are_alike(const g80::Result& a, const g80::Result& b) {
  const auto same_name = [](const g80::KernelReport& one, const g80::KernelReport& two) {
    return one.name == two.name;
  };
  return a.errors.empty() && b.errors.empty() && a.warnings == b.warnings &&
         std::equal(a.kernels.begin(), a.kernels.end(), b.kernels.begin(), b.kernels.end(),
                    same_name) &&
         a.module.constants == b.module.constants && a.module.relocations == b.module.relocations;
}

// What no device has room for is no choice.  Estimates that differ by less than the rounds of one
// loop would change them say nothing; then there is less to do in less code.
bool is_better(const gpgpu::g80::Kernel& kernel, const gpgpu::g80::Kernel& than) {
  constexpr double kSame = 0.001;
  const auto fits = [](const gpgpu::g80::Kernel& each) {
    return 4 * each.code.size() <= g80::kMostCodeBytes;
  };
  if (fits(kernel) != fits(than)) return fits(kernel);
  const double cycles = estimated_cycles(kernel);
  const double others = estimated_cycles(than);
  if (std::abs(cycles - others) > kSame * others) return cycles < others;
  return std::pair(kernel.code.size(), kernel.registers) <
         std::pair(than.code.size(), than.registers);
}

}  // namespace

g80::Result compile(const std::string& file_name, const FrontEndResult& front,
                    const g80::Options& options) {
  if (front.gentler.empty()) return with_lines_for_messages(file_name, front, options);
  auto other = std::async(std::launch::async, [&] { return gentler(file_name, front, options); });
  g80::Result result = with_lines_for_messages(file_name, front, options);
  if (auto kernels = other.get()) return cheaper_kernels(std::move(result), std::move(*kernels));
  return result;
}

g80::Result cheaper_kernels(g80::Result first, g80::Result other) {
  if (!are_alike(first, other)) return first;
  for (size_t i = 0; i < first.kernels.size(); ++i) {
    if (!is_better(other.module.kernels[i], first.module.kernels[i])) continue;
    first.module.kernels[i] = std::move(other.module.kernels[i]);
    first.kernels[i] = std::move(other.kernels[i]);
  }
  return first;
}

}  // namespace gvp::kcc
