// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/compiler.h"

#include <algorithm>
#include <map>
#include <set>

#include "models/base/error.h"
#include "tools/kcc/g80/allocate.h"
#include "tools/kcc/g80/common_arms.h"
#include "tools/kcc/g80/doubles.h"
#include "tools/kcc/g80/emit.h"
#include "tools/kcc/g80/equal_copies.h"
#include "tools/kcc/g80/flow.h"
#include "tools/kcc/g80/invariant_comparisons.h"
#include "tools/kcc/g80/layout.h"
#include "tools/kcc/g80/legalise.h"
#include "tools/kcc/g80/library.h"
#include "tools/kcc/g80/lowering.h"
#include "tools/kcc/g80/optimise.h"
#include "tools/kcc/g80/refusals.h"
#include "tools/kcc/g80/shifted_comparisons.h"
#include "tools/kcc/g80/sm_limits.h"
#include "tools/kcc/g80/tested_results.h"
#include "tools/ptx/generic.h"
#include "tools/ptx/inline.h"
#include "tools/ptx/narrow.h"
#include "tools/ptx/parser.h"
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
  KernelCompiler(ptx::Module& module, const ptx::Function& entry, const Options& options)
      : module_(module),
        options_(options),
        function_(ptx::inline_calls(module, entry, explain_missing)) {
    report_.ptx_instructions = count_instructions(function_);  // with those of what it calls
    if (options.generated && demote_own_memory(module, function_))
      function_ = ptx::inline_calls(module, function_, explain_missing);
    refuse_types();
    if (module.wide_addresses) {
      ptx::narrow_addresses(module, function_);
    } else {
      ptx::split_wide(module, function_);
    }
    ptx::resolve_generic(module, function_);
    if (options.device_extensions) ptx::expand_shared_atomics(function_);
    layout_ = lay_out(module, function_);
    report_.name = entry.name;
  }

  isa::Kernel run(KernelReport& report) {
    // Predicates that find no flags register move to general registers, one round after another.
    std::set<uint32_t> in_general;
    bool many_registers = false;
    for (unsigned attempt = 0; attempt < kMostAttempts; ++attempt) {
      Kernel kernel = Lowering(module_, function_, layout_, in_general, many_registers,
                               options_.device_extensions)
                          .run();
      transform(kernel);
      const Registers registers = allocate_registers(
          kernel, register_limit(), options_.optimise > 0 ? kComfortable : kNoRegister);
      if (registers.predicates.empty()) {
        if (many_registers || registers.count <= kHalfRegisters ||
            all_encodable(kernel, registers.number))
          return finish(kernel, registers, report);
        many_registers = true;
      }
      in_general.insert(registers.predicates.begin(), registers.predicates.end());
    }
    throw bad_input(
        "kernel \"" + ptx::readable_name(report_.name) + "\" has too many predicates at a time",
        {module_.source.name()}, "split it");
  }

 private:
  // Before anything else is said about code that no change to it would save.
  void refuse_types() const {
    for (const ptx::Instruction& instruction : function_.body) {
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
  uint32_t register_limit() const {
    const bool said = options_.max_registers != 0;
    if (function_.most_threads == 0)
      return said ? options_.max_registers : kSmRegisters / kThreadsPerBlock;
    const uint32_t lanes = (function_.most_threads + 31) / 32 * 32;
    const uint32_t blocks = std::max(function_.least_blocks, 1U);
    const uint32_t fitting = kSmRegisters / std::min(lanes * blocks, kSmRegisters);
    return std::max(std::min(said ? options_.max_registers : kMostRegisters, fitting),
                    kFewestRegisters);
  }

  void transform(Kernel& kernel) const {
    simplify_flow(kernel);
    if (options_.optimise > 0) {
      optimise(kernel);
      copy_what_is_equal(kernel);
      compare_shifted(kernel);
      simplify_flow(kernel);
      compute_before_branches(kernel);
      test_results(kernel);
      compare_before_loops(kernel);
      test_results(kernel);
      convert_branches(kernel);
      optimise(kernel);
      simplify_flow(kernel);
    } else {
      remove_dead_code(kernel);
    }
    unify_ways_back(kernel);
    synchronise(kernel);
    assign_address_registers(kernel, options_.optimise > 0);
    legalise(kernel, options_.optimise > 0);
  }

  isa::Kernel finish(const Kernel& kernel, const Registers& registers, KernelReport& report) {
    const Code code = emit_code(kernel, registers.number, options_.optimise > 0);
    isa::Kernel out;
    out.name = kernel.name;
    out.registers = registers.count;
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
    report = report_;
    report.instructions = code.instructions;
    report.short_instructions = code.short_instructions;
    report.registers = registers.count;
    report.spilled = registers.spilled;
    report.shared_bytes = kernel.shared_bytes;
    report.local_bytes = kernel.local_bytes;
    report.parameter_bytes = kernel.parameter_bytes;
    report.constant_bytes = static_cast<uint32_t>(4 * kernel.literals.size());
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
  ptx::Function function_;
  Layout layout_;
  KernelReport report_;
};

// "add" for "_Z3addPii": what a launch would rather say.  Empty for anything more than a plain
// function of C++.
std::string plain_name(const std::string& name) {
  if (name.compare(0, 2, "_Z") != 0) return "";
  size_t at = name.compare(2, 1, "L") == 0 ? 3 : 2;  // L: static
  size_t length = 0;
  for (; at < name.size() && name[at] >= '0' && name[at] <= '9'; ++at) {
    length = 10 * length + static_cast<size_t>(name[at] - '0');
    if (length > name.size()) return "";
  }
  if (length == 0 || at + length > name.size()) return "";
  return name.substr(at, length);
}

// Variables of a file that are static have a name for the compiler only; the launch knows them by
// the one in the source.
void use_plain_variable_names(isa::Module& module) {
  std::map<std::string, unsigned> count;
  const auto each = [&](const auto& visit) {
    for (auto& variable : module.constants) visit(variable.name);
    for (auto& variable : module.relocations) visit(variable.name);
  };
  each([&](const std::string& name) {
    ++count[name];
    ++count[plain_name(name)];
  });
  each([&](std::string& name) {
    const std::string plain = plain_name(name);
    if (!plain.empty() && count[plain] == 1) name = plain;
  });
}

void use_plain_names(Result& result) {
  use_plain_variable_names(result.module);
  std::map<std::string, unsigned> count;
  for (const auto& kernel : result.module.kernels) {
    ++count[kernel.name];
    ++count[plain_name(kernel.name)];
  }
  for (size_t i = 0; i < result.kernels.size(); ++i) {
    const std::string plain = plain_name(result.kernels[i].name);
    if (plain.empty() || count[plain] != 1) continue;
    result.kernels[i].name = plain;
    result.module.kernels[i].name = plain;
  }
}

}  // namespace

Result compile(const std::string& file_name, const std::string& text, const Options& options) {
  ptx::Module module = ptx::parse(ptx::Source(file_name, text, options.generated));
  Result result;
  if (options.generated) result.warnings = demote_doubles(module, options.double_arrays);
  add_library(module);
  for (ptx::Function& function : module.functions) call_library(function);
  add_module_data(module, result.module);
  for (const ptx::Function& function : module.functions) {
    if (!function.entry) continue;
    try {
      KernelReport report;
      result.module.kernels.push_back(KernelCompiler(module, function, options).run(report));
      result.kernels.push_back(report);
    } catch (const Error& error) {
      if (!options.keep_going || error.code() != ExitCode::kBadInput) throw;
      result.errors.emplace_back(error.what());
    }
  }
  if (result.module.kernels.empty() && result.errors.empty()) {
    // Of a program's sources some are all the host's.
    if (!options.generated)
      throw bad_input("there is no kernel (.entry) in this file", {file_name});
    result.warnings.push_back(file_name +
                              ": warning: there is no kernel in this file (of a template there is "
                              "one where a launch in the file, or an explicit instance, asks)");
  }
  use_plain_names(result);
  return result;
}

}  // namespace gvp::kcc::g80
