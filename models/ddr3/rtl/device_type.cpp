// SPDX-License-Identifier: Apache-2.0
// The DDR3 memory of a board, with its controller as RTL among its models.
#include "models/ddr3/device_type.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "models/ddr3/rtl/rtl_memory.h"
#include "models/rtl/model_name.h"

namespace gvp::ddr3 {
namespace {

using namespace device;

Parts make_rtl(const Instance& instance, const Surroundings& surroundings) {
  auto memory =
      std::make_unique<RtlMemory>(instance.name.c_str(), rtl::block_of(instance.model, "axi_ddr3"),
                                  instance.as<Configuration>(), surroundings.seed);
  RtlMemory& m = *memory;
  Parts parts;
  parts.targets = {{"", &m.socket()}};
  parts.statistics = [&m] { return m.statistics(); };
  parts.protocol_violations = [&m] { return m.violations(); };
  parts.open_wave = [&m](const std::string& file) { m.block().open_wave(file); };
  parts.module = std::move(memory);
  return parts;
}

}  // namespace

DeviceType ddr3_type_with_rtl() {
  DeviceType type = ddr3_type();
  type.models.emplace_back("rtl");
  type.make = [make_model = type.make](const Instance& instance, Surroundings& surroundings) {
    return rtl::is_rtl(instance.model) ? make_rtl(instance, surroundings)
                                       : make_model(instance, surroundings);
  };
  return type;
}

}  // namespace gvp::ddr3
