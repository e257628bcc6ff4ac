// SPDX-License-Identifier: Apache-2.0
// The driver's interface (firmware/driver/gpgpu.h) over FlexGrip's functional core, so that
// programs for the board's processor run in a test of this machine: what firmware/cuda and the text
// that kcc --host-wrapper writes call, no more.  Cubins are read by the driver's own reader.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"
#include "tests/tools/kcc/machine_runner.h"

extern "C" {
#include "driver/module.h"

// bsp/timer.h, whose other functions are the board's
struct board_clocks {
  uint32_t processor_hz, timer_hz, uart16550_hz;
};
volatile struct board_clocks board_clocks = {100000000, 100000000, 100000000};
uint64_t timer_now(void);
}

namespace {

constexpr uint32_t kMemoryBytes = 1 << 20;
constexpr uint32_t kMostThreads = 512;
constexpr uint32_t kAlignment = 256;

std::vector<uint8_t> memory(kMemoryBytes);
std::map<uint32_t, uint32_t> allocations;  // bytes by address
std::map<const gpgpu_module*, gvp::gpgpu::g80::Module> modules;
std::string fault;
uint64_t now = 0;
gpgpu_fault no_fault{};

bool inside(uint32_t address, uint32_t bytes) {
  const auto after = allocations.upper_bound(address);
  if (after == allocations.begin()) return false;
  const auto& [begin, size] = *std::prev(after);
  return address - begin <= size && bytes <= size - (address - begin);
}

// As the driver loads them: variables at their addresses, constants as they have been written.
gvp::gpgpu::g80::Module as_loaded(const gpgpu_module* module) {
  gvp::gpgpu::g80::Module result = modules.at(module);
  result.relocations.clear();
  for (auto& segment : result.constants) {
    for (const gpgpu_constants* c = module->constants; c != nullptr; c = c->next) {
      if (segment.name == c->name) segment.words.assign(c->words, c->words + (c->bytes + 3) / 4);
    }
  }
  for (const gpgpu_variable* v = module->variables; v != nullptr; v = v->next)
    result.constants.push_back({"", v->bank, v->offset, 4, {v->address}});
  return result;
}

}  // namespace

extern "C" {

uint64_t timer_now(void) { return now += 1000; }

enum gpgpu_error gpgpu_open(struct gpgpu* gpu) {
  *gpu = {};
  gpu->properties.threads_per_block = kMostThreads;
  gpu->properties.sms = 1;
  gpu->properties.global_bytes = kMemoryBytes;
  return GPGPU_OK;
}
void gpgpu_reset(struct gpgpu*) { allocations.clear(); }

enum gpgpu_error gpgpu_allocate(struct gpgpu*, uint32_t bytes, gpgpu_address* address) {
  uint32_t begin = kAlignment;
  for (const auto& [at, size] : allocations) {
    if (at - begin >= bytes) break;
    begin = (at + size + kAlignment - 1) / kAlignment * kAlignment;
  }
  if (bytes > kMemoryBytes - begin) return GPGPU_OUT_OF_MEMORY;
  allocations[begin] = bytes;
  *address = begin;
  return GPGPU_OK;
}
uint32_t gpgpu_free_bytes(const struct gpgpu*) {
  uint32_t bytes = kMemoryBytes;
  for (const auto& [at, size] : allocations) bytes -= size;
  return bytes;
}
enum gpgpu_error gpgpu_free(struct gpgpu*, gpgpu_address address) {
  return allocations.erase(address) == 1 ? GPGPU_OK : GPGPU_INVALID_ARGUMENT;
}
enum gpgpu_error gpgpu_copy_to_device(struct gpgpu*, gpgpu_address to, const void* from,
                                      uint32_t bytes) {
  if (!inside(to, bytes)) return GPGPU_INVALID_ARGUMENT;
  std::memcpy(&memory[to], from, bytes);
  return GPGPU_OK;
}
enum gpgpu_error gpgpu_copy_from_device(struct gpgpu*, void* to, gpgpu_address from,
                                        uint32_t bytes) {
  if (!inside(from, bytes)) return GPGPU_INVALID_ARGUMENT;
  std::memcpy(to, &memory[from], bytes);
  return GPGPU_OK;
}
enum gpgpu_error gpgpu_copy_on_device(struct gpgpu*, gpgpu_address to, gpgpu_address from,
                                      uint32_t bytes) {
  if (!inside(to, bytes) || !inside(from, bytes)) return GPGPU_INVALID_ARGUMENT;
  std::memmove(&memory[to], &memory[from], bytes);
  return GPGPU_OK;
}

enum gpgpu_error gpgpu_module_load(struct gpgpu* gpu, const char* image, size_t bytes,
                                   struct gpgpu_module** module) {
  *module = new gpgpu_module{};
  const gpgpu_error error = cubin_read(image, bytes, *module);
  if (error != GPGPU_OK) return error;
  modules[*module] = gvp::gpgpu::g80::parse_cubin({image, bytes}, "image");
  for (gpgpu_variable* v = (*module)->variables; v != nullptr; v = v->next) {
    gpgpu_allocate(gpu, v->bytes, &v->address);
    if (v->words != nullptr) std::memcpy(&memory[v->address], v->words, v->bytes);
  }
  return GPGPU_OK;
}
void gpgpu_module_unload(struct gpgpu*, struct gpgpu_module* module) {
  modules.erase(module);
  module_discard(module);
  delete module;
}
enum gpgpu_error gpgpu_module_function(const struct gpgpu_module* module, const char* name,
                                       const struct gpgpu_function** function) {
  for (const gpgpu_function* f = module->functions; f != nullptr; f = f->next) {
    if (std::strcmp(f->name, name) != 0) continue;
    *function = f;
    return GPGPU_OK;
  }
  return GPGPU_NO_SUCH_FUNCTION;
}
enum gpgpu_error gpgpu_module_global(const struct gpgpu_module* module, const char* name,
                                     gpgpu_address* address, uint32_t* bytes) {
  for (const gpgpu_variable* v = module->variables; v != nullptr; v = v->next) {
    if (std::strcmp(v->name, name) != 0) continue;
    *address = v->address;
    *bytes = v->bytes;
    return GPGPU_OK;
  }
  return GPGPU_NO_SUCH_FUNCTION;
}
enum gpgpu_error gpgpu_module_write_constant(struct gpgpu*, struct gpgpu_module* module,
                                             const char* name, uint32_t offset, const void* data,
                                             uint32_t bytes) {
  for (gpgpu_constants* c = module->constants; c != nullptr; c = c->next) {
    if (std::strcmp(c->name, name) != 0) continue;
    std::memcpy(reinterpret_cast<char*>(c->words) + offset, data, bytes);
    return GPGPU_OK;
  }
  return GPGPU_NO_SUCH_FUNCTION;
}

enum gpgpu_error gpgpu_start(struct gpgpu*, const struct gpgpu_function* function,
                             const struct gpgpu_launch* launch) {
  if (launch->block_x * launch->block_y * launch->block_z > kMostThreads)
    return GPGPU_TOO_MANY_THREADS;
  if (4 * launch->parameter_count != function->parameter_bytes) return GPGPU_TOO_MANY_PARAMETERS;
  gvp::ptx::Grid grid;
  grid.grid_x = launch->grid_x;
  grid.grid_y = launch->grid_y;
  grid.block_x = launch->block_x;
  grid.block_y = launch->block_y;
  grid.block_z = launch->block_z;
  grid.dynamic_shared_bytes = launch->dynamic_shared_bytes;
  const std::vector<uint32_t> parameters(launch->parameters,
                                         launch->parameters + launch->parameter_count);
  fault = gvp::kcc::run_on_machine(as_loaded(function->module), function->name, grid, parameters,
                                   memory)
              .fault;
  return GPGPU_OK;
}
enum gpgpu_error gpgpu_wait(struct gpgpu*, uint32_t) {
  return fault.empty() ? GPGPU_OK : GPGPU_FAULT;
}
const struct gpgpu_fault* gpgpu_last_fault(const struct gpgpu*) { return &no_fault; }
void gpgpu_describe_fault(const struct gpgpu_fault*, char* text, size_t size) {
  std::snprintf(text, size, "%s", fault.c_str());
}

}  // extern "C"
