// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-trim/needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "models/gpgpu/miaow/rtl_instructions.h"
#include "models/gpgpu/southern_islands/codec.h"
#include "models/gpgpu/southern_islands/operations.h"
#include "models/gpgpu/southern_islands/slots.h"

namespace gvp::trim {

using namespace gpgpu::southern_islands;

namespace {

bool begins(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}
bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

unsigned opcode_of(const Instruction& instruction, const OperationInfo& row) {
  // VOP3 has the opcodes of the short formats at these places (CLRX, GCN 1.0).
  if (!instruction.vop3) return row.opcode;
  return row.opcode + (row.format == Format::kVop2   ? 0x100u
                       : row.format == Format::kVop1 ? 0x180u
                                                     : 0u);
}

// The parts of MIAOW2.0's units that its trimming can leave out, by mnemonic, as the published tool
// does it.
void add_parts(Needs& needs, const OperationInfo& row) {
  const std::string_view name = row.mnemonic;
  if (row.unit == Unit::kInteger && (contains(name, "_mul_") || contains(name, "_mad_")))
    needs.integer_multiplier = true;
  if (row.format == Format::kDs) needs.share = true;
  if (row.unit != Unit::kFloat || row.format == Format::kVopc) return;
  const bool sum_of_product = begins(name, "v_ma") && !begins(name, "v_max");
  const bool fused = begins(name, "v_fma") || contains(name, "_fmas_");
  if (contains(name, "_cvt_")) needs.float_converter = true;
  if (contains(name, "_add_") || contains(name, "_sub") || sum_of_product || fused)
    needs.float_adder = true;
  if (contains(name, "_mul_") || sum_of_product || fused) needs.float_multiplier = true;
  for (const char* each : {"v_rcp", "v_rsq", "v_sqrt", "v_exp", "v_log", "v_sin", "v_cos", "v_div"})
    if (begins(name, each)) needs.float_divider = true;
}

void add_registers(Needs& needs, const Instruction& instruction) {
  for (const Slot& slot : slots_of(instruction)) {
    if (slot.kind == Kind::kNumber || slot.place == Place::kVcc || slot.words == 0) continue;
    const unsigned number = code_of(instruction, slot.place);
    if (number >= code::kVector0)
      needs.vector_registers =
          std::max(needs.vector_registers, number - code::kVector0 + slot.words);
    else if (number < code::kScalarRegisters)
      needs.scalar_registers = std::max(needs.scalar_registers, number + slot.words);
  }
}

void add(Needs& needs, const Instruction& instruction, uint64_t executed) {
  const OperationInfo& row = info(instruction.operation);
  Entry& entry = needs.entries[gpgpu::miaow::instruction_name(instruction)];
  entry.name = gpgpu::miaow::instruction_name(instruction);
  entry.format = name_of(instruction.vop3 ? Format::kVop3 : row.format);
  entry.opcode = opcode_of(instruction, row);
  entry.unit = row.unit;
  entry.in_rtl = gpgpu::miaow::rtl_executes(instruction);
  ++entry.places;
  entry.executed += executed;
  needs.formats.insert(entry.format);
  needs.list.add(instruction);
  needs.instructions.push_back(instruction);
  add_parts(needs, row);
  add_registers(needs, instruction);
}

// Where execution may go on: words.
std::vector<std::size_t> followers(const Instruction& instruction, std::size_t at, std::size_t next,
                                   std::size_t end) {
  const OperationInfo& row = info(instruction.operation);
  if (row.is(Trait::kEnds)) return {};
  if (row.is(Trait::kTarget)) {
    const auto target = static_cast<std::size_t>(static_cast<int64_t>(next) +
                                                 static_cast<int16_t>(instruction.immediate));
    if (instruction.operation == Operation::kSBranch) return {target};
    return {next, target};
  }
  if (row.is(Trait::kBranches)) {  // to what a register says: anywhere
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < end; ++i)
      if (i != at) all.push_back(i);
    return all;
  }
  return {next};
}

}  // namespace

unsigned Needs::count(Unit unit) const {
  return static_cast<unsigned>(std::count_if(
      entries.begin(), entries.end(), [&](const auto& each) { return each.second.unit == unit; }));
}

void add_reachable(Needs& needs, const std::vector<uint32_t>& code, uint32_t entry,
                   const std::vector<uint64_t>& executed, bool only_executed) {
  std::vector<bool> seen(code.size());
  std::vector<std::size_t> waiting{entry / 4};
  std::set<std::size_t> reached;
  while (!waiting.empty()) {
    const std::size_t at = waiting.back();
    waiting.pop_back();
    if (at >= code.size()) {
      needs.problems.push_back(fmt::format("execution can leave the code at {:#x}", 4 * at));
      continue;
    }
    if (seen[at]) continue;
    seen[at] = true;
    const Decoded decoded = decode(code.data() + at, code.size() - at);
    if (!decoded.executable()) {
      needs.problems.push_back(fmt::format("the word at {:#x}, {:#010x}, is no instruction: {}",
                                           4 * at, code[at], decoded.reason));
      continue;
    }
    reached.insert(at);
    for (const std::size_t each :
         followers(decoded.instruction, at, at + decoded.count, code.size()))
      waiting.push_back(each);
  }
  for (const std::size_t at : reached) {
    const uint64_t count = at < executed.size() ? executed[at] : 0;
    if (only_executed && count == 0) continue;
    add(needs, decode(code.data() + at, code.size() - at).instruction, count);
  }
}

unsigned rtl_count(Unit unit) {
  unsigned count = 0;
  for (const OperationInfo& row : kOperations) {
    if (row.operation == Operation::kNone || row.unit != unit) continue;
    for (const bool vop3 : {false, true}) {
      Instruction instruction;
      instruction.operation = row.operation;
      instruction.vop3 = vop3;
      if (vop3 && !row.has_long_form()) continue;
      count += gpgpu::miaow::rtl_executes(instruction) ? 1 : 0;
    }
  }
  return count;
}

}  // namespace gvp::trim
