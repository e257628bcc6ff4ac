// SPDX-License-Identifier: Apache-2.0
// Reading a device from TOML.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/ddr3/device.h"
#include "models/ddr3/device_files.h"

namespace gvp::ddr3 {
namespace {

// One table of the file: takes entries out by name and complains about what is left.
class Section {
 public:
  Section(const toml::table& root, const std::string& name, const std::string& file)
      : name_(name), file_(file) {
    const toml::node* node = root.get(name);
    if (node == nullptr || !node->is_table())
      throw bad_input(fmt::format("there is no table [{}]", name), {file_});
    table_ = node->as_table();
  }
  Section(const toml::table& table, const std::string& name, const std::string& file, bool)
      : name_(name), file_(file), table_(&table) {}

  std::string text(const char* key) {
    const auto value = take(key).value<std::string>();
    if (!value) fail(key, "must be a text");
    return *value;
  }
  double positive(const char* key) {
    const auto value = take(key).value<double>();
    if (!value || !(*value > 0) || *value > 1e6)
      fail(key, "must be a number above 0, 1000000 at most");
    return *value;
  }
  unsigned count(const char* key) {
    const auto value = take(key).value<int64_t>();
    if (!value || *value <= 0 || *value > (1 << 24))
      fail(key, "must be a whole number above 0, 16777216 at most");
    return static_cast<unsigned>(*value);
  }
  unsigned power_of_two(const char* key) {
    const unsigned value = count(key);
    if ((value & (value - 1)) != 0) fail(key, "must be a power of two");
    return value;
  }
  void finish() {
    for (const auto& [key, value] : *table_)
      if (taken_.count(std::string(key.str())) == 0)
        throw bad_input(fmt::format("unknown key \"{}\" in [{}]", key.str(), name_),
                        {file_, value.source().begin.line, value.source().begin.column});
  }

 private:
  const toml::node& take(const char* key) {
    taken_.insert(key);
    const toml::node* node = table_->get(key);
    if (node == nullptr)
      throw bad_input(fmt::format("[{}] lacks \"{}\"", name_, key),
                      {file_, table_->source().begin.line, 0});
    return *node;
  }
  [[noreturn]] void fail(const char* key, const char* rule) {
    const auto begin = table_->get(key)->source().begin;
    throw bad_input(fmt::format("\"{}.{}\" {}", name_, key, rule),
                    {file_, begin.line, begin.column});
  }

  std::string name_;
  std::string file_;
  const toml::table* table_ = nullptr;
  std::set<std::string> taken_;
};

void read_module(Section section, Device& device) {
  device.name = section.text("name");
  device.data_bits = section.power_of_two("data_bits");
  device.banks = section.power_of_two("banks");
  device.rows = section.power_of_two("rows");
  device.columns = section.power_of_two("columns");
  device.burst_length = section.power_of_two("burst_length");
  section.finish();
  if (device.data_bits < 8 || device.burst_length != 8 || device.columns < 8 || device.banks > 32)
    throw bad_input(fmt::format("module {} is no DDR3: it needs at least 8 data bits, bursts of 8, "
                                "at most 32 banks",
                                device.name),
                    {device.file});
}

void read_timing(Section section, Device& device) {
  device.trcd = section.positive("trcd");
  device.trp = section.positive("trp");
  device.tras = section.positive("tras");
  device.trc = section.positive("trc");
  device.trrd = section.positive("trrd");
  device.trrd_cycles = section.count("trrd_cycles");
  device.tfaw = section.positive("tfaw");
  device.twr = section.positive("twr");
  device.twtr = section.positive("twtr");
  device.twtr_cycles = section.count("twtr_cycles");
  device.trtp = section.positive("trtp");
  device.trtp_cycles = section.count("trtp_cycles");
  device.tccd_cycles = section.count("tccd_cycles");
  device.trfc = section.positive("trfc");
  device.trefi = section.positive("trefi");
  section.finish();
}

void read_speeds(const toml::table& root, const std::string& file, Device& device) {
  const toml::node* node = root.get("speed");
  const toml::array* grades = node == nullptr ? nullptr : node->as_array();
  if (grades == nullptr || grades->empty()) throw bad_input("there is no [[speed]]", {file});
  for (const toml::node& each : *grades) {
    if (!each.is_table()) throw bad_input("speed must be a list of tables", {file});
    Section section(*each.as_table(), "speed", file, true);
    SpeedGrade grade;
    grade.tck_min = section.positive("tck_min");
    grade.tck_max = section.positive("tck_max");
    grade.cl = section.count("cl");
    grade.cwl = section.count("cwl");
    section.finish();
    device.speeds.push_back(grade);
  }
}

void read_currents(Section section, const std::string& file, Device& device) {
  Currents& c = device.currents.emplace();
  c.vdd = section.positive("vdd");
  c.tck = section.positive("tck");
  c.components = section.count("components");
  c.idd0 = section.positive("idd0");
  c.idd2n = section.positive("idd2n");
  c.idd3n = section.positive("idd3n");
  c.idd4r = section.positive("idd4r");
  c.idd4w = section.positive("idd4w");
  c.idd5b = section.positive("idd5b");
  section.finish();
  const double standing_by = c.idd3n * device.tras + c.idd2n * (device.trc - device.tras);
  if (device.trc < device.tras || c.idd0 * device.trc < standing_by || c.idd4r < c.idd3n ||
      c.idd4w < c.idd3n || c.idd5b < c.idd2n)
    throw bad_input(
        "[currents] has an operation that takes less than standing by does", {file},
        "give idd0, idd4r, idd4w and idd5b as the data sheet has them, in mA, with idd2n "
        "and idd3n of the same clock");
}

}  // namespace

Device parse_device(std::string_view text, const std::string& file) {
  toml::table root;
  try {
    root = toml::parse(text, std::string_view(file));
  } catch (const toml::parse_error& error) {
    throw bad_input(std::string(error.description()),
                    {file, error.source().begin.line, error.source().begin.column});
  }
  for (const auto& [key, value] : root)
    if (key != "module" && key != "timing" && key != "speed" && key != "currents")
      throw bad_input(fmt::format("unknown table \"{}\"", key.str()),
                      {file, value.source().begin.line, value.source().begin.column},
                      "known are module, timing, speed, currents");
  Device device;
  device.file = file;
  read_module(Section(root, "module", file), device);
  read_timing(Section(root, "timing", file), device);
  read_speeds(root, file, device);
  if (root.contains("currents")) read_currents(Section(root, "currents", file), file, device);
  return device;
}

std::vector<std::string> known_devices() {
  std::vector<std::string> names;
  for (const DeviceFile& each : kDeviceFiles) names.emplace_back(each.name);
  return names;
}

Device find_device(const std::string& name_or_path) {
  for (const DeviceFile& each : kDeviceFiles)
    if (name_or_path == each.name) return parse_device(each.text, name_or_path + ".toml");
  std::error_code error;
  const auto status = std::filesystem::status(name_or_path, error);
  if (!std::filesystem::exists(status) || std::filesystem::is_directory(status)) {
    std::string names;
    for (const std::string& each : known_devices()) names += (names.empty() ? "" : ", ") + each;
    throw bad_input(fmt::format("there is no DDR3 device or file \"{}\"", name_or_path),
                    {"ddr3.device"}, "give a path to a device file or one of " + names);
  }
  constexpr FileKind kDeviceFile{"a DDR3 device file", 1u << 20};
  return parse_device(read_whole_file(name_or_path, kDeviceFile), name_or_path);
}

}  // namespace gvp::ddr3
