// SPDX-License-Identifier: Apache-2.0
// Calls of functions that stay functions, and the begin and end of these.
#include <algorithm>

#include "tools/kcc/g80/lowering.h"

namespace gvp::kcc::g80 {

// Copied, so that what is kept longer may go to local memory.
void Lowering::take_parameters() {
  kernel_.function = true;
  block_ = 0;
  current_ = &function_.body.front();
  for (const ptx::Operand& parameter : function_.parameters) {
    const uint32_t v = kernel_.new_register();
    kernel_.parameters.push_back(v);
    move(general(parameter.index), reg(v));
  }
}

void Lowering::give_results(const ptx::Instruction& ret) {
  std::vector<uint32_t> values;
  for (const ptx::Operand& result : ret.call_arguments)
    values.push_back(in_register(source(result)).reg);
  emit(Op::kReturn, Type::kNone, kNoRegister, {}).arguments = std::move(values);
}

void Lowering::call(const ptx::Instruction& in) {
  const auto found = std::find_if(kernel_.callees.begin(), kernel_.callees.end(),
                                  [&](const Callee& callee) { return callee.name == in.callee; });
  const Callee& callee = *found;  // it comes before
  std::vector<uint32_t> arguments;
  for (size_t i = 0; i < in.call_arguments.size(); ++i) {
    if (callee.parameters[i] == kNoRegister) continue;
    arguments.push_back(in_register(source(in.call_arguments[i])).reg);
  }
  if (callee.reads_thread_index) arguments.push_back(kThreadIndex);
  std::vector<uint32_t> results;
  for (size_t i = 0; i < in.call_results.size(); ++i) results.push_back(temporary());
  Instruction& out = emit(Op::kCall, Type::kNone, kNoRegister, {});
  out.callee = static_cast<uint32_t>(found - kernel_.callees.begin());
  out.arguments = std::move(arguments);
  out.results = results;
  for (size_t i = 0; i < results.size(); ++i)
    move(general(in.call_results[i].index), reg(results[i]));
  kernel_.barriers = std::max(kernel_.barriers, callee.barriers);
}

}  // namespace gvp::kcc::g80
