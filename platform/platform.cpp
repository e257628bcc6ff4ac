// SPDX-License-Identifier: Apache-2.0
#include "platform/platform.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/base/files.h"
#include "platform/firmware_clocks.h"

namespace gvp::platform {
namespace {

host::Symbols symbols_of(const ElfFile& firmware) {
  const auto table = std::make_shared<const SymbolTable>(firmware.symbols);
  host::Symbols symbols;
  symbols.describe = [table](uint32_t address) { return table->describe(address); };
  symbols.function = [table](uint32_t address, std::string& name, uint32_t& start) {
    const Symbol* symbol = table->find_function(address);
    if (symbol == nullptr) return false;
    name = symbol->name;
    start = symbol->address;
    return true;
  };
  for (const CallFrameSection& section : firmware.call_frames)
    symbols.call_frames.push_back({section.bytes, section.address, section.is_exception});
  symbols.big_endian = firmware.big_endian;
  return symbols;
}

}  // namespace

// "the memories of board ml605: ddr3 from 0x50000000 to 0x6fffffff, ..."
std::string Platform::memories_text() const {
  std::vector<std::string> memories;
  for (const device::Instance& device : configuration_.devices)
    for (const PlacedWindow& placed : placed_windows(configuration_, device)) {
      const bool is_memory = configuration_.board().find(device.name)->type->is_memory;
      if (!is_memory && !placed.window.local) continue;
      const uint64_t base = placed.place->base;
      memories.push_back(fmt::format("{} from {:#010x} to {:#010x}", device.name, base,
                                     base + placed.window.size - 1));
    }
  return fmt::format("the memories of board {}: {}", configuration_.board().name,
                     fmt::join(memories, ", "));
}

// Writing a register may do anything; what is loaded goes into memory, but not where a device keeps
// its own data.
void Platform::refuse_registers(const std::string& what, uint64_t begin, uint64_t end,
                                const std::string& file) const {
  for (const device::KeptMemory& kept : kept_memories(configuration_))
    if (begin < kept.base + kept.bytes && kept.base < end)
      throw bad_input(fmt::format("{} ({:#010x} to {:#010x}) lies where {} are, from {:#010x}",
                                  what, begin, end - 1, kept.what, kept.base),
                      {file}, fmt::format("move it, or set {}", kept.key));
  for (const device::Instance& device : configuration_.devices)
    for (const PlacedWindow& placed : placed_windows(configuration_, device)) {
      if (!placed.window.lite || placed.place->bus.empty()) continue;
      const uint64_t base = placed.place->base;
      if (end <= base || begin >= base + placed.window.size) continue;
      throw bad_input(
          fmt::format("{} ({:#010x} to {:#010x}) lies in the registers of {}, from {:#010x}", what,
                      begin, end - 1,
                      configuration_.find_bus(placed.place->bus)
                          ->find(device.name, placed.window.name, false)
                          ->name,
                      base),
          {file}, "check it against " + memories_text());
    }
}

void Platform::load(const ElfFile& firmware) {
  for (const Segment& segment : firmware.segments)
    refuse_registers(fmt::format("segment {}", segment.index), segment.address,
                     uint64_t{segment.address} + segment.memory_bytes, firmware.name);
  platform::load(firmware, {[this](uint32_t address, void* data, size_t size) {
                              return host_->debug_read(address, data, size);
                            },
                            [this](uint32_t address, const void* data, size_t size) {
                              return host_->debug_write(address, data, size);
                            },
                            "check the linker script against " + memories_text()});
  for (const Segment& segment : firmware.segments)
    show_gpgpus({reinterpret_cast<const char*>(firmware.image.data() + segment.file_offset),
                 segment.file_bytes});
  pass_clocks(firmware, configuration_, *host_);
  host_->set_start_address(firmware.entry);
  host_->set_symbols(symbols_of(firmware));
}

void Platform::show_gpgpus(std::string_view contents) {
  for (gpgpu::Device* gpgpu : gpgpus_) gpgpu->learn_source_lines(contents);
}

void Platform::pass_arguments(const ElfFile& firmware, const std::string& text) {
  const Symbol* symbol = firmware.symbols.find(std::string_view("program_argument_text"));
  if (symbol == nullptr)
    throw bad_input("this firmware takes no arguments", {firmware.name},
                    "it has no array program_argument_text; see docs/firmware.md");
  for (const char character : text)
    if (character < ' ' || character > '~')
      throw bad_input(fmt::format("the arguments have a byte {:#04x} in them",
                                  static_cast<unsigned char>(character)),
                      {"--arguments"}, "firmware takes printable ASCII");
  const size_t bytes = text.size() + 1;
  if (bytes > symbol->size)
    throw bad_input(fmt::format("arguments of {} characters; this firmware takes {}", text.size(),
                                symbol->size == 0 ? 0 : symbol->size - 1),
                    {firmware.name});
  host_->debug_write(symbol->address, text.c_str(), bytes);
}

void Platform::load_file(const ElfFile& firmware, const std::string& where,
                         const std::string& path) {
  constexpr size_t kMostBytes = size_t{256} << 20;
  uint64_t address = 0;
  size_t most_bytes = kMostBytes;
  std::string kind = "a file to load";
  const Symbol* size = nullptr;
  if (std::isdigit(static_cast<unsigned char>(where[0])) != 0) {
    char* end = nullptr;
    errno = 0;
    address = std::strtoull(where.c_str(), &end, 0);
    if (*end != '\0' || errno != 0 || address > UINT32_MAX)
      throw bad_input(fmt::format("\"{}\" is no address", where), {"--load " + where},
                      "a number of 32 bits, such as 0x56000000");
  } else {
    const Symbol* array = firmware.symbols.find(std::string_view(where));
    if (array == nullptr)
      throw bad_input(fmt::format("the firmware has no array {}", where), {firmware.name},
                      "docs/firmware.md says how a program takes files; an address is taken, too");
    address = array->address;
    most_bytes = array->size;
    kind = "a file in the array " + where;
    size = firmware.symbols.find(std::string_view(where + "_bytes"));
  }
  const std::string content = read_whole_file(path, {kind.c_str(), most_bytes});
  if (content.empty()) throw bad_input("the file to load is empty", {path});
  refuse_registers("the file", address, address + content.size(), path);
  const uint64_t end = address + content.size();
  const size_t done =
      end > uint64_t{UINT32_MAX} + 1
          ? 0
          : host_->debug_write(static_cast<uint32_t>(address), content.data(), content.size());
  if (done < content.size())
    throw bad_input(fmt::format("a file of {} bytes does not fit at {:#010x}: there is no memory "
                                "at {:#010x}",
                                content.size(), address, address + done),
                    {path}, "choose an address of " + memories_text());
  show_gpgpus(content);
  if (size == nullptr || size->size != sizeof(uint32_t)) return;
  std::array<uint8_t, sizeof(uint32_t)> word{};
  for (size_t i = 0; i < word.size(); ++i)
    word[firmware.big_endian ? word.size() - 1 - i : i] =
        static_cast<uint8_t>(content.size() >> (8 * i));
  host_->debug_write(size->address, word.data(), word.size());
}

uint16_t Platform::attach_debugger(uint16_t port) {
  const uint16_t listening = host_->attach_debugger(port);
  host_->add_monitor_command("gpgpu", "the kernel that runs or ran last", [this](const auto&) {
    std::string text;
    for (const gpgpu::Device* gpgpu : gpgpus_) {
      const gpgpu::Progress progress = gpgpu->progress();
      if (gpgpus_.size() > 1) text += fmt::format("{}: ", gpgpu->basename());
      if (progress.kernels_started == 0)
        text += "no kernel has been started\n";
      else
        text += fmt::format("kernel {}: {}, {} of {} blocks done\n", progress.kernels_started,
                            progress.running ? "running" : "ended", progress.blocks_done,
                            progress.blocks_total);
    }
    return text;
  });
  host_->add_monitor_command("reset-line",
                             "LINE: pull a reset line of the board; without LINE: which there are",
                             [this](const std::string& line) { return obey_reset(line); });
  host_->add_monitor_command("stats", "statistics of the whole board",
                             [this](const auto&) { return statistics().dump(2) + '\n'; });
  return listening;
}

std::string Platform::obey_reset(const std::string& line) {
  const Board& board = configuration_.board();
  if (board.find_reset(line) != nullptr) {
    reset(line);
    return fmt::format("{} pulled; what is on it is as after power-on\n", line);
  }
  std::string text = board.resets.empty() ? "this board has no reset lines\n" : "";
  for (const BoardReset& each : board.resets)
    text += fmt::format("{:<12} {}\n", each.name, each.description);
  return text;
}

void Platform::reset(const std::string& line) {
  for (const BuiltDevice& device : devices_)
    if (device.board->reset == line && device.parts.reset) device.parts.reset();
}

void Platform::reset_at(const std::string& line, uint64_t time_ps) {
  const sc_core::sc_time time(static_cast<double>(time_ps), sc_core::SC_PS);
  sc_core::sc_spawn(
      [this, line, time] {
        sc_core::wait(time);
        reset(line);
      },
      sc_core::sc_gen_unique_name("reset"));
}

const sc_core::sc_out<bool>& Platform::interrupt(std::string_view device,
                                                 std::string_view output) const {
  for (const BuiltDevice& each : devices_)
    if (each.instance->name == device)
      for (const device::Parts::Interrupt& part : each.parts.interrupts)
        if (part.output == output) return *part.line;
  throw model_error(fmt::format("{} has no interrupt \"{}\"", device, output));
}

gpgpu::Device* Platform::gpgpu(std::string_view name) const {
  for (gpgpu::Device* each : gpgpus_)
    if (each->basename() == name) return each;
  return nullptr;
}

std::vector<uint64_t> Platform::bus_busy_ps() const {
  std::vector<uint64_t> all;
  for (const auto& [name, bus] : buses_) {
    const std::vector<uint64_t> busy = bus.interconnect->busy_ps();
    all.insert(all.end(), busy.begin(), busy.end());
  }
  return all;
}

void Platform::poll_serial_lines() {
  for (const auto& line : lines_) line->poll();
}

void Platform::flush_serial_lines() {
  for (const BuiltDevice& device : devices_)
    if (device.parts.flush) device.parts.flush();
  for (const auto& line : lines_) line->flush();
}

// By device: what opens a file of its waves.  only: that one; "": all.
std::vector<std::pair<std::string, Platform::OpenWave>> Platform::wave_blocks(
    const std::string& only) const {
  std::vector<std::pair<std::string, OpenWave>> blocks;
  for (const BuiltDevice& device : devices_)
    if (device.parts.open_wave) blocks.emplace_back(device.instance->name, device.parts.open_wave);
  for (const auto& [name, bus] : buses_)
    if (bus.interconnect->is_rtl())
      blocks.emplace_back(name, [interconnect = bus.interconnect.get()](const std::string& own) {
        interconnect->open_wave(own);
      });
  if (only.empty()) return blocks;
  std::vector<std::string> names;
  for (const auto& [name, open] : blocks) {
    if (name == only) return {std::pair<std::string, OpenWave>(name, open)};
    names.push_back(name);
  }
  if (names.empty()) return {};
  throw bad_input(fmt::format("no device \"{}\" of this board is RTL", only), {"--wave"},
                  fmt::format("RTL: {}", fmt::join(names, ", ")));
}

std::vector<std::string> Platform::wave_files(const std::string& file,
                                              const std::string& device) const {
  const auto blocks = wave_blocks(device);
  if (blocks.size() == 1) return {file};
  const std::filesystem::path path(file);
  std::vector<std::string> files;
  for (const auto& [name, open] : blocks) {
    std::filesystem::path own = path;
    own.replace_filename(path.stem().string() + '.' + name + path.extension().string());
    files.push_back(own.string());
  }
  return files;
}

void Platform::open_waves(const std::string& file, const std::string& device) {
  const auto blocks = wave_blocks(device);
  if (blocks.empty())
    throw bad_input("no device of this board is RTL", {"--wave"},
                    "choose one, such as --model timer=rtl");
  const std::vector<std::string> files = wave_files(file, device);
  for (size_t i = 0; i < blocks.size(); ++i) blocks[i].second(files[i]);
}

uint64_t Platform::protocol_violations() const {
  uint64_t sum = 0;
  for (const auto& [name, bus] : buses_)
    sum += bus.checks->violations() + bus.interconnect->protocol_violations();
  for (const BuiltDevice& device : devices_)
    if (device.parts.protocol_violations) sum += device.parts.protocol_violations();
  return sum;
}

nlohmann::ordered_json Platform::statistics() const {
  if (host_ != nullptr) host_->account_for_direct();
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  auto device = devices_.begin();
  for (const device::Instance& instance : configuration_.devices) {
    const auto bus = buses_.find(instance.name);
    if (bus != buses_.end()) {
      nlohmann::ordered_json& json = all[instance.name] = bus->second.interconnect->statistics();
      if (bus->second.checks->enabled()) json["protocol_check"] = bus->second.checks->to_json();
      continue;
    }
    if (device->parts.statistics) all[instance.name] = device->parts.statistics();
    ++device;
  }
  return all;
}

}  // namespace gvp::platform
