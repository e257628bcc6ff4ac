// SPDX-License-Identifier: Apache-2.0
// FlexGrip as RTL (rtl/flexgrip): its control window behind a TLM-2.0 socket, with a transactor and
// a protocol checker at its AXI4-Lite port; code, constant, local and global memory as block RAM at
// its native ports, whose other side the host has through the windows "code" and "global"; with
// global_memory = "ddr3" instead of the latter a transactor and a checker at its AXI4 master; the
// interrupt; and records of its kernels, read off its registers.  Windows, registers and what
// software sees of them are the models'.
//
// Debug accesses and loaded programs go to the memories directly; registers can be read so, not
// written.
// Observers see kernels, the stages of the pipeline and interrupts.
// Not modelled: blocks, instructions and memory accesses for observers, profiles (the RTL does not
// show them).
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <systemc>
#include <vector>

#include "models/axi/pins/axi_to_tlm.h"
#include "models/axi/pins/checker.h"
#include "models/axi/pins/tlm_to_lite.h"
#include "models/gpgpu/device.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/kernel.h"
#include "models/gpgpu/flexgrip/rtl/kernel_watch.h"
#include "models/gpgpu/flexgrip/rtl/memory_pins.h"
#include "models/gpgpu/flexgrip/rtl/retire_watch.h"
#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/source_lines.h"
#include "models/gpgpu/launch_records.h"
#include "models/rtl/block.h"
#include "models/rtl/signals.h"
#include "models/tlm/memory.h"
#include "models/tlm/storage.h"

namespace gvp::gpgpu::flexgrip {

class RtlFlexGrip : public Device {
 public:
  // block: by its name (models/rtl/block_table.h).  Throws Error (bad input) where there is none of
  // that name, where it lacks a pin, and for a configuration that it cannot be.
  RtlFlexGrip(const sc_core::sc_module_name& name, const std::string& block,
              const Configuration& configuration, uint32_t seed);

  std::vector<Window> windows() override;
  std::vector<Port> ports() override;
  std::vector<InterruptLine> interrupts() override { return {{"interrupt", &interrupt_}}; }
  void request_stop() override { watch_.request_stop(); }
  void reset() override { block_.reset(); }
  void learn_source_lines(std::string_view contents) override { source_lines_.learn(contents); }
  std::vector<std::string> stages() const override {
    return {"fetch", "decode", "read", "execute", "write"};
  }
  Progress progress() const override;
  nlohmann::ordered_json statistics() const override;

  // Shows this observer what each instruction has changed; before the simulation.
  void observe_retired(RetiredObserver& observer);

  rtl::Block& block() { return block_; }
  uint64_t protocol_violations() const;

 private:
  SC_HAS_PROCESS(RtlFlexGrip);
  uint32_t kernel_register(uint32_t offset) const { return watch_.register_at(offset); }
  unsigned debug_access(tlm::tlm_generic_payload& payload);
  void kernel_begins();
  void kernel_ends(bool by_reset);
  void tell_interrupt();
  Ending ending() const;
  std::string refusal() const;
  void report(const Ending& ending) const;
  std::string describe_place(const Ending& ending) const;
  std::vector<uint32_t> code_words();  // of the kernel
  g80::Decoded decoded_at(uint32_t pc) const;

  Configuration configuration_;
  rtl::Block block_;
  axi::pins::Port port_;
  axi::pins::TlmToLite bus_;
  axi::pins::Checker checker_;
  // The way to global memory, where it is on the bus.
  struct Master {
    Master(rtl::Block& block, const axi::pins::Port& port)
        : to_bus("master", block, port), checker(block, port) {}
    axi::pins::AxiToTlm to_bus;
    axi::pins::Checker checker;
  };
  std::unique_ptr<Master> master_;
  kit::Memory code_;
  std::unique_ptr<kit::Memory> global_;  // block RAM, if that is where it is
  const uint32_t* const words_;          // of code memory
  kit::Storage constants_, local_;
  MemoryPins memories_;
  KernelWatch watch_;
  sc_core::sc_out<bool> interrupt_{"interrupt"};
  rtl::SignalOutput interrupt_output_;
  std::unique_ptr<RetireWatch> retirement_;  // null: nobody wants to know

  Kernel kernel_;  // that runs or ran last
  KernelEvent event_;
  LaunchRecords records_;
  LaunchRecord* record_ = nullptr;  // of the kernel that runs
  g80::SourceLines source_lines_;
  const LineTable* lines_ = nullptr;
};

}  // namespace gvp::gpgpu::flexgrip
