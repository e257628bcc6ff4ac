// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/kcc/cuda_text.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "models/base/error.h"
#include "tests/support/temporary_file.h"
#include "tests/tools/kcc/both_timings.h"
#include "tests/tools/kcc/machine_runner.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kInput = 256;

}  // namespace

g80::Result compile_text(const std::string& text, CudaOptions options) {
  const test::TemporaryFile source("kernel.cu", text);
  options.front_end.optimise = options.optimise;
  options.back_end.optimise = options.optimise;
  options.back_end.generated = true;
  return g80::compile("kernel.cu", compile_cuda(source.path(), options.front_end),
                      options.back_end);
}

gpgpu::g80::Module compiled(const std::string& text, unsigned optimise) {
  CudaOptions options;
  options.optimise = optimise;
  return compile_text(text, options).module;
}

std::string refusal(const std::string& text, CudaOptions options) {
  try {
    compile_text(text, std::move(options));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "";
}

std::vector<uint32_t> results(const gpgpu::g80::Module& module, uint32_t threads,
                              const std::vector<uint32_t>& in, uint32_t n,
                              uint32_t dynamic_shared) {
  return results_with(module, threads, in, {n}, dynamic_shared);
}

std::vector<uint32_t> results_with(const gpgpu::g80::Module& module, uint32_t threads,
                                   const std::vector<uint32_t>& in,
                                   const std::vector<uint32_t>& rest, uint32_t dynamic_shared) {
  const auto bytes = static_cast<uint32_t>(4 * in.size());
  const uint32_t out = kInput + (bytes + 255) / 256 * 256;
  std::vector<uint8_t> before(out + bytes);
  std::memcpy(&before[kInput], in.data(), bytes);
  std::vector<uint8_t> after = before;
  ptx::Grid grid;
  grid.block_x = threads;
  grid.dynamic_shared_bytes = dynamic_shared;
  std::vector<uint32_t> parameters{kInput, out};
  parameters.insert(parameters.end(), rest.begin(), rest.end());
  const RunResult run = run_on_machine(module, "k", grid, parameters, after);
  EXPECT_EQ(run.fault, "");
  after.resize(before.size());
  expect_with_both_timings(module, "k", grid, parameters, before, after);
  std::vector<uint32_t> words(in.size());
  std::memcpy(words.data(), &after[out], bytes);
  return words;
}

}  // namespace gvp::kcc
