// SPDX-License-Identifier: Apache-2.0
// Records what a host processor's program does (models/host/observer.h): its functions as spans, a
// track for each depth of calls, and the accesses of the local memory, which are on no bus, as
// transactions of the port NAME_lmb.  Those lie where their instruction does; how much of it they
// take is not known.
//
// The stack of functions follows calls and returns.  A jump into another function ends the one that
// jumped (a tail call); a return to a function further up ends all below it (longjmp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/host/observer.h"
#include "trace/recorder.h"

namespace gvp::trace {

class HostRecorder : public host::Observer {
 public:
  // The name of the function that includes an address and where it begins; false: none is known.
  using FindFunction = std::function<bool(uint32_t pc, std::string& name, uint32_t& start)>;

  HostRecorder(Recorder& recorder, const std::string& host, FindFunction find);

  unsigned wants() const override { return wants_; }
  void control(const host::ControlEvent& event) override;
  void local_access(const host::LocalAccess& access) override;
  // The simulation ends at this time: functions under way are recorded.
  void finish_all(uint64_t now_ps);

 private:
  struct Function {
    uint32_t start = 0;
    Id name = kNobody;
  };
  struct Frame {
    Function function;
    Span span;
  };

  const Function& function_at(uint32_t pc);
  void push(const Function& function, uint64_t time);
  void pop(uint64_t time);
  void go_back_to(const Function& function, uint64_t time);

  Recorder& recorder_;
  const std::string host_;
  const FindFunction find_;
  unsigned wants_ = 0;
  std::unordered_map<uint32_t, Function> functions_;  // by program counter
  std::vector<TrackId> tracks_;                       // by depth
  std::vector<Frame> stack_;                          // the innermost last
  const std::string port_text_;
  Id port_ = kNobody;
  std::vector<Range> local_;  // addresses that somebody wants
};

}  // namespace gvp::trace
