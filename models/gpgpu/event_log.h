// SPDX-License-Identifier: Apache-2.0
// --log LEVEL:gpgpu of any GPGPU, from the events that it tells its observers: info says when
// kernels begin and end, debug which blocks go where, trace every access to memory.  Execution may
// run ahead of simulated time, so lines of one kernel need not be sorted by their times.
#pragma once

#include <string>

#include "models/gpgpu/observer.h"

namespace gvp::gpgpu {

class EventLog : public Observer {
 public:
  // place: the device's path, which lines begin with
  explicit EventLog(std::string place);
  static bool wanted();  // the log level says so

  unsigned wants() const override;
  void kernel_begins(const KernelEvent& event) override;
  void kernel_ends(const KernelEvent& event) override;
  void block_begins(const BlockEvent& event) override;
  void block_ends(const BlockEvent& event) override;
  void memory(const MemoryEvent& event) override;

 private:
  std::string at(uint64_t time_ps) const;

  std::string place_;
  KernelEvent kernel_;  // that runs
};

}  // namespace gvp::gpgpu
