// SPDX-License-Identifier: Apache-2.0
#include "tests/opencl/session.h"

#include <fmt/format.h>

#include <map>

#include "models/base/error.h"
#include "models/gpgpu/miaow/grid/argument_segment.h"
#include "models/gpgpu/miaow/grid/checked_memory.h"
#include "tools/oclc/compiler.h"

namespace gvp::test {

using namespace gpgpu::miaow;
using gpgpu::southern_islands::CodeObject;
using gpgpu::southern_islands::ObjectKernel;
using gpgpu::southern_islands::Stop;

namespace {

constexpr uint64_t kMemoryBytes = 512u << 20;

}  // namespace

const CodeObject& compiled(const std::string& source, const std::vector<std::string>& options) {
  static std::map<std::string, CodeObject> objects;
  std::string key = source;
  for (const std::string& each : options) key += ' ' + each;
  const auto found = objects.find(key);
  if (found != objects.end()) return found->second;
  const std::string file = std::string(GVP_SOURCE_DIR "/firmware/kernels/opencl/") + source;
  oclc::Options compiler;
  compiler.arguments = options;
  const oclc::Compiled result = oclc::compile(file, "", compiler);
  return objects[key] = gpgpu::southern_islands::read_code_object(result.object, file);
}

Session::Session(const std::string& source, const std::vector<std::string>& options,
                 bool approximately_timed)
    : memory_(kMemoryBytes), approximately_timed_(approximately_timed) {
  use(source, options);
}

void Session::use(const std::string& source, const std::vector<std::string>& options) {
  object_ = &compiled(source, options);
  gpgpu::southern_islands::Machine machine;
  machine.check_buffers = false;
  machine.port = &memory_;
  machine.global = memory_.range(true);
  grid_ = std::make_unique<Grid>(object_->code, machine, Timing{}, approximately_timed_);
}

uint32_t Session::reserve(uint64_t bytes) {
  const uint32_t at = next_;
  if (at + bytes > kMemoryBytes) throw model_error("the benchmark does not fit memory");
  next_ = static_cast<uint32_t>((at + bytes + 255) / 256 * 256);
  return at;
}

void Session::launch(const std::string& kernel, const Extents& global, const Extents& local,
                     const std::vector<std::string>& arguments) {
  const ObjectKernel& description = object_->kernel(kernel, "program");
  GridLaunch launch;
  for (unsigned i = 0; i < 3; ++i) {
    if (global[i] % local[i] != 0) throw model_error("groups do not divide the work-items");
    launch.groups[i] = global[i] / local[i];
  }
  launch.local = local;
  const ArgumentSegment segment = argument_segment(kernel, description.arguments, arguments,
                                                   launch.groups, local, description.share_bytes);
  memory_.set_arguments(segment.bytes);
  launch.entry = description.entry;
  launch.argument_address = kArgumentAddress;
  launch.user_scalars = description.user_scalars;
  launch.group_numbers = description.group_numbers;
  launch.vector_registers = description.vector_registers;
  launch.share_bytes = description.share_bytes + segment.share_bytes;
  const GridResult result = grid_->run(launch);
  if (result.stop != Stop::kFinished)
    throw model_error(fmt::format("kernel {}, {}, {}: {}, address {:#x}", kernel,
                                  text_of(result.place),
                                  text_of(grid_->program().at(result.fault.pc)),
                                  gpgpu::text_of(result.fault.cause), result.fault.address));
  cycles_ += result.cycles;
  instructions_ += result.instructions;
  lane_instructions_ += result.lane_instructions;
  ++launches_;
}

}  // namespace gvp::test
