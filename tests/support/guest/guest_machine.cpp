// SPDX-License-Identifier: Apache-2.0
#include "tests/support/guest/guest_machine.h"

#include <algorithm>
#include <new>

namespace gvp::test {
namespace {

constexpr uint32_t kLocalBytes = 128u << 10;
constexpr uint32_t kTransmitterEmpty = 0x60;  // line status: holding and shift register empty

}  // namespace

GuestBus::GuestBus(uint32_t ram_bytes)
    : local_(kLocalBytes),
      ram_(static_cast<uint8_t*>(std::calloc(ram_bytes, 1)), &std::free),
      ram_bytes_(ram_bytes) {
  if (!ram_) throw std::bad_alloc();
}

uint8_t* GuestBus::bytes(uint32_t address, size_t& available) {
  if (address < local_.size()) {
    available = local_.size() - address;
    return &local_[address];
  }
  if (address - kRam < ram_bytes_) {
    available = ram_bytes_ - (address - kRam);
    return ram_.get() + (address - kRam);
  }
  available = 0;
  return nullptr;
}

host::BusStatus GuestBus::read(host::Port, uint32_t address, void* data, uint32_t bytes,
                               uint64_t&) {
  size_t available = 0;
  if (const uint8_t* from = this->bytes(address, available); available >= bytes) {
    std::memcpy(data, from, bytes);
    return host::BusStatus::kOkay;
  }
  if (address < kDevices) return host::BusStatus::kDecodeError;
  const uint32_t value = address == kLineStatus ? kTransmitterEmpty : 0;
  std::memcpy(data, &value, bytes);
  return host::BusStatus::kOkay;
}

host::BusStatus GuestBus::write(uint32_t address, const void* data, uint32_t bytes, uint64_t&) {
  size_t available = 0;
  if (uint8_t* to = this->bytes(address, available); available >= bytes) {
    std::memcpy(to, data, bytes);
    return host::BusStatus::kOkay;
  }
  if (address < kDevices) return host::BusStatus::kDecodeError;
  if (address == kSerial) output += *static_cast<const char*>(data);
  return host::BusStatus::kOkay;
}

host::BusStatus GuestBus::write_line(uint32_t address, const void* data, uint32_t bytes,
                                     uint32_t words, uint64_t& cycles) {
  host::BusStatus status = host::BusStatus::kOkay;
  for (uint32_t i = 0; i < bytes && status == host::BusStatus::kOkay; i += 4)
    if ((words >> (i / 4) & 1) != 0)
      status = write(address + i, static_cast<const uint8_t*>(data) + i, 4, cycles);
  return status;
}

bool GuestBus::direct(host::Port, uint32_t address, host::DirectMemory& memory) {
  const auto describe = [&](uint8_t* storage, size_t bytes, uint32_t base) {
    const auto last = static_cast<uint32_t>(base + (bytes - 1));
    memory = {storage, base, last, true, true, 0, 0};
    return true;
  };
  if (address < local_.size()) return describe(local_.data(), local_.size(), 0);
  if (address - kRam < ram_bytes_) return describe(ram_.get(), ram_bytes_, kRam);
  return false;
}

GuestMachine::GuestMachine(const host::Configuration& configuration, uint32_t ram_bytes)
    : bus(ram_bytes), engine(configuration, bus) {}

void GuestMachine::load(const platform::ElfFile& file) {
  platform::LoaderMemory memory;
  memory.read = [this](uint32_t address, void* data, size_t size) {
    size_t available = 0;
    const uint8_t* from = bus.bytes(address, available);
    const size_t n = std::min(size, available);
    if (n > 0) std::memcpy(data, from, n);
    return n;
  };
  memory.write = [this](uint32_t address, const void* data, size_t size) {
    size_t available = 0;
    uint8_t* to = bus.bytes(address, available);
    const size_t n = std::min(size, available);
    if (n > 0) std::memcpy(to, data, n);
    return n;
  };
  platform::load(file, memory);
  engine.state().pc = file.entry;
  engine.set_symbolizer([&symbols = file.symbols](uint32_t pc) { return symbols.describe(pc); });
}

GuestMachine::Result GuestMachine::run(uint64_t max_cycles) {
  constexpr uint32_t kSlice = 1u << 24;
  Result result;
  for (uint64_t cycles = 0; cycles < max_cycles;) {
    const host::Engine::Run run = engine.run(kSlice);
    cycles += run.cycles;
    result.instructions += run.instructions;
    if (run.exit == host::Engine::Exit::kSelfBranch) {
      result.finished = true;
      result.exit_code = engine.state().r[3];
      return result;
    }
    if (run.exit == host::Engine::Exit::kLimit) continue;
    result.error = run.exit == host::Engine::Exit::kError
                       ? engine.error()
                       : "stopped for ever at " + engine.describe(engine.state().pc);
    return result;
  }
  result.error = "cycle limit reached at " + engine.describe(engine.state().pc);
  return result;
}

}  // namespace gvp::test
