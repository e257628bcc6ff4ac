// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/bench.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/axi/bus_settings.h"
#include "models/base/error.h"
#include "models/gpgpu/flexgrip/flexgrip.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/tlm/clock.h"
#include "tools/gpgpu-run/image.h"

namespace gvp::tools {
namespace {

enum Initiator : unsigned { kLoader, kGpgpu };

}  // namespace

Bench::Bench(const sc_core::sc_module_name& name, const Request& request, const KernelImage& image)
    : sc_module(name), request_(request), image_(image) {
  tlm::tlm_global_quantum::instance().set(
      sc_core::sc_time(request.configuration.quantum_ns, sc_core::SC_NS));
  gpgpu_ = gpgpu::flexgrip::make_flexgrip("gpgpu", request.configuration.model("gpgpu"),
                                          request.gpgpu());
  connect();
  SC_HAS_PROCESS(Bench);
  SC_THREAD(drive);
  SC_THREAD(watch);
}

void Bench::connect() {
  const platform::Configuration& configuration = request_.configuration;
  axi::InterconnectConfiguration map;
  static_cast<axi::Configuration&>(map) =
      configuration.settings<axi::BusSettings>("axi").configuration;
  const platform::Bus& bus = *configuration.find_bus("axi");
  map.initiators = {"loader", "gpgpu"};
  map.initiator_ports = {{}, bus.find("gpgpu", "", true)->configuration};
  const std::vector<gpgpu::Window> windows = gpgpu_->windows();
  for (const gpgpu::Window& window : windows) {
    const auto target = static_cast<unsigned>(map.targets.size());
    map.targets.push_back("gpgpu_" + window.name);
    map.regions.push_back({map.targets.back(), base_of(window.name), window.size, target, 0,
                           window.name == "control"});
  }
  const bool block_ram = request_.gpgpu().global_memory == "bram";
  if (!block_ram) {
    ddr3_ = ddr3::make_memory_controller("ddr3", configuration.model("ddr3"),
                                         configuration.settings<ddr3::Configuration>("ddr3"));
    const auto target = static_cast<unsigned>(map.targets.size());
    map.targets.push_back("ddr3");
    map.target_ports.resize(map.targets.size());
    map.target_ports.back() = bus.find("ddr3", "", false)->configuration;
    map.regions.push_back({"ddr3", ddr3_base(),
                           configuration.settings<ddr3::Configuration>("ddr3").size, target, 0,
                           false});
  }
  interconnect_ = axi::make_interconnect("axi", configuration.model("axi"), map);
  socket_.bind(interconnect_->from_initiator(kLoader));
  gpgpu_->ports().front().socket->bind(interconnect_->from_initiator(kGpgpu));
  unsigned target = 0;
  for (const gpgpu::Window& window : windows)
    interconnect_->to_target(target++).bind(*window.socket);
  if (ddr3_ != nullptr) interconnect_->to_target(target).bind(ddr3_->socket());
  (*gpgpu_->interrupts().front().line)(interrupt_);
}

Result Bench::run() {
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates; the processes wait for memory
  load();
  sc_core::sc_start();
  return result_;
}

uint64_t Bench::base_of(const std::string& window) const {
  return request_.configuration.find("gpgpu")->bases.at(window);
}

uint64_t Bench::ddr3_base() const { return request_.configuration.find("ddr3")->bases.at(""); }

// Global memory as kernels address it: from 0 in block RAM, bus addresses otherwise.
uint64_t Bench::global_base() const { return ddr3_ == nullptr ? base_of("global") : 0; }

const char* Bench::more_memory() const {
  return ddr3_ == nullptr ? "--set gpgpu.global_bytes=33554432 is the most there can be" : "";
}

uint64_t Bench::global_bytes() const {
  const platform::Configuration& configuration = request_.configuration;
  return ddr3_ == nullptr
             ? configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").global_bytes
             : configuration.settings<ddr3::Configuration>("ddr3").size;
}

void Bench::load() {
  const uint64_t code_bytes = image_.code.size() * sizeof(uint32_t);
  std::vector<uint32_t> code = image_.code;
  access(tlm::TLM_WRITE_COMMAND, base_of("code"), code.data(), code_bytes);
  std::vector<uint8_t> constants = image_.constants;
  access(tlm::TLM_WRITE_COMMAND, base_of("control") + FLEXGRIP_CONSTANT_MEMORY, constants.data(),
         constants.size());
  std::vector<char> name(4 * FLEXGRIP_KERNEL_NAME_WORDS);
  image_.name.copy(name.data(), name.size());
  access(tlm::TLM_WRITE_COMMAND, base_of("control") + FLEXGRIP_KERNEL_NAME(0), name.data(),
         name.size());
  for (const Preload& variable : image_.globals)
    write_global(variable.address, variable.words.data(), variable.words.size() * sizeof(uint32_t),
                 "a variable of the module");
  for (const Load& load : request_.loads) {
    const std::vector<uint8_t> bytes =
        read_image(load.file, {"global memory", global_bytes(), {}, more_memory()});
    write_global(load.address, bytes.data(), bytes.size(), load.file);
  }
}

void Bench::write_global(uint32_t address, const void* data, uint64_t bytes,
                         const std::string& what) {
  // Writing does not change the data; debug transport has one pointer for both directions.
  const uint64_t written =
      access(tlm::TLM_WRITE_COMMAND, global_base() + address, const_cast<void*>(data), bytes);
  if (written == bytes) return;
  throw bad_input(
      fmt::format("{}: {} bytes at {:#x} do not fit global memory", what, bytes, address), {},
      ddr3_ == nullptr ? "--set gpgpu.global_bytes=33554432 is the most there can be"
                       : fmt::format("DDR3 begins at {:#x}", ddr3_base()));
}

std::vector<uint8_t> Bench::read_global(uint32_t address, uint32_t bytes,
                                        const std::string& option) {
  std::vector<uint8_t> data(bytes);
  if (access(tlm::TLM_READ_COMMAND, global_base() + address, data.data(), bytes) != bytes)
    throw bad_input(fmt::format("--dump {}: {} bytes at {:#x} are not all in global memory", option,
                                bytes, address));
  return data;
}

uint64_t Bench::access(tlm::tlm_command command, uint64_t address, void* data, uint64_t bytes) {
  constexpr uint64_t kChunk = 1 << 20;
  uint64_t done = 0;
  while (done < bytes) {
    tlm::tlm_generic_payload payload;
    const auto count = static_cast<unsigned>(std::min(kChunk, bytes - done));
    payload.set_command(command);
    payload.set_address(address + done);
    payload.set_data_ptr(static_cast<unsigned char*>(data) + done);
    payload.set_data_length(count);
    payload.set_streaming_width(count);
    const unsigned moved = socket_->transport_dbg(payload);
    done += moved;
    if (moved < count) break;
  }
  return done;
}

void Bench::transport(tlm::tlm_command command, uint32_t address, uint32_t& word) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(sizeof word);
  payload.set_streaming_width(sizeof word);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket_->b_transport(payload, delay);
  sc_core::wait(delay);
  if (!payload.is_response_ok())
    throw model_error(fmt::format("the GPGPU answers with an error at {:#x}", address));
}

void Bench::write_register(uint32_t offset, uint32_t value) {
  transport(tlm::TLM_WRITE_COMMAND, static_cast<uint32_t>(base_of("control")) + offset, value);
}

uint32_t Bench::read_register(uint32_t offset) {
  uint32_t value = 0;
  transport(tlm::TLM_READ_COMMAND, static_cast<uint32_t>(base_of("control")) + offset, value);
  return value;
}

uint64_t Bench::counter(uint32_t offset) {
  const uint64_t low = read_register(offset);
  return low | uint64_t{read_register(offset + 4)} << 32;
}

void Bench::configure_kernel() {
  write_register(FLEXGRIP_BLOCKS_PER_CORE, request_.blocks_per_sm);
  write_register(FLEXGRIP_REGISTERS_PER_THREAD, image_.registers);
  write_register(FLEXGRIP_SHARED_STATIC_BYTES, image_.static_shared_bytes);
  write_register(FLEXGRIP_SHARED_DYNAMIC_BYTES, request_.dynamic_bytes);
  write_register(FLEXGRIP_PARAMETER_COUNT, static_cast<uint32_t>(request_.parameters.size()));
  for (uint32_t i = 0; i < request_.parameters.size(); ++i)
    write_register(FLEXGRIP_PARAMETER(i), request_.parameters[i]);
  write_register(FLEXGRIP_BLOCK_X, request_.block[0]);
  write_register(FLEXGRIP_BLOCK_Y, request_.block[1]);
  write_register(FLEXGRIP_BLOCK_Z, request_.block[2]);
  write_register(FLEXGRIP_GRID_X, request_.grid[0]);
  write_register(FLEXGRIP_GRID_Y, request_.grid[1]);
  for (uint32_t bank = 0; bank < FLEXGRIP_CONSTANT_BANKS; ++bank) {
    write_register(FLEXGRIP_CONSTANT_BANK_BASE(bank), image_.banks[bank].base);
    write_register(FLEXGRIP_CONSTANT_BANK_BYTES(bank), image_.banks[bank].bytes);
  }
}

void Bench::drive() {
  sc_core::wait(sc_core::sc_time(1, sc_core::SC_NS));  // memories are loaded before this
  configure_kernel();
  write_register(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
  while (!interrupt_.read()) sc_core::wait(interrupt_.posedge_event());
  collect();
  sc_core::sc_stop();
}

void Bench::collect() {
  result_.done = (read_register(FLEXGRIP_STATUS) & FLEXGRIP_STATUS_DONE) != 0;
  result_.cause = read_register(FLEXGRIP_CAUSE);
  result_.fault_pc = read_register(FLEXGRIP_FAULT_PC);
  result_.fault_address = read_register(FLEXGRIP_FAULT_ADDRESS);
  result_.fault_warp = read_register(FLEXGRIP_FAULT_WARP);
  result_.fault_block = read_register(FLEXGRIP_FAULT_BLOCK);
  result_.cycles = counter(FLEXGRIP_COUNT_CYCLES);
  result_.warp_instructions = counter(FLEXGRIP_COUNT_WARP_INSTRUCTIONS);
  result_.thread_instructions = counter(FLEXGRIP_COUNT_THREAD_INSTRUCTIONS);
}

// Ends what does not end by itself.
void Bench::watch() {
  if (request_.max_cycles == 0) return;
  sc_core::wait(kit::Clock(request_.gpgpu().clock_hz).at(request_.max_cycles));
  result_.out_of_time = true;
  gpgpu_->request_stop();
}

nlohmann::ordered_json Bench::statistics() const {
  nlohmann::ordered_json all{{"gpgpu", gpgpu_->statistics()}, {"axi", interconnect_->statistics()}};
  if (ddr3_ != nullptr) all["ddr3"] = ddr3_->statistics();
  return all;
}

}  // namespace gvp::tools
