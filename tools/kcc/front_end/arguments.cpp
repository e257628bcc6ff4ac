// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/arguments.h"

#include <string_view>

#include "models/base/error.h"

namespace gvp::kcc {
namespace {

constexpr std::string_view kDefined = "-D__CUDA_ARCH__";
constexpr const char* kForgotten = "-U__CUDA_ARCH__";

// "-D__CUDA_ARCH__=N", "-D__CUDA_ARCH__"
bool defines_architecture(const std::string& word) {
  return word.compare(0, kDefined.size(), kDefined) == 0 &&
         (word.size() == kDefined.size() || word[kDefined.size()] == '=');
}

void check_architecture(const std::string& word) {
  if (word.size() == kDefined.size()) return;  // 1, as for every macro
  const std::string_view value = std::string_view(word).substr(kDefined.size() + 1);
  if (value.empty() || value.find_first_not_of("0123456789") != std::string_view::npos)
    throw bad_input(word + ": __CUDA_ARCH__ is a number", {}, "as 120 for compute capability 1.2");
}

}  // namespace

std::vector<std::string> clang_arguments(const FrontEndOptions& options) {
  // Clang compiles for 2.0, the oldest it knows, and says so; it takes a macro for redefined
  // unless it was forgotten before.
  std::vector<std::string> words{
      kForgotten, std::string(kDefined) + (options.device_extensions ? "=120" : "=100")};
  for (const std::string& word : options.arguments) {
    if (defines_architecture(word)) {
      check_architecture(word);
      words.emplace_back(kForgotten);
    }
    words.push_back(word);
  }
  if (options.device_extensions) words.emplace_back("-DKCC_DEVICE_EXTENSIONS");
  return words;
}

}  // namespace gvp::kcc
