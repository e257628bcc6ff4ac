// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/kernel_compiler.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "models/base/error.h"
#include "tools/kcc/g80/allocate.h"
#include "tools/kcc/g80/calls.h"
#include "tools/kcc/g80/common_arms.h"
#include "tools/kcc/g80/doubles.h"
#include "tools/kcc/g80/emit.h"
#include "tools/kcc/g80/empty_blocks.h"
#include "tools/kcc/g80/equal_copies.h"
#include "tools/kcc/g80/equal_fetches.h"
#include "tools/kcc/g80/flow.h"
#include "tools/kcc/g80/invariant_comparisons.h"
#include "tools/kcc/g80/layout.h"
#include "tools/kcc/g80/legalise.h"
#include "tools/kcc/g80/lowering.h"
#include "tools/kcc/g80/one_sided.h"
#include "tools/kcc/g80/optimise.h"
#include "tools/kcc/g80/refusals.h"
#include "tools/kcc/g80/shifted_comparisons.h"
#include "tools/kcc/g80/sm_limits.h"
#include "tools/kcc/g80/split_conditions.h"
#include "tools/kcc/g80/tested_results.h"
#include "tools/kcc/g80/undefined.h"
#include "tools/kcc/g80/wrapped_sums.h"
#include "tools/ptx/generic.h"
#include "tools/ptx/inline.h"
#include "tools/ptx/narrow.h"
#include "tools/ptx/shared_atomics.h"
#include "tools/ptx/shown_names.h"
#include "tools/ptx/split.h"

namespace gvp::kcc::g80 {
namespace {

constexpr unsigned kMostAttempts = 20;
// Registers with which 16 of the thesis's 24 warps fit an SM of 8192.
constexpr uint32_t kComfortable = 16;
// With fewer there is no room to fetch operands and compute addresses.
constexpr uint32_t kFewestRegisters = 8;
// Those that an instruction can name a half of are fewer.
constexpr uint32_t kMostRegisters = 64;
// Of a function that is called: the rest, at most, are parameters.
constexpr uint32_t kFewestForCode = 4;
constexpr uint32_t kPartForParameters = 3;
// Registers whose halves every form of an instruction can name.
constexpr uint32_t kHalfRegisters = 32;

uint32_t count_instructions(const ptx::Function& function) {
  return static_cast<uint32_t>(
      std::count_if(function.body.begin(), function.body.end(),
                    [](const ptx::Instruction& i) { return i.opcode != ptx::Opcode::kLabel; }));
}

ptx::MissingBody explain_missing(const std::string& function) {
  const Refusal* refusal = refusal_of(function);
  return refusal == nullptr ? ptx::MissingBody{} : ptx::MissingBody{refusal->what, refusal->remedy};
}

class KernelCompiler {
 public:
  KernelCompiler(ptx::Module& module, const ptx::Function& entry, const Options& options,
                 const ptx::KeptFunctions& kept)
      : module_(module), options_(options), limit_(register_limit(entry, options)) {
    ptx::CallOptions calls;
    calls.kept = ptx::kept_functions(module, entry, kept);
    calls.most_words = (limit_ - kFewestForCode) / kPartForParameters;
    calls.explain = explain_missing;
    functions_ = ptx::inline_calls(module, entry, calls);
    for (const ptx::Function& each : functions_)
      report_.ptx_instructions += count_instructions(each);  // with those of what is called
    ptx::Function& kernel = functions_.back();
    if (options.generated && demote_own_memory(module, kernel)) {
      calls.kept.clear();
      kernel = std::move(ptx::inline_calls(module, kernel, calls).front());
    }
    for (ptx::Function& each : functions_) {
      refuse_types(each);
      if (module.wide_addresses) {
        ptx::narrow_addresses(module, each);
      } else {
        ptx::split_wide(module, each);
      }
    }
    ptx::resolve_generic(module, functions_);
    if (options.device_extensions)
      for (ptx::Function& each : functions_) ptx::expand_shared_atomics(each);
    layout_ = lay_out(module, functions_);
    report_.name = entry.name;
  }

  CompiledKernel run() {
    std::vector<Placed> done;
    for (const ptx::Function& each : functions_) {
      Placed placed = compile(each);
      literals_ = placed.code.literals;
      local_end_[each.name] = placed.code.local_bytes;
      if (!each.entry) callees_.push_back(describe_called(placed.code, placed.numbers));
      done.push_back(std::move(placed));
    }
    Placed kernel = std::move(done.back());
    done.pop_back();
    const uint32_t entries = stack_entries(kernel.code);
    const bool has_calls = !done.empty();
    if (has_calls) append_functions(kernel, std::move(done));
    if (options_.optimise > 0) remove_empty_blocks(kernel.code, kernel.numbers);
    CompiledKernel result;
    result.kernel = finish(kernel);
    result.report = report_;
    result.stack_entries = entries;
    result.has_calls = has_calls;
    return result;
  }

 private:
  Placed compile(const ptx::Function& function) {
    const Layout layout =
        lay_out_local(module_, function, layout_, frames_below(function), passed_);
    // Predicates that find no flags register move to general registers, one round after another.
    std::set<uint32_t> in_general;
    bool many_registers = false;
    for (unsigned attempt = 0; attempt < kMostAttempts; ++attempt) {
      Kernel kernel = Lowering(module_, function, layout, in_general, many_registers,
                               options_.device_extensions)
                          .run(callees_, literals_);
      transform(kernel);
      const Registers registers =
          allocate_registers(kernel, limit_, options_.optimise > 0 ? kComfortable : kNoRegister);
      if (registers.predicates.empty()) {
        if (many_registers || registers.count <= kHalfRegisters ||
            all_encodable(kernel, registers.number)) {
          report_.spilled += registers.spilled;
          report_.registers = std::max(report_.registers, registers.count);
          return {std::move(kernel), registers.number};
        }
        many_registers = true;
      }
      in_general.insert(registers.predicates.begin(), registers.predicates.end());
    }
    throw bad_input(
        "kernel \"" + ptx::readable_name(report_.name) + "\" has too many predicates at a time",
        {module_.source.name()}, "split it");
  }

  // Local memory of a function lies behind that of all that it calls.
  uint32_t frames_below(const ptx::Function& function) const {
    uint32_t end = 0;
    for (const ptx::Instruction& instruction : function.body)
      if (instruction.opcode == ptx::Opcode::kCall)
        end = std::max(end, local_end_.at(instruction.callee));
    return end;
  }

  // Before anything else is said about code that no change to it would save.
  void refuse_types(const ptx::Function& function) const {
    for (const ptx::Instruction& instruction : function.body) {
      for (const ptx::Type type : {instruction.type, instruction.source_type}) {
        if (type == ptx::Type::kF64) {
          ptx::fail(module_, instruction, "double precision is not supported on sm_10",
                    options_.generated
                        ? "in memory that the host shares: use float, or compile with "
                          "--demote-double-arrays, which converts in loads and stores"
                        : "use float, and constants like 1.0f");
        }
        if (type == ptx::Type::kF16) {
          ptx::fail(module_, instruction, "half precision is not supported on sm_10", "use float");
        }
      }
    }
  }

  // As many as the options allow, and as __launch_bounds__ asks for: registers are given to whole
  // warps.  Where nobody says how many threads a block has, it may be the largest.
  static uint32_t register_limit(const ptx::Function& entry, const Options& options) {
    const bool said = options.max_registers != 0;
    if (entry.most_threads == 0)
      return said ? options.max_registers : kSmRegisters / kThreadsPerBlock;
    const uint32_t lanes = (entry.most_threads + 31) / 32 * 32;
    const uint32_t blocks = std::max(entry.least_blocks, 1U);
    const uint32_t fitting = kSmRegisters / std::min(lanes * blocks, kSmRegisters);
    return std::max(std::min(said ? options.max_registers : kMostRegisters, fitting),
                    kFewestRegisters);
  }

  void transform(Kernel& kernel) const {
    if (options_.generated) define_as_zero(kernel);
    simplify_flow(kernel);
    if (options_.optimise > 0) {
      fetch_where_used(kernel);
      optimise(kernel);
      copy_what_is_equal(kernel);
      compare_shifted(kernel);
      compare_wrapped(kernel);
      simplify_flow(kernel);
      compute_before_branches(kernel);
      test_results(kernel);
      compare_before_loops(kernel);
      test_results(kernel);
      convert_branches(kernel);
      optimise(kernel);
      split_conditions(kernel);
      compute_behind_branches(kernel);
      simplify_flow(kernel);
    } else {
      remove_dead_code(kernel);
    }
    unify_ways_back(kernel);
    give_own_ends(kernel);
    synchronise(kernel);
    let_leaving_threads_go_first(kernel);
    assign_address_registers(kernel, options_.optimise > 0);
    legalise(kernel, options_.optimise > 0);
    bind_calls(kernel);
  }

  isa::Kernel finish(const Placed& placed) {
    const Kernel& kernel = placed.code;
    const Code code = emit_code(kernel, placed.numbers, options_.optimise > 0);
    isa::Kernel out;
    out.name = kernel.name;
    out.registers = report_.registers;
    out.shared_bytes = kernel.shared_bytes;
    out.local_bytes = kernel.local_bytes;
    out.barriers = kernel.barriers;
    out.parameter_bytes = kernel.parameter_bytes;
    out.code = code.words;
    if (options_.lines) add_lines(code, out.lines);
    if (!kernel.literals.empty()) {
      const auto bytes = static_cast<uint32_t>(4 * kernel.literals.size());
      out.constants.push_back({"", 1, 0, bytes, kernel.literals});
    }
    report_.instructions = code.instructions;
    report_.short_instructions = code.short_instructions;
    report_.shared_bytes = kernel.shared_bytes;
    report_.local_bytes = kernel.local_bytes;
    report_.parameter_bytes = kernel.parameter_bytes;
    report_.constant_bytes = static_cast<uint32_t>(4 * kernel.literals.size());
    return out;
  }

  void add_lines(const Code& code, gpgpu::LineTable& lines) const {
    for (const CodeLine& each : code.lines) {
      const auto file = module_.files.find(each.source.file);
      const bool of_ptx = each.source.file == 0 && !options_.generated;
      if (file == module_.files.end() && !of_ptx) continue;
      const std::string name = of_ptx ? module_.source.name() : file->second;
      lines.add(each.address, lines.file(ptx::shown_file(name)), each.source.line);
    }
  }

  const ptx::Module& module_;
  const Options& options_;
  uint32_t limit_;
  std::vector<ptx::Function> functions_;  // each behind those that it calls; the kernel last
  Layout layout_;                         // all but local memory
  std::map<uint32_t, uint32_t> passed_;   // addresses of parameters in local memory, by symbol
  std::map<std::string, uint32_t> local_end_;
  std::vector<Callee> callees_;
  std::vector<uint32_t> literals_;
  KernelReport report_;
};

}  // namespace

CompiledKernel compile_kernel(ptx::Module& module, const ptx::Function& entry,
                              const Options& options, const ptx::KeptFunctions& kept) {
  return KernelCompiler(module, entry, options, kept).run();
}

}  // namespace gvp::kcc::g80
