// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/bench.h"

#include <fmt/format.h>

#include <filesystem>

#include "models/base/error.h"
#include "models/compare/comparison.h"
#include "models/tlm/clock.h"
#include "platform/systemc_reports.h"
#include "tools/console.h"
#include "tools/gpgpu-run/image.h"

namespace gvp::tools {

Bench::Bench(const sc_core::sc_module_name& name, const Request& request,
             device::Launcher& launcher)
    : sc_module(name),
      request_(request),
      launcher_(launcher),
      tracing_(request.trace.any() ? std::make_unique<platform::Tracing>(request.trace) : nullptr),
      platform_("board", request.configuration, 0, tracing_.get(), platform::HostRole::kLeftOut),
      master_(platform_.external_master()) {
  if (master_ == nullptr) {
    const platform::Board& board = request.configuration.board();
    throw bad_input(fmt::format("board {} has no bus port to launch kernels by", board.name),
                    {board.source}, "add a device of type external_master");
  }
  SC_HAS_PROCESS(Bench);
  SC_THREAD(drive);
  SC_THREAD(watch);
}

gpgpu::Device& Bench::device() {
  gpgpu::Device* device = platform_.gpgpu(request_.device);
  if (device == nullptr)
    throw bad_input(fmt::format("{} cannot be observed", request_.device), {"command line"},
                    "leave out --check, --break and --issue-trace");
  return *device;
}

void Bench::request_stop() {
  if (gpgpu::Device* device = platform_.gpgpu(request_.device))
    device->request_stop();
  else
    sc_core::sc_stop();
}

Result Bench::run() {
  platform::start_simulation(sc_core::SC_ZERO_TIME);  // elaborates; the processes wait for memory
  load();
  simulate();
  if (error_) std::rethrow_exception(error_);
  if (!ended_ && !result_.out_of_time)
    throw model_error("nothing left to simulate, and the kernel has not ended", request_.device);
  return result_;
}

// Traces are written now and then, not all at the end.
void Bench::simulate() {
  if (!tracing_) return platform::start_simulation();
  const sc_core::sc_time slice(1, sc_core::SC_MS);
  while (sc_core::sc_get_status() != sc_core::SC_STOPPED && sc_core::sc_pending_activity()) {
    platform::start_simulation(slice);
    tracing_->flush();
  }
}

void Bench::end_traces(bool wrong) {
  if (!tracing_) return;
  if (wrong) tracing_->recorder().dump_ring("the run ended");
  tracing_->close();
}

// The device knows the kernel's words alone; the file says where they come from.
void Bench::show_source_lines() {
  gpgpu::Device* device = platform_.gpgpu(request_.device);
  std::error_code error;
  if (device == nullptr || request_.is_bare ||
      !std::filesystem::is_regular_file(request_.file, error))
    return;
  device->learn_source_lines(read_input(request_.file));
}

void Bench::load() {
  launcher_.load(*this);
  show_source_lines();
  for (const device::Variable& variable : launcher_.variables())
    write_global(variable.address, variable.words.data(), variable.words.size() * sizeof(uint32_t),
                 "a variable of the module");
  const device::GlobalMemory& global = launcher_.global_memory();
  for (const Load& load : request_.loads) {
    const std::vector<uint8_t> bytes =
        read_image(load.file, {"global memory", global.bytes, {}, global.remedy.c_str()});
    write_global(load.address, bytes.data(), bytes.size(), load.file);
  }
}

// Behind a device's own memory other devices may follow on the bus, which its kernels do not see.
bool Bench::is_in_global_memory(uint64_t address, uint64_t bytes) const {
  const device::GlobalMemory& global = launcher_.global_memory();
  if (!global.is_private) return true;
  const uint64_t end = global.base + global.bytes;
  return address >= global.base && address <= end && bytes <= end - address;
}

void Bench::write_global(uint32_t address, const void* data, uint64_t bytes,
                         const std::string& what) {
  const device::GlobalMemory& global = launcher_.global_memory();
  const uint64_t begin = global.bus_offset + address;
  for (const device::KeptMemory& kept : platform::kept_memories(request_.configuration))
    if (begin < kept.base + kept.bytes && kept.base < begin + bytes)
      throw bad_input(fmt::format("{}: {} bytes at {:#x} lie where {} are, from {:#x}", what, bytes,
                                  address, kept.what, kept.base),
                      {}, fmt::format("choose another address, or set {}", kept.key));
  if (is_in_global_memory(address, bytes) && debug_write(begin, data, bytes) == bytes) return;
  throw bad_input(
      fmt::format("{}: {} bytes at {:#x} do not fit global memory", what, bytes, address), {},
      global.remedy);
}

std::vector<uint8_t> Bench::read_global(uint32_t address, uint32_t bytes,
                                        const std::string& option) {
  std::vector<uint8_t> data(bytes);
  const uint64_t offset = launcher_.global_memory().bus_offset;
  if (!is_in_global_memory(address, bytes) ||
      debug_read(offset + address, data.data(), bytes) != bytes)
    throw bad_input(fmt::format("--dump {}: {} bytes at {:#x} are not all in global memory", option,
                                bytes, address));
  return data;
}

void Bench::wait_for_interrupt(const std::string& output) {
  const sc_core::sc_out<bool>& line = platform_.interrupt(request_.device, output);
  while (!line->read()) sc_core::wait(line->posedge_event());
}

void Bench::drive() {
  try {
    sc_core::wait(sc_core::sc_time(1, sc_core::SC_NS));  // memories are loaded before this
    launcher_.launch(*this);
    static_cast<device::LaunchResult&>(result_) = launcher_.result(*this);
    for (compare::Comparison* comparison : platform_.comparisons()) comparison->wait_until_level();
    ended_ = true;
  } catch (const Error&) {
    error_ = std::current_exception();
  }
  sc_core::sc_stop();
}

// Ends what does not end by itself.
void Bench::watch() {
  if (request_.max_cycles == 0) return;
  const double hz = platform::clock_of(request_.configuration, request_.instance());
  sc_core::wait(kit::Clock(hz).at(request_.max_cycles));
  result_.out_of_time = true;
  request_stop();
}

}  // namespace gvp::tools
