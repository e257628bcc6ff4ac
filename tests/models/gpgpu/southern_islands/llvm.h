// SPDX-License-Identifier: Apache-2.0
// LLVM's assembler for tahiti: the other opinion about every encoding.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gvp::test {

struct LlvmLine {
  std::string text;             // as llvm-mc prints the instruction, "" for what it refuses
  std::vector<uint32_t> words;  // what it encodes
};

// One instruction per line; as many results.
std::vector<LlvmLine> assemble_with_llvm(const std::vector<std::string>& instructions);

// What a program prints.
std::string output_of(const std::string& command);

}  // namespace gvp::test
