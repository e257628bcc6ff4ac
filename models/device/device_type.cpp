// SPDX-License-Identifier: Apache-2.0
#include "models/device/device_type.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/error.h"

namespace gvp::device {
namespace {

// Pointers to types stay valid when more are registered.
std::vector<std::unique_ptr<const DeviceType>>& registry() {
  static std::vector<std::unique_ptr<const DeviceType>> types;
  return types;
}

}  // namespace

bool DeviceType::has_clock_key() const {
  return std::any_of(keys.begin(), keys.end(),
                     [](const Key& key) { return key.name == "clock_hz"; });
}

void register_device_type(const DeviceType& type) {
  if (find_device_type(type.name) != nullptr)
    throw bad_input(fmt::format("there are two device types \"{}\"", type.name), {},
                    "give one of them another name");
  registry().push_back(std::make_unique<const DeviceType>(type));
}

const DeviceType* find_device_type(std::string_view name) {
  for (const auto& type : registry())
    if (type->name == name) return type.get();
  return nullptr;
}

std::vector<const DeviceType*> device_types() {
  std::vector<const DeviceType*> all;
  for (const auto& type : registry()) all.push_back(type.get());
  return all;
}

}  // namespace gvp::device
