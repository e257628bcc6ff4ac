// SPDX-License-Identifier: Apache-2.0
// The MIAOW device: the registers of miaow_registers.h before one compute unit, or several, which
// the queue of grids uses.  It masters no bus
// and has no interrupt: the host polls, and serves the memory that the compute unit does not have.
// There are no processes: the compute unit catches up with the local time of each access, and
// observers hear of a wavefront's end, with its time, at the first access behind it.
//
// Access rules: aligned reads of 1, 2 or 4 bytes, writes of whole words.  The slave looks at nine
// bits of the address, so the registers repeat through the window; it acknowledges whatever has no
// meaning, as hardware does.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/gpgpu/device.h"
#include "models/gpgpu/launch_records.h"
#include "models/gpgpu/miaow/compute_unit.h"
#include "models/gpgpu/miaow/configuration.h"
#include "models/gpgpu/miaow/grid_queue.h"
#include "models/tlm/clock.h"
#include "models/tlm/cycle_steps.h"
#include "models/tlm/register_bank.h"

namespace gvp::gpgpu::miaow {

constexpr uint64_t kWindowBytes = 0x10000;  // as Vivado places it (assumed)

class Miaow : public Device {
 public:
  using MakeSchedule = std::unique_ptr<Schedule> (*)(const Configuration& configuration);
  Miaow(const sc_core::sc_module_name& name, const Configuration& configuration,
        MakeSchedule make_schedule);

  std::vector<Window> windows() override { return {{"control", kWindowBytes, &socket_}}; }
  std::vector<Port> ports() override { return {}; }
  std::vector<InterruptLine> interrupts() override { return {}; }
  void request_stop() override {}  // nothing runs but within accesses
  // The reset line: all but memories and register files is as after power-on.
  void reset() override;
  Progress progress() const override;
  nlohmann::ordered_json statistics() const override;

 private:
  // Registers (device_registers.cpp).
  void declare_registers();
  void declare_launch();
  void declare_instructions();
  void declare_scalars();
  void declare_memory();
  void declare_vectors();
  // Whether registers, code and prefetch memory are nobody's.
  bool reachable() const { return unit_.state() == ComputeUnit::State::kIdle && !queue_.running(); }
  bool idle() const { return reachable() && !held_; }
  // The unit whose memory request the host's registers show, and its wavefront's cycle.
  ComputeUnit& served() { return queue_.running() ? queue_.served(now_) : unit_; }
  uint64_t served_cycle() const { return queue_.running() ? now_ : cycle(); }
  // The queue of grids (device_queue.cpp).
  void declare_queue();
  void control_queue(uint32_t value);
  void start_grid();
  void catch_up_grid();
  void end_grid();
  void write_reset(uint32_t value);
  void write_prefetch();
  void start();

  // Bus and time.
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  uint64_t cycle() const { return now_ - begin_; }
  void catch_up(uint64_t ps);
  // name: empty where it is not known.
  void tell_begin(const std::string& name, uint32_t pc, const std::vector<uint32_t>& grid,
                  const std::vector<uint32_t>& block);
  std::string grid_name();
  void update_record() const;
  void tell_end(FaultCause cause);
  void report_stuck();
  void report(const Fault& fault, const std::string& place, const char* consequence) const;
  Counters counters() const;
  std::string place() const;

  const Configuration configuration_;
  const kit::Clock clock_;
  const kit::CycleSteps steps_;
  const sc_core::sc_time access_time_;  // of a register
  GridQueue::Units units_;
  ComputeUnit& unit_;  // the first, behind the published registers
  GridQueue queue_;
  tlm_utils::simple_target_socket<Miaow> socket_{"control"};
  kit::RegisterBank registers_;

  sc_core::sc_time local_time_ = sc_core::SC_ZERO_TIME;  // of the access that is handled
  uint64_t now_ = 0;    // cycle of the clock that the compute unit has reached
  uint64_t begin_ = 0;  // in which the last wavefront began
  bool held_ = false;   // in reset
  bool told_stuck_ = false;
  bool grid_ = false;  // what the queue started is the last launch
  FaultCause refused_ = FaultCause::kNone;
  uint32_t wave_tag_ = 0;
  uint32_t prefetch_address_ = 0;
  uint32_t vector_index_ = 0;
  southern_islands::Lanes vector_data_{};
  southern_islands::Mask vector_mask_ = 0;  // lanes written
  LaunchRecords records_;
  LaunchRecord* record_ = nullptr;  // of the last launch
  KernelEvent event_;
};

// model: "lt" or "at".
std::unique_ptr<Device> make_miaow(const sc_core::sc_module_name& name, const std::string& model,
                                   const Configuration& configuration);

}  // namespace gvp::gpgpu::miaow
