// SPDX-License-Identifier: Apache-2.0
// How a function that is called, and not inlined, takes its parameters and gives its results: in
// registers, a word each, as long as there are few; the others in local variables of its own, which
// there is one of, as nothing calls itself.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/ptx/inline.h"
#include "tools/ptx/module.h"

namespace gvp::ptx {

struct Passing {
  uint32_t words = 0;      // registers
  Type type = Type::kB32;  // of each; one of 64 bits where addresses have them
  uint64_t bytes = 0;
  uint32_t variable = kNoIndex;  // the local variable: there are no registers then
};

struct Signature {
  std::vector<Passing> parameters;
  std::vector<Passing> results;
};

class Signatures {
 public:
  Signatures(Module& module, const CallOptions& options) : module_(module), options_(options) {}

  bool keeps(const Function& function) const { return options_.kept.count(function.name) != 0; }
  // Of a function that is kept.
  const Signature& of(const Function& function);

 private:
  Passing passing(const Function& function, const Operand& formal, uint32_t& words_left);

  Module& module_;
  const CallOptions& options_;
  std::map<std::string, Signature> known_;
};

}  // namespace gvp::ptx
