// SPDX-License-Identifier: Apache-2.0
// The FlexGrip device but for its timing: control window (registers of flexgrip_registers.h and
// constant memory), code and global memory, interrupt, launches one after the other, statistics.
// An Engine runs the kernels.
//
// Access rules of the control window: registers take aligned reads of 1, 2 or 4 bytes and writes
// of whole words; constant memory takes any access inside it.  What configures a kernel cannot be
// written while one runs.  Misuse is SLVERR and a log message.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/gpgpu/device.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/engine.h"
#include "models/gpgpu/flexgrip/instruction_profiles.h"
#include "models/gpgpu/flexgrip/kernel.h"
#include "models/gpgpu/flexgrip/off_chip.h"
#include "models/gpgpu/flexgrip/warp_trace.h"
#include "models/gpgpu/g80/source_lines.h"
#include "models/gpgpu/hierarchy/memory_hierarchy.h"
#include "models/gpgpu/launch_cycle.h"
#include "models/gpgpu/launch_records.h"
#include "models/gpgpu/memory_port.h"
#include "models/tlm/clock.h"
#include "models/tlm/memory.h"
#include "models/tlm/register_bank.h"
#include "models/tlm/storage.h"
#include "models/tlm/target_side.h"

namespace gvp::gpgpu::flexgrip {

class FlexGrip : public Device {
 public:
  FlexGrip(const sc_core::sc_module_name& name, const Configuration& configuration,
           std::unique_ptr<Engine> engine);

  std::vector<Window> windows() override;
  // Its port for global memory outside the device; it waits for each access.
  std::vector<Port> ports() override { return {{"", &bus_.socket, 1}}; }
  std::vector<InterruptLine> interrupts() override { return {{"interrupt", &interrupt_}}; }
  void request_stop() override { cycle_.request_stop(); }
  // The reset line: stops a running kernel, whose record says so (FLEXGRIP_CAUSE_ABORTED);
  // registers are as after power-on, where CONTROL's RESET leaves its cause and the counters.
  void reset() override;
  // Shows this observer every instruction in G80's terms; between kernels.  It must outlive the
  // device.
  void observe_warps(WarpObserver& observer) { warp_observers_.push_back(&observer); }
  void learn_source_lines(std::string_view contents) override { source_lines_.learn(contents); }
  std::vector<std::string> stages() const override { return engine_->stages(); }
  bool profile_instructions() override {
    if (!instructions_) instructions_.emplace();
    return true;
  }
  std::vector<InstructionProfile> instruction_profiles() const override {
    return instructions_ ? instructions_->all() : std::vector<InstructionProfile>{};
  }
  Progress progress() const override;
  nlohmann::ordered_json statistics() const override;

 private:
  // Registers (device_registers.cpp).
  void declare_registers();
  void handle_control();
  void handle_constant_page();
  std::vector<hierarchy::Texture> textures() const;
  void handle_kernel_register(uint32_t offset);
  void handle_counter(uint32_t offset, uint64_t Counters::*counter);
  uint32_t kernel_register(uint32_t offset) const { return kernel_registers_[offset / 4]->value; }
  uint32_t status() const;
  void write_control(uint32_t value);

  // Bus.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  void access_constants(tlm::tlm_generic_payload& payload);
  uint64_t first_constant() const;  // that is in the window

  // Launches.
  void start();
  void reset_by_register();
  Ending run_kernel();
  Ending run_admitted(LaunchRecord& record);
  void watch_kernel(const LaunchRecord& record);
  Kernel described_kernel() const;
  std::string set_banks();
  void build_program();
  bool write_out();
  std::string kernel_name() const;
  void report(const Ending& ending);
  std::string describe_place(const Ending& ending) const;
  std::string explain_illegal(uint32_t pc);
  std::string place() const;

  Configuration configuration_;
  const kit::Clock clock_;
  std::unique_ptr<Engine> engine_;
  g80::Machine machine_;
  kit::Memory code_;
  std::unique_ptr<kit::Memory> global_;  // block RAM, if that is where global memory is
  MemoryPort bus_;
  std::unique_ptr<hierarchy::MemoryHierarchy> hierarchy_;  // before it, if there is any
  std::unique_ptr<OffChip> off_chip_;                      // code and constants, if they are
  tlm_utils::simple_target_socket<FlexGrip> control_{"control"};
  kit::RegisterBank registers_;
  kit::Storage constants_;
  kit::Register* page_ = nullptr;  // of constants, in their window; null: there is one alone
  std::vector<kit::Register*> kernel_registers_;  // by offset / 4; fixed while a kernel runs

  // The launch that runs or ran last.
  Kernel kernel_;
  Kernel next_kernel_;
  Admission admission_;
  std::unique_ptr<g80::Program> program_;
  std::vector<uint32_t> program_words_;  // what it was made from
  LaunchRecords records_;
  std::optional<InstructionProfiles> instructions_;  // where somebody has asked for them
  g80::SourceLines source_lines_;
  const LineTable* lines_ = nullptr;  // of the kernel; null: unknown
  std::vector<WarpObserver*> warp_observers_;
  WarpTrace trace_;
  Observation observation_{observers_, {}};  // of the kernel that runs
  uint32_t counter_high_ = 0;                // latched by reading the low word
  bool counters_cleared_ = false;            // by the reset line, until a kernel starts
  bool engine_has_it_ = true;                // the last launch; not one that is refused

  sc_core::sc_out<bool> interrupt_{"interrupt"};  // level, active high
  kit::TargetSide side_{"target_side", interrupt_};
  LaunchCycle cycle_{
      "launches", {"interrupt", &interrupt_}, side_, observers_, [this] { return run_kernel(); }};
};

}  // namespace gvp::gpgpu::flexgrip
