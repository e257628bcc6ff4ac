// SPDX-License-Identifier: Apache-2.0
// Who goes next among requesters: round robin, fixed priority or AXI QoS (IHI 0022, A8.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gvp::axi {

enum class Arbitration {
  kRoundRobin,
  kFixed,  // the lowest port number wins, always: others can starve
  kQos,    // the highest AxQOS wins; round robin among equals
};

class Arbiter {
 public:
  static constexpr int kNobody = -1;
  struct Request {
    bool waiting = false;
    uint8_t qos = 0;
  };

  explicit Arbiter(Arbitration policy) : policy_(policy) {}

  int choose(const std::vector<Request>& requests) {
    const auto count = static_cast<int>(requests.size());
    int best = kNobody;
    for (int i = 0; i < count; ++i) {
      const int port = policy_ == Arbitration::kFixed ? i : (last_ + 1 + i) % count;
      const Request& request = requests[static_cast<size_t>(port)];
      if (!request.waiting) continue;
      if (best == kNobody) best = port;
      if (policy_ != Arbitration::kQos) break;
      if (request.qos > requests[static_cast<size_t>(best)].qos) best = port;
    }
    if (best != kNobody) give(best);
    return best;
  }
  // This port goes, without asking: nobody else waits.
  void give(int port) { last_ = port; }

 private:
  Arbitration policy_;
  int last_ = -1;
};

}  // namespace gvp::axi
