// SPDX-License-Identifier: Apache-2.0
// How long SMs that share a port wait for each other, for timing models that do not see single
// accesses.  No SystemC.
#pragma once

#include <cstdint>

namespace gvp::gpgpu {

// How many other SMs an access finds at the port, on average: each of sms SMs would take `alone`
// cycles without waiting, and has the port in `port` of them (1 at least, `alone` at most).  So an
// access waits for this many others' accesses.  Mean value analysis of a closed queueing network
// with one server (Reiser and Lavenberg, Journal of the ACM 27, 1980).
inline double others_at_port(uint64_t port, uint64_t alone, unsigned sms) {
  // In units of the time of one access: what an SM does between two of them.
  const double thinking = static_cast<double>(alone - port) / static_cast<double>(port);
  double others = 0;
  for (unsigned number = 1; number < sms; ++number) {
    const double response = 1 + others;
    others = number * response / (thinking + response);
  }
  return others;
}

}  // namespace gvp::gpgpu
