// SPDX-License-Identifier: Apache-2.0
// Records what a soft GPGPU does, from its own events (models/gpgpu/observer.h): kernels, blocks,
// the instructions of warps and the stages of the pipeline as spans, and the accesses of its own
// block RAM, which are on no bus, as transactions of the port NAME_block_ram: one for each lane, at
// the time when the instruction accesses it (how long that takes is not known: they end as they
// begin).  Produces only what somebody wants; simulated time is the same.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/gpgpu/observer.h"
#include "trace/recorded_port.h"
#include "trace/recorder.h"

namespace gvp::trace {

class GpgpuRecorder : public gpgpu::Observer {
 public:
  // stages: as Device::stages().  has_block_ram: global memory is its own.
  GpgpuRecorder(Recorder& recorder, const std::string& device, std::vector<std::string> stages,
                bool has_block_ram);

  // No span or access comes any more that begins before this time (ps); the greatest number: none
  // is under way.
  uint64_t horizon() const;
  // The kernel that runs, for what its port begins.
  Origin origin() const { return {kernel_name_, kernel_name_ != kNobody}; }

  unsigned wants() const override { return wants_; }
  void kernel_begins(const gpgpu::KernelEvent& kernel) override;
  void kernel_ends(const gpgpu::KernelEvent& kernel) override;
  void progress(const gpgpu::ProgressEvent& progress) override { progress_ = progress.cycle; }
  void block_begins(const gpgpu::BlockEvent& block) override;
  void block_ends(const gpgpu::BlockEvent& block) override;
  void instruction(const gpgpu::InstructionEvent& instruction) override;
  void stages(const gpgpu::StageEvent& row) override;
  void memory(const gpgpu::MemoryEvent& access) override;

 private:
  struct OpenBlock {
    uint64_t cycle = 0;
    uint64_t span = 0;                   // its number
    std::map<uint32_t, uint64_t> warps;  // by slot: when the latest instruction of each began
  };
  // Of an SM: how many blocks it has, and a cycle before which nothing begins on it any more, if it
  // executes instructions in the order of their beginnings.
  struct Reached {
    unsigned blocks = 0;
    uint64_t cycle = 0;
  };

  void reach(const gpgpu::WarpPlace& place, uint64_t cycle);
  uint64_t earliest(const OpenBlock& block) const;
  bool wanted(uint64_t address, uint32_t bytes) const;
  TrackId block_track(const gpgpu::BlockPlace& place);

  Recorder& recorder_;
  const std::string device_;
  const std::vector<std::string> stages_;
  std::vector<Range> block_ram_;  // addresses that somebody wants
  const std::string port_text_;
  Id port_ = kNobody;
  unsigned wants_ = 0;
  TrackId kernels_ = 0;
  gpgpu::KernelEvent kernel_;
  Id kernel_name_ = kNobody;
  std::map<std::pair<uint32_t, uint32_t>, OpenBlock> open_blocks_;  // by SM and slot
  std::map<uint32_t, Reached> sms_;                                 // by number
  uint64_t blocks_left_ = 0;                                        // that have not begun
  uint64_t kernel_span_ = 0;
  uint64_t progress_ = 0;  // as the device has told: of the running kernel, in cycles
};

}  // namespace gvp::trace
