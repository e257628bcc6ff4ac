// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-trim/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "models/gpgpu/southern_islands/codec.h"
#include "models/gpgpu/southern_islands/disassembler.h"
#include "models/gpgpu/southern_islands/operations.h"
#include "tools/gvp-trim/figure6.h"

namespace gvp::trim {

using namespace gpgpu::southern_islands;

namespace {

struct UnitName {
  Unit unit;
  const char* name;
};
constexpr std::array<UnitName, 5> kUnits = {{{Unit::kScalar, "scalar"},
                                             {Unit::kInteger, "vector integer"},
                                             {Unit::kFloat, "vector float"},
                                             {Unit::kMemory, "load and store"},
                                             {Unit::kIssue, "issue"}}};

std::vector<std::pair<const char*, bool>> parts_of(const Needs& needs) {
  return {{"integer multiplier", needs.integer_multiplier}, {"float adder", needs.float_adder},
          {"float multiplier", needs.float_multiplier},     {"float divider", needs.float_divider},
          {"float converter", needs.float_converter},       {"local data share", needs.share}};
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
  return text.empty() ? "none" : text;
}

std::string upper(std::string text) {
  for (char& each : text) each = static_cast<char>(std::toupper(static_cast<unsigned char>(each)));
  return text;
}

// As CodeXL names them.
const char* functional_unit(const Instruction& instruction, const OperationInfo& row) {
  switch (row.format) {
    case Format::kSmrd:
      return "Scalar Memory";
    case Format::kMubuf:
    case Format::kMtbuf:
      return "Vector Memory";
    case Format::kDs:
      return "LDS";
    case Format::kSopp:
      return row.is(Trait::kTarget) ? "Branch" : "Flow Control";
    default:
      return row.is_vector() || instruction.vop3 ? "Vector ALU" : "Scalar ALU";
  }
}

}  // namespace

std::string report(const Needs& needs, bool with_fits) {
  std::string text = "unit            used  MIAOW2.0  instructions\n";
  for (const auto& [unit, name] : kUnits) {
    std::vector<std::string> names;
    for (const auto& [key, entry] : needs.entries)
      if (entry.unit == unit) names.push_back(key);
    text +=
        fmt::format("{:15} {:4}  {:8}  {}\n", name, names.size(), rtl_count(unit), joined(names));
  }
  std::vector<std::string> beyond;
  for (const auto& [key, entry] : needs.entries)
    if (!entry.in_rtl) beyond.push_back(key);
  text += fmt::format("not in the published RTL: {}\n", joined(beyond));
  text += fmt::format("formats: {}\n", joined({needs.formats.begin(), needs.formats.end()}));
  std::vector<std::string> present;
  std::vector<std::string> absent;
  for (const auto& [name, is_needed] : parts_of(needs))
    (is_needed ? present : absent).emplace_back(name);
  text += fmt::format("parts needed: {}\nparts not needed: {}\n", joined(present), joined(absent));
  text += fmt::format("registers: {} scalar, {} vector\n", needs.scalar_registers,
                      needs.vector_registers);

  const Features features = features_of(needs);
  const Estimates e = estimate(features);
  const Fit fit = what_fits(features);
  text += fmt::format(
      "\nestimates, from a fit to Fig. 6 of the paper (standard deviation of the fit):\n"
      "  saved of MIAOW2.0 with prefetch memory: {:.0f} % of flip-flops ({:.0f}), {:.0f} % of LUTs "
      "({:.0f}),\n"
      "  {:.0f} % of DSP48 ({:.0f}), {:.0f} % of block RAMs ({:.0f})\n"
      "  dynamic power: {:.2f} W ({:.2f}) of {:.2f} W\n",
      e.flip_flops.value, e.flip_flops.deviation, e.tables.value, e.tables.deviation,
      e.multipliers.value, e.multipliers.deviation, e.memories.value, e.memories.deviation,
      e.dynamic_watts.value, e.dynamic_watts.deviation, kBaselineDynamicWatts);
  text += fmt::format(
      "  on its device fit {} compute units, or one with {} integer and {} float units\n",
      fit.compute_units, fit.integer_units, fit.float_units);
  for (const std::string& problem : needs.problems) text += "warning: " + problem + '\n';
  if (!with_fits) return text;
  const auto [least, most] = capacity();
  text +=
      "\nthe fit (s, i: instructions of the scalar and integer units; f: float unit, p: it "
      "multiplies or divides):\n";
  for (const std::string& line : fits_in_words()) text += "  " + line + '\n';
  text += fmt::format("  the device has the LUTs of {:.2f} to {:.2f} untrimmed compute units\n",
                      least, most);
  return text;
}

std::string to_json(const Needs& needs) {
  nlohmann::ordered_json json;
  for (const auto& [unit, name] : kUnits)
    json["units"][name] = {{"used", needs.count(unit)}, {"rtl", rtl_count(unit)}};
  for (const auto& [key, entry] : needs.entries)
    json["instructions"].push_back({{"name", key},
                                    {"format", entry.format},
                                    {"opcode", entry.opcode},
                                    {"in_rtl", entry.in_rtl},
                                    {"places", entry.places},
                                    {"executed", entry.executed}});
  json["formats"] = needs.formats;
  for (const auto& [name, is_needed] : parts_of(needs)) json["parts"][name] = is_needed;
  json["registers"] = {{"scalar", needs.scalar_registers}, {"vector", needs.vector_registers}};
  const Features features = features_of(needs);
  const Estimates e = estimate(features);
  const auto both = [](const Estimate& each) {
    return nlohmann::ordered_json{{"value", each.value}, {"standard_deviation", each.deviation}};
  };
  json["estimates"] = {{"flip_flops_saved_percent", both(e.flip_flops)},
                       {"luts_saved_percent", both(e.tables)},
                       {"dsp48_saved_percent", both(e.multipliers)},
                       {"block_rams_saved_percent", both(e.memories)},
                       {"dynamic_watts", both(e.dynamic_watts)}};
  const Fit fit = what_fits(features);
  json["fits"] = {{"compute_units", fit.compute_units},
                  {"integer_units", fit.integer_units},
                  {"float_units", fit.float_units}};
  json["problems"] = needs.problems;
  return json.dump(2) + "\n";
}

std::string to_instruction_list(const Needs& needs) {
  return "# Written by gvp-trim.  What is not here faults when it is executed.\n" +
         needs.list.text();
}

std::string to_listing_file(const Needs& needs) {
  std::string text = "Address,Opcode,Operands,Cycles,Functional Unit,Hex\n";
  uint32_t address = 0;
  for (const Instruction& instruction : needs.instructions) {
    const OperationInfo& row = info(instruction.operation);
    const Encoded encoded = encode(instruction);
    const std::string whole = gpgpu::southern_islands::to_text(instruction);
    const std::size_t space = whole.find(' ');
    std::string operands = space == std::string::npos ? "" : whole.substr(space + 1);
    std::replace(operands.begin(), operands.end(), ',', ';');
    std::string words;
    for (unsigned i = 0; i < encoded.count; ++i)
      words += fmt::format("{}{:08X}", i == 0 ? "" : " ", encoded.words[i]);
    text += fmt::format("0x{:06X},{},{},4,{},{}\n", address, upper(std::string(row.mnemonic)),
                        operands, functional_unit(instruction, row), words);
    address += 4 * encoded.count;
  }
  return text;
}

}  // namespace gvp::trim
