// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/miaow_run.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstring>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/base/hex_words.h"
#include "models/base/standard_streams.h"
#include "models/gpgpu/miaow/grid/argument_segment.h"
#include "models/gpgpu/miaow/grid/checked_memory.h"
#include "models/gpgpu/miaow/grid/global_memory.h"
#include "models/gpgpu/miaow/grid/grid.h"
#include "models/gpgpu/southern_islands/assembler.h"
#include "models/gpgpu/southern_islands/code_object.h"
#include "models/gpgpu/southern_islands/operations.h"
#include "tools/console.h"
#include "tools/gpgpu-run/image.h"

namespace gvp::tools {
namespace {

using namespace gpgpu::miaow;
namespace si = gpgpu::southern_islands;

struct Kernel {
  std::vector<uint32_t> code;
  si::ObjectKernel description;
  std::vector<uint8_t> tables;
};

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Code finds the numbers of its group in s2, s3 and s4.
Kernel bare_code(const MiaowRequest& request) {
  const std::string text = read_input(request.file);
  Kernel kernel;
  std::vector<si::Label> labels;
  if (ends_with(request.file, ".hex")) {
    kernel.code = parse_hex(text, request.file);
    if (!request.kernel.empty())
      throw bad_input("words have no labels", {"--kernel " + request.kernel},
                      "give assembly, FILE.s");
  } else {
    si::Assembly assembly = si::assemble(text, request.file);
    kernel.code = std::move(assembly.words);
    labels = std::move(assembly.labels);
  }
  if (kernel.code.empty()) throw bad_input("no code", {request.file, 0, 0});
  si::ObjectKernel& description = kernel.description;
  description.name = request.kernel.empty() ? request.file : request.kernel;
  description.vector_registers = request.vector_registers;
  description.share_bytes = request.share_bytes;
  description.user_scalars = 2;
  description.group_numbers = {true, true, true};
  bool found = request.kernel.empty();
  for (const si::Label& label : labels) {
    if (label.name != request.kernel) continue;
    description.entry = label.offset;
    found = true;
  }
  if (!found) throw bad_input(fmt::format("no label {}", request.kernel), {request.file, 0, 0});
  description.bytes = static_cast<uint32_t>(4 * kernel.code.size()) - description.entry;
  return kernel;
}

Kernel read_kernel(const MiaowRequest& request) {
  if (!request.is_object) return bare_code(request);
  si::CodeObject object = si::read_code_object(read_input(request.file), request.file);
  if (object.tables.size() > kMostTableBytes)
    throw bad_input(fmt::format("{} bytes of tables, and {} are possible", object.tables.size(),
                                kMostTableBytes),
                    {request.file, 0, 0}, "pass them as arguments");
  object.place(kTableAddress);
  return {object.code, object.kernel(request.kernel, request.file), object.tables};
}

void require_fit(const Kernel& kernel, const MiaowRequest& request) {
  const si::ObjectKernel& description = kernel.description;
  if (description.bytes / 4 > kInstructionWords)
    throw bad_input(fmt::format("kernel {} has {} words of code, MIAOW's instruction memory {}",
                                description.name, description.bytes / 4, kInstructionWords),
                    {request.file, 0, 0}, "compile with -Os, and unroll less");
  const uint32_t items = request.local[0] * request.local[1] * request.local[2];
  const uint32_t wavefronts = (items + si::kWavefrontLanes - 1) / si::kWavefrontLanes;
  if (wavefronts * description.vector_registers > kVectorRegisters)
    throw bad_input(fmt::format("a group of {} wavefronts with {} vector registers each does not "
                                "fit the register file of {}",
                                wavefronts, description.vector_registers, kVectorRegisters),
                    {"--block"}, "make groups smaller");
  if (wavefronts * description.scalar_registers > kScalarRegisters)
    throw bad_input(fmt::format("a group of {} wavefronts with {} scalar registers each does not "
                                "fit the register file of {}",
                                wavefronts, description.scalar_registers, kScalarRegisters),
                    {"--block"}, "make groups smaller");
}

void load_memory(GridMemory& memory, const MiaowRequest& request) {
  for (const Load& load : request.loads) {
    const std::vector<uint8_t> bytes =
        read_image(load.file, {"memory", memory.bytes(), {}, "--memory makes it larger"});
    if (!memory.holds(load.address, bytes.size()))
      throw bad_input(fmt::format("{}: {} bytes at {:#x} do not fit memory of {} bytes", load.file,
                                  bytes.size(), load.address, memory.bytes()),
                      {"--load"}, "--memory makes it larger");
    if (!bytes.empty()) std::memcpy(memory.data() + load.address, bytes.data(), bytes.size());
  }
  for (const Dump& dump : request.dumps)
    if (!memory.holds(dump.address, dump.bytes))
      throw bad_input(fmt::format("{}: {} bytes at {:#x} are not all in memory of {} bytes",
                                  dump.file, dump.bytes, dump.address, memory.bytes()),
                      {"--dump"}, "--memory makes it larger");
}

// Who names a range in the null page means memory.
bool names_null_page(const MiaowRequest& request) {
  const auto below = [](const auto& ranges) {
    for (const auto& range : ranges)
      if (range.address < kNullPageBytes) return true;
    return false;
  };
  return below(request.loads) || below(request.dumps) || below(request.buffers);
}

struct UnitCounts {
  std::array<uint64_t, 5> instructions{};  // by Unit
};
UnitCounts counts_of(const Grid& grid) {
  UnitCounts counts;
  for (std::size_t i = 0; i < grid.executed().size(); ++i) {
    const si::Op& op = grid.program().at(static_cast<uint32_t>(4 * i));
    counts.instructions[static_cast<std::size_t>(si::info(op.instruction.operation).unit)] +=
        grid.executed()[i];
  }
  return counts;
}

std::string extents_text(const std::array<uint32_t, 3>& extents) {
  return fmt::format("{}x{}x{}", extents[0], extents[1], extents[2]);
}

std::string summary(const std::string& kernel, const MiaowRequest& request,
                    const GridResult& result, const UnitCounts& counts) {
  const auto& n = counts.instructions;
  return fmt::format(
      "{}: grid {}, block {}: {} cycles ({:.2f} us, {}), {} wavefront instructions, {} lane "
      "instructions\n"
      "  {} scalar, {} vector integer, {} vector float, {} memory ({} words), {} issue\n",
      kernel, extents_text(request.groups), extents_text(request.local), result.cycles,
      static_cast<double>(result.cycles) / request.configuration.clock_hz * 1e6,
      request.approximately_timed ? "at" : "lt", result.instructions, result.lane_instructions,
      n[0], n[1], n[2], n[3], result.memory_words, n[4]);
}

nlohmann::ordered_json statistics(const Kernel& kernel, const MiaowRequest& request,
                                  const GridResult& result, const UnitCounts& counts, int code,
                                  double seconds) {
  nlohmann::ordered_json units;
  const char* const names[] = {"scalar", "integer", "float", "memory", "issue"};
  for (std::size_t i = 0; i < 5; ++i) units[names[i]] = counts.instructions[i];
  nlohmann::ordered_json record{{"name", kernel.description.name},
                                {"grid", request.groups},
                                {"block", request.local},
                                {"cycles", result.cycles},
                                {"warp_instructions", result.instructions},
                                {"thread_instructions", result.lane_instructions},
                                {"unit_instructions", units},
                                {"memory_words", result.memory_words}};
  return {
      {"tool", "gpgpu-run"},
      {"version", GVP_VERSION},
      {"config",
       {{"device", "miaow"},
        {"timing", request.approximately_timed ? "at" : "lt"},
        {"clock_hz", request.configuration.clock_hz}}},
      {"sim_time_ns", static_cast<double>(result.cycles) / request.configuration.clock_hz * 1e9},
      {"wall_s", seconds},
      {"exit_code", code},
      {"gpgpu", {{"kernels", {record}}}}};
}

std::string profile_text(const Grid& grid) {
  std::string text = "pc,executed,lanes,instruction\n";
  for (std::size_t i = 0; i < grid.executed().size(); ++i) {
    if (grid.executed()[i] == 0) continue;
    const si::Op& op = grid.program().at(static_cast<uint32_t>(4 * i));
    const std::string place = gpgpu::miaow::text_of(op);  // "pc 0x... (TEXT)"
    const std::size_t open = place.find('(');
    text += fmt::format("{:#06x},{},{},\"{}\"\n", op.pc, grid.executed()[i], grid.lanes()[i],
                        place.substr(open + 1, place.size() - open - 2));
  }
  return text;
}

std::string failure(const std::string& kernel, const Grid& grid, const GridResult& result) {
  const si::Op& op = grid.program().at(result.fault.pc);
  if (result.stop == si::Stop::kHalted)
    return fmt::format("kernel {}, {}: halted and will not end", kernel,
                       gpgpu::miaow::text_of(result.place));
  std::string text =
      fmt::format("kernel {}, {}, lane {}, {}: {}", kernel, gpgpu::miaow::text_of(result.place),
                  result.fault.lane, gpgpu::miaow::text_of(op), gpgpu::text_of(result.fault.cause));
  const bool memory = si::info(op.instruction.operation).unit == si::Unit::kMemory;
  if (memory && result.fault.cause != gpgpu::FaultCause::kUnsupportedInstruction)
    text += fmt::format(", address {:#010x}", result.fault.address);
  return text;
}

}  // namespace

int run_on_miaow(const MiaowRequest& request) {
  survive_broken_pipes();
  const Kernel kernel = read_kernel(request);
  require_fit(kernel, request);
  const std::string& name = kernel.description.name;
  GridMemory memory(request.memory_bytes);
  load_memory(memory, request);
  const ArgumentSegment segment =
      argument_segment(name, kernel.description.arguments, request.parameters, request.groups,
                       request.local, kernel.description.share_bytes);
  memory.set_arguments(segment.bytes);
  memory.set_tables(kernel.tables);

  const bool null_page = !names_null_page(request);
  std::vector<CheckedBuffer> buffers;
  for (const Buffer& each : request.buffers)
    buffers.push_back({each.name, each.address, each.bytes});
  CheckedMemory checked(memory, null_page, buffers);
  si::Machine machine;
  machine.check_buffers = request.configuration.check_buffers;
  machine.port = request.check ? static_cast<gpgpu::GlobalPort*>(&checked) : &memory;
  if (!request.check) machine.global = memory.range(null_page);
  const InstructionList instructions =
      request.trimmed_file.empty()
          ? InstructionList::of_file(request.configuration.instructions)
          : InstructionList(read_input(request.trimmed_file), request.trimmed_file);
  Grid grid(kernel.code, machine, request.configuration.timing, request.approximately_timed,
            instructions);
  if (request.check) grid.observe(&checked);

  GridLaunch launch;
  launch.groups = request.groups;
  launch.local = request.local;
  launch.entry = kernel.description.entry;
  launch.argument_address = kArgumentAddress;
  launch.user_scalars = kernel.description.user_scalars;
  launch.group_numbers = kernel.description.group_numbers;
  launch.vector_registers = kernel.description.vector_registers;
  launch.share_bytes = kernel.description.share_bytes + segment.share_bytes;
  const auto begin = std::chrono::steady_clock::now();
  const GridResult result = grid.run(launch, request.max_cycles);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;

  for (const Dump& dump : request.dumps)
    write_image(dump.file,
                {memory.data() + dump.address, memory.data() + dump.address + dump.bytes});
  const bool failed = result.stop != si::Stop::kFinished;
  const ExitCode code = failed || !checked.findings().empty() ? ExitCode::kModelError
                        : result.out_of_time                  ? ExitCode::kLimitReached
                                                              : ExitCode::kSuccess;
  const UnitCounts counts = counts_of(grid);
  if (!request.statistics_file.empty())
    write_output(
        request.statistics_file,
        statistics(kernel, request, result, counts, static_cast<int>(code), wall.count()).dump(2) +
            "\n");
  if (!request.kernel_profile.empty()) write_output(request.kernel_profile, profile_text(grid));
  for (const std::string& finding : checked.findings()) std::cerr << "check: " << finding << '\n';
  if (request.check)
    std::cerr << fmt::format("gpgpu-run: {}: check found {} problem{}\n", name,
                             checked.findings().size(), checked.findings().size() == 1 ? "" : "s");
  if (failed) throw model_error(failure(name, grid, result));
  if (result.out_of_time)
    std::cerr << fmt::format("gpgpu-run: {}: stopped after {} cycles (--max-cycles)\n", name,
                             request.max_cycles);
  else if (!request.quiet)
    std::cerr << summary(name, request, result, counts);
  return static_cast<int>(code);
}

}  // namespace gvp::tools
