// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/call_signature.h"

#include <algorithm>

namespace gvp::ptx {

const Signature& Signatures::of(const Function& function) {
  const auto found = known_.find(function.name);
  if (found != known_.end()) return found->second;
  Signature signature;
  uint32_t words_left = options_.most_words;
  for (const Operand& formal : function.parameters)
    signature.parameters.push_back(passing(function, formal, words_left));
  words_left = options_.most_words;
  for (const Operand& formal : function.results)
    signature.results.push_back(passing(function, formal, words_left));
  return known_[function.name] = std::move(signature);
}

Passing Signatures::passing(const Function& function, const Operand& formal, uint32_t& words_left) {
  Passing result;
  const bool in_register = formal.is_register();
  const Type type =
      in_register ? function.registers[formal.index].type : module_.symbols[formal.index].type;
  result.bytes = in_register ? bytes(type) : module_.symbols[formal.index].size;
  const bool address =
      module_.wide_addresses && is_integer(type) && bytes(type) == 8 && result.bytes == 8;
  result.words = address ? 1 : static_cast<uint32_t>((result.bytes + 3) / 4);
  if (address) result.type = Type::kB64;
  if (type == Type::kF32) result.type = Type::kF32;
  // A register's place is a register.
  if (in_register) {
    words_left -= std::min(words_left, result.words);
    return result;
  }
  if (result.words <= words_left) {
    words_left -= result.words;
    return result;
  }
  const Symbol& parameter = module_.symbols[formal.index];
  Symbol variable;
  variable.name = parameter.name;
  variable.space = Space::kLocal;
  variable.type = Type::kB8;
  variable.alignment = std::max(parameter.alignment, 8U);
  variable.size = std::max<uint64_t>((parameter.size + 3) / 4 * 4, 8);
  variable.position = parameter.position;
  result.variable = static_cast<uint32_t>(module_.symbols.size());
  result.words = 0;
  module_.symbols.push_back(std::move(variable));
  return result;
}

}  // namespace gvp::ptx
