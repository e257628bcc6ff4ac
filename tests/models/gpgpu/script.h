// SPDX-License-Identifier: Apache-2.0
// What a test does in a SystemC thread, beside the modules that it tests.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <systemc>
#include <utility>

namespace gvp::test {

class Script : public sc_core::sc_module {
 public:
  explicit Script(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    SC_HAS_PROCESS(Script);
    SC_THREAD(thread);
  }
  // Runs the body as a SystemC thread and simulates until it returns.
  void run(std::function<void()> body) {
    body_ = std::move(body);
    sc_core::sc_start();
    ASSERT_TRUE(finished_) << "the test body waits for something that never happens";
  }

 private:
  void thread() {
    body_();
    finished_ = true;
    sc_core::sc_stop();
  }

  std::function<void()> body_;
  bool finished_ = false;
};

}  // namespace gvp::test
