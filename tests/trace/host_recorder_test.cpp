// SPDX-License-Identifier: Apache-2.0
// The stack of functions out of calls, returns, jumps and exceptions, and the local memory.
#include "trace/host_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/trace/files.h"

namespace gvp::trace {
namespace {

using host::ControlEvent;
using testing::ElementsAre;
using Kind = ControlEvent::Kind;

// Functions of 0x100 bytes: a at 0x100, b at 0x200...
bool find_function(uint32_t pc, std::string& name, uint32_t& start) {
  if (pc < 0x100 || pc >= 0x600) return false;
  start = pc & ~0xffu;
  name = std::string(1, static_cast<char>('a' + (pc >> 8) - 1));
  return true;
}

// "depth name begin end", sorted.
std::vector<std::string> functions_of(const std::vector<ControlEvent>& events, uint64_t end) {
  Files files;
  const std::string path = files("functions.csv");
  {
    Recorder recorder({into(path, "record=functions")});
    HostRecorder host(recorder, "host", find_function);
    EXPECT_EQ(host.wants(), unsigned{host::Observer::kControl});
    for (const ControlEvent& event : events) host.control(event);
    host.finish_all(end);
  }
  std::vector<std::string> found;
  std::istringstream text(contents(path));
  std::string line;
  std::getline(text, line);
  while (std::getline(text, line)) {
    std::istringstream cells(line);
    std::vector<std::string> row;
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    found.push_back(row.at(1).substr(row.at(1).find(' ') + 1) + ' ' + row.at(2) + ' ' + row.at(11) +
                    ' ' + row.at(13));
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(HostRecorder, FollowsCallsAndReturns) {
  EXPECT_THAT(functions_of({{Kind::kStart, 0x100, 0},
                            {Kind::kJump, 0x140, 5},  // a loop
                            {Kind::kCall, 0x200, 10},
                            {Kind::kCall, 0x300, 20},
                            {Kind::kReturn, 0x208, 30},
                            {Kind::kReturn, 0x148, 40}},
                           50),
              ElementsAre("0 a 0 50", "1 b 10 40", "2 c 20 30"));
}

TEST(HostRecorder, EndsWhatJumpsIntoAnotherFunction) {
  EXPECT_THAT(functions_of({{Kind::kStart, 0x100, 0},
                            {Kind::kCall, 0x200, 10},
                            {Kind::kJump, 0x300, 20},  // b goes on as c
                            {Kind::kReturn, 0x104, 30}},
                           50),
              ElementsAre("0 a 0 50", "1 b 10 20", "1 c 20 30"));
}

TEST(HostRecorder, EndsAllBelowTheFunctionThatAReturnLeadsTo) {
  EXPECT_THAT(functions_of({{Kind::kStart, 0x100, 0},
                            {Kind::kCall, 0x200, 10},
                            {Kind::kCall, 0x300, 20},
                            {Kind::kCall, 0x400, 25},
                            {Kind::kReturn, 0x120, 30}},  // longjmp
                           50),
              ElementsAre("0 a 0 50", "1 b 10 30", "2 c 20 30", "3 d 25 30"));
}

TEST(HostRecorder, TakesAnExceptionForACall) {
  EXPECT_THAT(
      functions_of(
          {{Kind::kStart, 0x100, 0}, {Kind::kException, 0x500, 10}, {Kind::kReturn, 0x104, 20}},
          50),
      ElementsAre("0 a 0 50", "1 e 10 20"));
}

TEST(HostRecorder, NamesByItsAddressWhatNoSymbolNames) {
  EXPECT_THAT(functions_of({{Kind::kStart, 0x10, 0}, {Kind::kReturn, 0x100, 10}}, 20),
              ElementsAre("0 0x00000010 0 10", "0 a 10 20"));
}

TEST(HostRecorder, RecordsTheLocalMemoryAsAPort) {
  Files files;
  const std::string path = files("local.csv");
  Recorder recorder({into(path, "record=local,address=0x40..0x4f")});
  HostRecorder host(recorder, "cpu", find_function);
  EXPECT_EQ(host.wants(), unsigned{host::Observer::kLocalMemory});
  host.local_access({0x204, 0x48, 2, true, false, 100, 110});
  host.local_access({0x204, 0x50, 4, true, false, 120, 130});  // beside the filter's addresses
  host.local_access({0x104, 0x3e, 4, false, true, 140, 150});  // touches one of them
  recorder.close();
  std::istringstream text(contents(path));
  std::string line;
  std::getline(text, line);
  std::getline(text, line);
  EXPECT_THAT(line, testing::StartsWith("transaction,cpu_lmb,write,"));
  EXPECT_THAT(line, testing::HasSubstr(",cpu_lmb,cpu_lmb,b,0x48,2,100,110,110,ok,1,"));
  std::getline(text, line);
  EXPECT_THAT(line, testing::StartsWith("transaction,cpu_lmb,read,"));
  EXPECT_FALSE(std::getline(text, line));
}

}  // namespace
}  // namespace gvp::trace
