// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/kcc/compiled_kernel.h"

#include <algorithm>
#include <cstring>

#include "models/base/error.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/g80/listing.h"
#include "tests/tools/kcc/machine_runner.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kOut = 256;  // where kernels here write

}  // namespace

std::string kernel(const std::string& body, const std::string& before) {
  return ".version 3.2\n.target sm_20\n.address_size 32\n" + before +
         ".visible .entry k(.param .u32 out, .param .u32 n)\n{\n"
         ".reg .pred %p<9>;\n.reg .b32 %r<99>;\n.reg .f32 %f<9>;\n.reg .b32 %out, %t, %n, %own;\n"
         "ld.param.u32 %out, [out];\nld.param.u32 %n, [n];\nmov.u32 %t, %tid.x;\n"
         "shl.b32 %own, %t, 2;\nadd.s32 %own, %out, %own;\n" +
         body + "\nret;\n}\n";
}

std::vector<uint32_t> results(const std::string& ptx, uint32_t threads, uint32_t n,
                              const g80::Options& options, uint32_t dynamic_shared) {
  const g80::Result compiled = g80::compile("k.ptx", ptx, options);
  std::vector<uint8_t> memory(kOut + 4 * threads);
  ptx::Grid grid;
  grid.block_x = threads;
  grid.dynamic_shared_bytes = dynamic_shared;
  const RunResult run = run_on_machine(compiled.module, "k", grid, {kOut, n}, memory);
  EXPECT_EQ(run.fault, "");
  std::vector<uint32_t> found(threads);
  std::memcpy(found.data(), &memory[kOut], 4 * threads);
  return found;
}

std::string code_of(const std::string& ptx, const g80::Options& options) {
  return gpgpu::g80::to_listing(g80::compile("k.ptx", ptx, options).module, {false, true});
}

std::string round_of(const std::string& ptx) {
  const auto words = g80::compile("k.ptx", ptx, {}).module.kernels.front().code;
  const auto lines = gpgpu::g80::disassemble(words.data(), words.size());
  uint64_t target = ~uint64_t{0};
  for (const auto& line : lines) {
    const size_t number = line.text.find("0x");
    if (line.text.rfind("BRA ", 0) != 0 || number == std::string::npos) continue;
    const uint64_t to = std::stoull(line.text.substr(number), nullptr, 16);
    if (to <= line.address) target = to;
  }
  std::string text;
  for (const auto& line : lines) text += line.address < target ? "" : line.text + '\n';
  return text;
}

size_t count(const std::string& code, const std::string& what) {
  size_t found = 0;
  for (size_t at = code.find(what); at != std::string::npos; at = code.find(what, at + 1)) ++found;
  return found;
}

std::string error_of(const std::string& ptx, const g80::Options& options) {
  try {
    g80::compile("k.ptx", ptx, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "";
}

std::string hungry_body() {
  std::string body;
  for (int i = 0; i < 30; ++i) {
    body += "mad.lo.s32 %r" + std::to_string(i) + ", %t, " + std::to_string(i * 77777) + ", " +
            std::to_string(i) + ";\n";
  }
  body += "bar.sync 0; mov.u32 %r40, 0;\n";
  for (int i = 0; i < 30; ++i) {
    body += "xor.b32 %r40, %r40, %r" + std::to_string(i) + "; mul.lo.s32 %r40, %r40, 3;\n";
  }
  return body + "st.global.u32 [%own], %r40;";
}

}  // namespace gvp::kcc
