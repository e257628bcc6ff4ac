// SPDX-License-Identifier: Apache-2.0
#include "platform/run_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "models/base/error.h"
#include "platform/systemc_reports.h"
#include "tests/platform/fakes.h"

namespace gvp::platform {
namespace {

using host::StopReason;
using test::FakeGpgpu;
using test::FakeHost;
using testing::HasSubstr;

Outcome run(std::function<void(FakeHost&)> behaviour, const Limits& limits = {}) {
  FakeHost host("host", std::move(behaviour));
  FakeGpgpu gpgpu("gpgpu");
  const std::vector<gpgpu::Device*> gpgpus = {&gpgpu};
  return RunControl(host, gpgpus, limits, {}).run();
}

void wait_us(double time) { sc_core::wait(time, sc_core::SC_US); }

TEST(RunControl, TheFirmwaresExitCodeIsTheResult) {
  const Outcome outcome = run([](FakeHost& host) {
    wait_us(5000.5);
    host.stop({StopReason::kExit, 7, 0x100, ""});
  });
  EXPECT_EQ(outcome.end, End::kExit);
  EXPECT_EQ(outcome.exit_code, 7);
  EXPECT_EQ(outcome.message, "");
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(5000.5, sc_core::SC_US));
}

// SystemC makes a text of it, "uncaught exception".
TEST(RunControl, WhatAModelThrowsInAProcessIsThrownAsItWas) {
  route_systemc_reports();
  try {
    run([](FakeHost&) {
      wait_us(3);
      throw bad_input("the wave file is full", {"w.fst"}, "delete something");
    });
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    EXPECT_STREQ(error.what(),
                 bad_input("the wave file is full", {"w.fst"}, "delete something").what());
  }
}

TEST(RunControl, AnExitCodeThatDoesNotFitIsMappedAndSaid) {
  const Outcome outcome = run([](FakeHost& host) {
    host.stop({StopReason::kExit, 0xffffffff, 0x100, ""});
  });
  EXPECT_EQ(outcome.exit_code, 123);
  EXPECT_THAT(outcome.message, HasSubstr("exit code -1 (0xffffffff) does not fit"));
}

TEST(RunControl, TheTimeLimitEndsExactlyThere) {
  const Outcome outcome = run(
      [](FakeHost&) {
        for (;;) wait_us(7);
      },
      {2500000000, 0});
  EXPECT_EQ(outcome.end, End::kTimeLimit);
  EXPECT_EQ(outcome.exit_code, 124);
  EXPECT_THAT(outcome.message, HasSubstr("2.5 ms"));
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(2500, sc_core::SC_US));
}

TEST(RunControl, TheInstructionLimitIsNamed) {
  const Outcome outcome = run(
      [](FakeHost& host) {
        host.stop({StopReason::kInstructionLimit, 0, 0, ""});
      },
      {0, 5000});
  EXPECT_EQ(outcome.exit_code, 124);
  EXPECT_THAT(outcome.message, HasSubstr("5000 instructions"));
}

TEST(RunControl, AHostThatCannotGoOnIsAnError) {
  const Outcome outcome = run([](FakeHost& host) {
    host.stop({StopReason::kError, 0, 0, "main+0x4: lost"});
  });
  EXPECT_EQ(outcome.end, End::kHostError);
  EXPECT_EQ(outcome.exit_code, 125);
  EXPECT_EQ(outcome.message, "main+0x4: lost");
}

TEST(RunControl, WaitingForeverIsNoticed) {
  const Outcome outcome = run([](FakeHost&) { sc_core::wait(sc_core::sc_event("never")); });
  EXPECT_EQ(outcome.end, End::kNothingLeft);
  EXPECT_EQ(outcome.exit_code, 125);
}

TEST(RunControl, ASignalAsksTheModelsToStopAndEndsTheRun) {
  FakeHost host("host", [](FakeHost& self) {
    wait_us(100);
    raise(SIGINT);
    while (!self.stop_requested) wait_us(1);
    self.stop({StopReason::kRequested, 0, 0, ""});
  });
  FakeGpgpu gpgpu("gpgpu"), gpgpu1("gpgpu1");
  const std::vector<gpgpu::Device*> gpgpus = {&gpgpu, &gpgpu1};
  const Outcome outcome = RunControl(host, gpgpus, {}, {}).run();
  EXPECT_EQ(outcome.end, End::kSignal);
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_TRUE(gpgpu.stop_requested);
  EXPECT_TRUE(gpgpu1.stop_requested);
}

TEST(RunControl, ASignalEndsTheRunEvenIfTheHostSleeps) {
  const Outcome outcome = run([](FakeHost&) {
    raise(SIGTERM);
    for (;;) wait_us(100);
  });
  EXPECT_EQ(outcome.exit_code, 143);
}

TEST(RunControl, TheSecondSignalKills) {
  EXPECT_EXIT(run([](FakeHost&) {
                raise(SIGINT);
                raise(SIGINT);
              }),
              testing::ExitedWithCode(130), "");
}

TEST(RunControl, SlicesAreCutBySimulatedTimeAlone) {
  FakeHost host("host", [](FakeHost& self) {
    wait_us(3500);
    self.stop({StopReason::kExit, 0, 0, ""});
  });
  FakeGpgpu gpgpu("gpgpu");
  std::vector<double> times;
  const std::vector<gpgpu::Device*> gpgpus = {&gpgpu};
  RunControl(host, gpgpus, {}, [&] {
    times.push_back(sc_core::sc_time_stamp().to_seconds());
  }).run();
  EXPECT_THAT(times, testing::ElementsAre(testing::DoubleEq(1e-3), testing::DoubleEq(2e-3),
                                          testing::DoubleEq(3e-3), testing::DoubleEq(3.5e-3)));
}

}  // namespace
}  // namespace gvp::platform
