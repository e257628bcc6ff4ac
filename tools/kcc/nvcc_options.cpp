// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/nvcc_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string_view>

#include "models/base/error.h"

namespace gvp::kcc {
namespace {

class Translation {
 public:
  explicit Translation(const std::vector<std::string>& words) : words_(words) {}

  NvccOptions run() {
    for (at_ = 0; at_ < words_.size(); ++at_) option();
    return std::move(result_);
  }

 private:
  void option() {
    const std::string& word = words_[at_];
    if (word == "-lineinfo") return add("--lineinfo");
    if (word == "-use_fast_math" || word == "--use_fast_math") return add("--use-fast-math");
    if (word == "-cubin" || word == "--cubin") return add("--emit", "cubin");
    if (word == "-ptx" || word == "--ptx") return add("--emit", "ptx-file");
    if (word == "-m32") return;  // addresses have 32 bits anyway
    if (word == "-m64")
      throw bad_input("-m64: addresses have 32 bits on this machine", {}, "leave it out");
    for (const std::string option : {"-odir", "-optf"})
      if (word == option || word.rfind(option + "=", 0) == 0)  // or it would be -o with a name
        throw bad_input(option + " has no meaning here", {},
                        "-o FILE names what is written, and options stand on the command line");
    if (const auto value = value_of({"-maxrregcount", "--maxrregcount"}); !value.empty())
      return add("--max-registers", value);
    if (const auto value = value_of(
            {"-arch", "--gpu-architecture", "-code", "--gpu-code", "-gencode", "--generate-code"});
        !value.empty())
      return targets(value);
    if (const auto value = value_of({"-isystem", "--system-include", "--include-path"});
        !value.empty())
      return add("--include", value);
    if (const auto value = value_of({"--define-macro"}); !value.empty())
      return add("--define", value);
    if (const auto value = value_of({"--undefine-macro"}); !value.empty())
      return add("--undefine", value);
    if (const auto value = value_of({"-Xptxas", "--ptxas-options"}); !value.empty())
      return assembler_options(value);
    if (const auto value = value_of({"-x", "--x"}); !value.empty()) return language(value);
    if (const auto value = value_of({"-include", "--pre-include"}); !value.empty())
      return add("--pre-include", value);
    result_.words.push_back(word);
  }

  void add(const std::string& word) { result_.words.push_back(word); }
  void add(const std::string& word, const std::string& value) {
    add(word);
    add(value);
  }

  // Of "NAME VALUE" or "NAME=VALUE"; empty if the word is neither.
  std::string value_of(std::initializer_list<std::string_view> names) {
    const std::string& word = words_[at_];
    for (const std::string_view name : names) {
      if (word == name) {
        if (at_ + 1 == words_.size() || words_[at_ + 1].empty())
          throw bad_input(word + " needs a value", {}, word + " VALUE");
        return words_[++at_];
      }
      if (word.size() > name.size() + 1 && word.compare(0, name.size(), name) == 0 &&
          word[name.size()] == '=')
        return word.substr(name.size() + 1);
    }
    return "";
  }

  void language(const std::string& name) {
    if (name != "cu") throw bad_input("-x " + name + " has no meaning here", {}, "-x cu has");
    result_.cuda = true;
  }

  // "sm_13", "compute_10"
  void target(const std::string& name) {
    size_t digits = std::string::npos;
    for (const std::string_view prefix : {"sm_", "compute_"})
      if (name.compare(0, prefix.size(), prefix) == 0) digits = prefix.size();
    const bool number = digits < name.size() && name.size() <= digits + 3 &&
                        name.find_first_not_of("0123456789", digits) == std::string::npos;
    if (!number)
      throw bad_input("\"" + name + "\" names no architecture", {}, "write sm_10 or compute_10");
    result_.targets.push_back(name);
  }

  // "sm_10", "sm_10,compute_10", "arch=compute_10,code=sm_10", "code=[sm_10,compute_10]"
  void targets(const std::string& list) {
    std::string names = list;
    for (char& c : names)
      if (c == '[' || c == ']' || c == ',' || c == '\\' || c == '"') c = ' ';
    for (const std::string_view key : {"arch=", "code="}) {
      const size_t at = names.find(key);
      if (at != std::string::npos) names.replace(at, key.size(), " ");
    }
    std::istringstream words(names);
    const std::vector<std::string> named{std::istream_iterator<std::string>(words), {}};
    if (named.empty()) target(list);  // which names none
    for (const std::string& each : named) target(each);
  }

  void assembler_options(const std::string& list) {
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) {
      constexpr std::string_view kRegisters = "-maxrregcount=";
      if (word == "-v" || word == "--verbose") {
        add("-v");
      } else if (word.compare(0, kRegisters.size(), kRegisters) == 0) {
        add("--max-registers", word.substr(kRegisters.size()));
      } else {
        throw bad_input("--ptxas-options: \"" + word + "\" has no meaning here", {},
                        "-v and -maxrregcount=N have");
      }
    }
  }

  const std::vector<std::string>& words_;
  NvccOptions result_;
  size_t at_ = 0;
};

}  // namespace

NvccOptions from_nvcc(const std::vector<std::string>& words) { return Translation(words).run(); }

std::string target_warning(const std::vector<std::string>& targets, bool device_extensions) {
  // With extensions a device has all that 1.1 and 1.2 have, as far as kernels see it.
  std::vector<std::string_view> met{"10"};
  if (device_extensions) met = {"10", "11", "12"};
  for (const std::string& target : targets) {
    const std::string_view number = std::string_view(target).substr(target.find('_') + 1);
    if (std::find(met.begin(), met.end(), number) != met.end()) continue;
    return fmt::format(
        "the code is for sm_10{}, not for {}: __CUDA_ARCH__ is {} unless -D__CUDA_ARCH__=N says "
        "otherwise{}",
        device_extensions ? " with device extensions" : "", target, device_extensions ? 120 : 100,
        device_extensions ? "" : ", and atomic operations and votes need --device-extensions");
  }
  return "";
}

}  // namespace gvp::kcc
