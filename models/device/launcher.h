// SPDX-License-Identifier: Apache-2.0
// How a kernel is launched on a device without a host: what gpgpu-run knows of a type of device.
// A launcher reads the file with the kernel, says what does not fit the device, loads memories and
// then does what a driver would do: writes registers, waits for the interrupt, reads what came out.
// It reaches the board through a LaunchPort alone.
// Addresses and sizes are bytes.
// Not here: command lines and files with the contents of memories; those are gpgpu-run's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gvp::device {

struct ConstantWords {
  uint32_t bank;
  uint32_t offset;
  std::vector<uint32_t> words;
};

// One launch, as the user describes it.
struct LaunchRequest {
  std::string file;      // with the kernel
  std::string assembly;  // of the kernel, in place of the file's contents; "": there is a file
  std::string kernel;    // its name there; "": the only one
  bool is_bare = false;  // the file has code alone, and the next two say what else there is to know
  uint32_t registers = 0;      // per thread
  uint32_t shared_bytes = 0;   // static
  uint32_t dynamic_bytes = 0;  // of shared memory, added to the static
  std::array<uint32_t, 2> grid{1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t blocks_per_sm = 0;  // 0: as many as fit
  std::vector<uint32_t> parameters;
  std::vector<ConstantWords> constants;
  bool any_register = false;  // also those beyond the kernel's own
};

// Where a memory of the board lies on the bus.
struct MemoryRange {
  std::string device;
  uint64_t base;
  uint64_t bytes;
};

// Global memory as the kernels of a device address it.
struct GlobalMemory {
  uint64_t base;        // of the data that a user puts there
  uint64_t bytes;       // from there on
  uint64_t bus_offset;  // what is added to a kernel's address on the bus
  bool is_private;      // kernels reach nothing else
  std::string remedy;   // where it is too small
};

// A variable of the kernel's file in global memory.
struct Variable {
  std::string name;
  uint32_t address;
  uint32_t bytes;
  std::vector<uint32_t> words;  // what it begins with
};

struct LaunchResult {
  bool done = false;        // else refused or stopped
  bool is_refused = false;  // before it began: the device cannot run it
  std::string cause;        // why, for people
  std::string place;        // where it was stopped
  uint64_t cycles = 0;
  uint64_t warp_instructions = 0;
  uint64_t thread_instructions = 0;
};

// The board, as far as launchers use it.
class LaunchPort {
 public:
  virtual ~LaunchPort() = default;
  // A word over the bus, from a process; takes simulated time.  Throw Error (model error) for an
  // error response.
  virtual uint32_t read(uint64_t address) = 0;
  virtual void write(uint64_t address, uint32_t word) = 0;
  // Untimed; the number of bytes that exist.
  virtual uint64_t debug_read(uint64_t address, void* data, uint64_t bytes) = 0;
  virtual uint64_t debug_write(uint64_t address, const void* data, uint64_t bytes) = 0;
  // From a process: returns when this interrupt output of the device is high.
  virtual void wait_for_interrupt(const std::string& output) = 0;
};

class Launcher {
 public:
  virtual ~Launcher() = default;
  virtual const std::string& kernel() const = 0;  // its name
  virtual const GlobalMemory& global_memory() const = 0;
  virtual const std::vector<Variable>& variables() const = 0;
  // Untimed: code and constants.  Variables are whoever's who loads global memory.
  virtual void load(LaunchPort& port) = 0;
  // From a process: configures the device, starts it and waits until the kernel has ended.
  virtual void launch(LaunchPort& port) = 0;
  // From a process, after that.
  virtual LaunchResult result(LaunchPort& port) = 0;
};

}  // namespace gvp::device
