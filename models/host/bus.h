// SPDX-License-Identifier: Apache-2.0
// What the processor core sees of the world: physical memory, time passing there, and streams.
// The SystemC module implements it with sockets, a unit test with an array.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gvp::host {

enum class BusStatus : uint8_t { kOkay, kExclusiveOkay, kDecodeError, kSlaveError };

inline bool is_error(BusStatus status) {
  return status == BusStatus::kDecodeError || status == BusStatus::kSlaveError;
}

enum class Port : uint8_t { kInstruction, kData };

// A range of physical addresses that may be accessed through a pointer.
struct DirectMemory {
  uint8_t* data = nullptr;  // of the byte at first
  uint32_t first = 0;       // byte addresses, both included
  uint32_t last = 0;
  bool readable = false;
  bool writable = false;
  uint32_t read_cycles = 0;  // latency of one access, beyond the instruction's own cycles
  uint32_t write_cycles = 0;
  // Who granted the pointer, a number of the bus's; accesses are counted for each.  0: nobody wants
  // to know of them.
  uint8_t source = 0;
};

// Accesses through pointers, by size: bytes, halfwords, words.
struct DirectCounts {
  std::array<uint64_t, 3> reads{};
  std::array<uint64_t, 3> writes{};
  static constexpr size_t size_index(uint32_t bytes) { return bytes >> 1; }
};

class Bus {
 public:
  virtual ~Bus() = default;
  // One aligned access of 1, 2 or 4 bytes; read() also a burst of 16, 32 or 64 bytes that fills a
  // cache line.  cycles: clock cycles since Engine::run() was called; the access adds its duration.
  virtual BusStatus read(Port port, uint32_t address, void* data, uint32_t bytes,
                         uint64_t& cycles) = 0;
  virtual BusStatus write(uint32_t address, const void* data, uint32_t bytes, uint64_t& cycles) = 0;
  // An AXI exclusive access (AxLOCK) of an aligned word: kExclusiveOkay if it was one.  kOkay: a
  // read or write of what knows no exclusive accesses, as here; or a write that found no
  // reservation and wrote nothing.
  virtual BusStatus read_exclusive(uint32_t address, void* data, uint64_t& cycles) {
    return read(Port::kData, address, data, 4, cycles);
  }
  virtual BusStatus write_exclusive(uint32_t address, const void* data, uint64_t& cycles) {
    return write(address, data, 4, cycles);
  }
  // A burst that writes a cache line of 16, 32 or 64 bytes back, of which only the words whose bit
  // in words is set (bit 0 is the first one's).
  virtual BusStatus write_line(uint32_t address, const void* data, uint32_t bytes, uint32_t words,
                               uint64_t& cycles) = 0;
  // Memory around an address, if it can be accessed directly.  If not, the range around it that
  // cannot, as far as it is known.
  virtual bool direct(Port port, uint32_t address, DirectMemory& memory) = 0;
};

// Is told of each instruction word that a unit (Engine::step()) takes from memory without direct
// access, before the unit executes; a timing model takes its figures from there.
class UnitObserver {
 public:
  virtual ~UnitObserver() = default;
  // In the order of addresses; address: virtual, of the word.
  virtual void fetched(uint32_t address, uint32_t word) = 0;
};

// The AXI4-Stream links (get, put).  False: the link has no data, or no space.
class StreamLinks {
 public:
  virtual ~StreamLinks() = default;
  virtual bool get(unsigned link, bool peek, uint32_t& data, bool& control) = 0;
  virtual bool put(unsigned link, bool probe, uint32_t data, bool control) = 0;
};

}  // namespace gvp::host
