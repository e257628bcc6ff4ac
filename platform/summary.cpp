// SPDX-License-Identifier: Apache-2.0
#include "platform/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/tlm/clock.h"
#include "platform/time_text.h"

namespace gvp::platform {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostKernels = 40;  // lines of the kernel table; the JSON has them all

struct Style {
  const char* good;
  const char* bad;
  const char* dim;
  const char* plain;
};
constexpr Style kColoured = {"\x1b[32m", "\x1b[31m", "\x1b[2m", "\x1b[0m"};
constexpr Style kPlain = {"", "", "", ""};

double number(const Json& json, const char* key) {
  return json.contains(key) && json[key].is_number() ? json[key].get<double>() : 0;
}

std::string text_or(const Json& json, const char* key, const char* otherwise) {
  if (!json.contains(key)) return otherwise;
  if (json[key].is_string()) return json[key].get<std::string>();
  if (!json[key].is_array()) return json[key].dump();
  std::string text;  // a grid or block: 16x16x1
  for (const Json& part : json[key]) text += (text.empty() ? "" : "x") + part.dump();
  return text;
}

std::string ending(const Json& statistics, const Outcome& outcome, const Style& style) {
  const std::string simulated =
      time_text(static_cast<uint64_t>(number(statistics, "sim_time_ns") * 1e3));
  const bool good = outcome.end == End::kExit && outcome.exit_code == 0;
  std::string text = fmt::format("{}gpgpu-vp: ", good ? style.good : style.bad);
  text += outcome.end == End::kExit
              ? fmt::format("firmware exit code {}", outcome.exit_code)
              : fmt::format("{}, exit code {}", to_string(outcome.end), outcome.exit_code);
  return text + fmt::format("{}, {} simulated in {:.2f} s\n", style.plain, simulated,
                            number(statistics, "wall_s"));
}

// Each block's line begins with the name of its device.
std::string host_line(const std::string& name, const Json& host) {
  return fmt::format("  {:<6} {} instructions, {} cycles, {:.1f} MIPS\n", name,
                     count_text(number(host, "instructions")), count_text(number(host, "cycles")),
                     number(host, "mips"));
}

// Why a kernel did not run to its end; empty if it did.
std::string trouble(const Json& kernel) {
  if (number(kernel, "cause") == 0) return "";
  return number(kernel, "warp_instructions") == 0 ? "refused" : "stopped";
}

// The columns behind the name: 62 characters, so that a table with short names fits 80.
constexpr size_t kFigures = 62;

// A name too long for its column has a line of its own.
std::string name_cell(const std::string& name, size_t width) {
  if (name.size() <= width) return fmt::format("  {:<{}}", name, width);
  return fmt::format("  {}\n  {:<{}}", name, "", width);
}

std::string kernel_row(const Json& kernel, size_t name_width, const kit::Clock& clock,
                       const Style& style) {
  const double cycles = number(kernel, "cycles");
  const double threads = number(kernel, "thread_instructions");
  const std::string ending = trouble(kernel);
  const std::string last = ending.empty()
                               ? fmt::format("{:>8.3g}", number(kernel, "energy_mj"))
                               : fmt::format("{}{:>8}{}", style.bad, ending, style.plain);
  return name_cell(text_or(kernel, "name", "?"), name_width) +
         fmt::format(" {:>7} {:>8} {:>10} {:>8} {:>9} {:>5.2f} {}\n", text_or(kernel, "grid", "?"),
                     text_or(kernel, "block", "?"), static_cast<uint64_t>(cycles),
                     time_text(clock.ps(static_cast<uint64_t>(cycles))), count_text(threads),
                     cycles > 0 ? threads / cycles : 0.0, last);
}

// The launches that are not in the list one by one.
std::string further_kernels(const Json& gpgpu) {
  double launches = 0;
  if (gpgpu.contains("further_kernels"))
    for (const Json& kernel : gpgpu["further_kernels"]) launches += number(kernel, "launches");
  const size_t listed = gpgpu["kernels"].size();
  if (listed <= kMostKernels) return "";
  return fmt::format("  ... {:.0f} kernels in all\n", static_cast<double>(listed) + launches);
}

std::string kernel_table(const std::string& name, const Json& gpgpu, const kit::Clock& clock,
                         const Style& style, size_t columns) {
  const Json& kernels = gpgpu["kernels"];
  if (kernels.empty()) return fmt::format("  {:<6} no kernels\n", name);
  const size_t room = std::max(columns, 2 + 16 + kFigures) - 2 - kFigures;
  size_t name_width = 16;
  for (const Json& kernel : kernels)
    name_width = std::max(name_width, std::min(room, text_or(kernel, "name", "?").size()));
  std::string text = fmt::format("{}  {:<{}} {:>7} {:>8} {:>10} {:>8} {:>9} {:>5} {:>8}{}\n",
                                 style.dim, "kernel", name_width, "grid", "block", "cycles", "time",
                                 "thr.instr", "IPC", "mJ", style.plain);
  for (size_t i = 0; i < std::min(kernels.size(), kMostKernels); ++i)
    text += kernel_row(kernels[i], name_width, clock, style);
  return text + further_kernels(gpgpu);
}

// The device that the kernels ran on, as an FPGA.
std::string estimates_lines(const std::string& name, const Json& gpgpu, const Style& style) {
  if (!gpgpu.contains("estimates") || gpgpu["kernels"].empty()) return "";
  const Json& estimates = gpgpu["estimates"];
  std::string text = fmt::format(
      "  {:<6} {:.2f} W dynamic, {:.2f} W static{}\n"
      "         {:.0f} LUTs, {:.0f} block RAMs, {:.0f} DSPs\n",
      name, number(estimates, "dynamic_w"), number(estimates, "static_w"),
      estimates.value("extrapolated", false) ? " (extrapolated)" : "", number(estimates, "luts"),
      number(estimates, "block_rams"), number(estimates, "dsps"));
  if (estimates.contains("exceeds_fpga"))
    for (const Json& resource : estimates["exceeds_fpga"])
      text += fmt::format("         {}too large: {}{}\n", style.bad, resource.get<std::string>(),
                          style.plain);
  return text;
}

std::string memory_line(const std::string& name, const Json& ddr3) {
  const double reads = number(ddr3, "reads");
  const double writes = number(ddr3, "writes");
  if (reads + writes == 0) return "";
  return fmt::format("  {:<6} {} reads, {} writes, {}\n", name, count_text(reads),
                     count_text(writes), bytes_text(static_cast<uint64_t>(number(ddr3, "bytes"))));
}

std::string rtl_line(const std::string& name, const Json& rtl) {
  return fmt::format("  {:<6} {} as RTL, {} cycles of {}, {} cycles/s\n", name,
                     text_or(rtl, "block", "?"), count_text(number(rtl, "evaluated_cycles")),
                     count_text(number(rtl, "cycles")),
                     count_text(number(rtl, "cycles_per_second")));
}

}  // namespace

std::string summary_text(const Json& statistics, const Outcome& outcome, bool colours,
                         size_t columns) {
  const Style& style = colours ? kColoured : kPlain;
  std::string text = ending(statistics, outcome, style);
  const Json& configuration = statistics["config"];
  for (const auto& [name, block] : statistics.items()) {
    if (!block.is_object() || name == "config" || name == "wall") continue;
    if (block.contains("mips")) text += host_line(name, block);
    if (block.contains("kernels")) {
      const kit::Clock clock(number(configuration[name], "clock_hz"), "the GPGPU's clock");
      text +=
          kernel_table(name, block, clock, style, columns) + estimates_lines(name, block, style);
    }
    if (block.contains("rtl")) text += rtl_line(name, block["rtl"]);
    if (block.contains("reads") && block.contains("bytes")) text += memory_line(name, block);
  }
  return text;
}

}  // namespace gvp::platform
