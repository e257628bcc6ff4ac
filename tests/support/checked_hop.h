// SPDX-License-Identifier: Apache-2.0
// A base protocol checker for tests that do not ask it anything: a violation fails the test when
// the checker goes.  The approximately timed initiators and targets of the tests have one in them
// (at_initiator.h, at_memory.h), so that no model is tested with traffic, or answers with phases,
// that nobody looks at.  Not checked here: whether everything was answered, as a test may stop
// before.
#pragma once

#include <gtest/gtest.h>

#include "models/tlm/base_protocol_checker.h"

namespace gvp::test {

class CheckedHop : public kit::BaseProtocolChecker {
 public:
  explicit CheckedHop(const sc_core::sc_module_name& name) : BaseProtocolChecker(name) {}
  ~CheckedHop() override {
    for (const kit::Violation& each : violations())
      ADD_FAILURE() << name() << " at " << each.time << ": " << each.rule << ": " << each.text;
  }
};

}  // namespace gvp::test
