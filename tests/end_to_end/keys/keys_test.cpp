// SPDX-License-Identifier: Apache-2.0
// Every configuration key changes something that a user can see: what is printed, the exit code or
// the statistics.  A key that was read and ignored would promise what the models do not have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/keys/probes.h"
#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

// A key and its default, as --help-config prints them.
std::map<std::string, std::string> keys() {
  std::map<std::string, std::string> found;
  std::istringstream page(run("gpgpu-vp", {"--help-config"}).out);
  for (std::string line; std::getline(page, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    const size_t name_end = line.find('`', 3);
    const size_t value = line.find('`', name_end + 1) + 1;
    found[line.substr(3, name_end - 3)] = line.substr(value, line.find('`', value) - value);
  }
  return found;
}

// All that a user sees of a run, but for the configuration itself and what wall clocks say.
std::string outcome(const std::string& tool, Options options) {
  const std::string file = temporary("statistics.json");
  options.insert(options.end(), {"--quiet", "--stats", file});
  const Result result = run(tool, options);
  std::string seen = std::to_string(result.exit_code) + '\n' + result.out + result.err;
  const std::string text = read(file);
  std::remove(file.c_str());
  if (text.empty()) return seen;
  nlohmann::json json = nlohmann::json::parse(text);
  json.erase("config");
  if (!json.contains("host")) json["host"] = nlohmann::json::object();  // gpgpu-run
  return seen + without_wall_clock(json).dump();
}

bool shows(const Probe& probe, const std::string& setting) {
  static std::map<std::string, std::string> references;
  std::string name = probe.tool;
  for (const std::string& option : probe.options) name += ' ' + option;
  if (references.count(name) == 0) references[name] = outcome(probe.tool, probe.options);
  Options options = probe.options;
  options.insert(options.end(), {"--set", setting});
  return outcome(probe.tool, options) != references[name];
}

// What must not be seen, and what only a particular order of requests shows.
const Values kElsewhere = {
    {"host.engine", "same results by design: engine_test.cpp"},
    {"host.jit_threshold", "the same; translator_test.cpp"},
    {"host.jit_code_bytes", "the same; translator_test.cpp"},
    {"host.mmu_privileged_instr", "host/system_test.cpp"},
    {"host.use_stack_protection", "host/exception_test.cpp"},
    {"host.base_vectors", "host/exception_test.cpp"},
    {"ddr3.starvation_limit", "ddr3/controller_test.cpp"},
    {"axi.host_data.qos", "axi/at_interconnect_test.cpp; two other ports are tried below"},
    {"axi.gpgpu_code.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.gpgpu_code.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.gpgpu_global.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.gpgpu_global.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.gpgpu_control.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.gpgpu_control.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.intc.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.intc.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.timer.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.timer.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.uart16550.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.uart16550.register_slices", "platform/axi_ports_test.cpp"},
    {"axi.uartlite.clock_hz", "platform/axi_ports_test.cpp"},
    {"axi.uartlite.register_slices", "platform/axi_ports_test.cpp"},
    {"host.m_axi_dp_exclusive_access", "platform/axi_ports_test.cpp"},
};

class Keys : public testing::Test {
 protected:
  Keys() {
    add_gpgpu(probes_, kernels_);
    add_hierarchy(probes_, kernels_);
    add_host(probes_, kernels_);
    add_board(probes_, kernels_);
    for (const auto& [key, value] : keys())
      if (key.rfind("gpgpu.timing.", 0) == 0)
        probes_[key] = {std::to_string(std::stoul(value) + 1000), kernel(kernels_.everything)};
  }

  const KeyKernels kernels_;
  Probes probes_;
};

TEST_F(Keys, EachHasAnEffectThatShows) {
  for (const auto& [key, value] : keys()) {
    if (kElsewhere.count(key) != 0) continue;
    const auto row = probes_.find(key);
    if (row == probes_.end()) {
      ADD_FAILURE() << key << " is new: say here where its effect shows";
      continue;
    }
    EXPECT_TRUE(shows(row->second.probe, key + '=' + row->second.value))
        << key << " = " << row->second.value << " changes nothing";
  }
}

// A table that names what is gone would prove nothing.
TEST_F(Keys, TheProbesAreOfKeysThatExist) {
  const auto all = keys();
  EXPECT_GT(all.size(), 100u);
  for (const auto& [key, row] : probes_) EXPECT_EQ(all.count(key), 1u) << key;
  for (const auto& [key, reason] : kElsewhere) EXPECT_EQ(all.count(key), 1u) << key << reason;
}

}  // namespace
}  // namespace gvp::test
