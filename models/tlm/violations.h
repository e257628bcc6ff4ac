// SPDX-License-Identifier: Apache-2.0
// What a checker has found: each violation has a rule, a text that says what was done wrong to
// which transaction, and the simulated time.  It goes to the log and to a list; the first hundred
// are kept, all are counted.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/base/log.h"

namespace gvp::kit {

struct Violation {
  std::string rule;  // "TLM_PHASE_ORDER"
  std::string text;
  sc_core::sc_time time;
};

class Violations {
 public:
  // log: where errors go
  explicit Violations(const Log& log) : log_(log) {}

  // place: who found it; payload: null where no transaction is meant
  void add(const char* place, const char* rule, const tlm::tlm_generic_payload* payload,
           const std::string& text);

  const std::vector<Violation>& list() const { return list_; }
  uint64_t count() const { return count_; }

 private:
  const Log& log_;
  std::vector<Violation> list_;
  uint64_t count_ = 0;
};

}  // namespace gvp::kit
