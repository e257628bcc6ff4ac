// SPDX-License-Identifier: Apache-2.0
// What clang makes of OpenCL C: its assembly text by our assembler against its own object code, and
// that object code through our disassembler and back.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "models/gpgpu/southern_islands/assembler.h"
#include "models/gpgpu/southern_islands/codec.h"
#include "models/gpgpu/southern_islands/disassembler.h"
#include "models/gpgpu/southern_islands/operations.h"
#include "tests/models/gpgpu/southern_islands/llvm.h"
#include "tests/support/temporary_file.h"

namespace gvp::gpgpu::southern_islands {
namespace {

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Clang : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string compile =
        std::string(
            "clang-14 -target amdgcn-- -mcpu=tahiti -nogpulib -fintegrated-as -x cl "
            "-cl-std=CL1.2 ") +
        GetParam() +
        " -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/tahiti-amdgcn--.bc -include "
        "clc/clc.h " GVP_SOURCE_DIR "/tests/data/southern_islands/kernels.cl ";
    const std::string said = test::output_of(
        compile + "-S -o " + text_.path() + " 2>&1 && " + compile + "-c -o " + object_.path() +
        " 2>&1 && llvm-objcopy-14 -O binary --only-section=.text " + object_.path() + " " +
        binary_.path() + " 2>&1");
    ASSERT_EQ(said, "");
    const std::string bytes = contents_of(binary_.path());
    words_.resize(bytes.size() / 4);
    ASSERT_GT(words_.size(), 500u);
    std::memcpy(words_.data(), bytes.data(), words_.size() * 4);
  }

  test::TemporaryFile text_{"clang.s"};
  test::TemporaryFile object_{"clang.o"};
  test::TemporaryFile binary_{"clang.bin"};
  std::vector<uint32_t> words_;
};

TEST_P(Clang, WritesTextThatAssemblesToItsOwnObjectCode) {
  const Assembly assembly = assemble(contents_of(text_.path()), "clang.s");
  ASSERT_EQ(assembly.words.size(), words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) ASSERT_EQ(assembly.words[i], words_[i]) << 4 * i;
  EXPECT_EQ(assembly.labels.size(), 11u);  // the kernels
}

TEST_P(Clang, UsesOnlyInstructionsThatWeKnow) {
  std::set<Operation> used;
  for (std::size_t at = 0; at < words_.size();) {
    const Decoded decoded = decode(words_.data() + at, words_.size() - at);
    ASSERT_EQ(decoded.status, DecodeStatus::kOk) << "at " << 4 * at << ": " << decoded.reason;
    used.insert(decoded.instruction.operation);
    at += decoded.count;
  }
  EXPECT_GT(used.size(), 60u);
  EXPECT_EQ(assemble(to_listing(words_), "listing.s").words, words_);
}

INSTANTIATE_TEST_SUITE_P(AtAnyOptimisation, Clang,
                         testing::Values("-O2 -ffp-contract=off", "-O1",
                                         "-O3 -cl-fast-relaxed-math"));

}  // namespace
}  // namespace gvp::gpgpu::southern_islands
