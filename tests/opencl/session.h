// SPDX-License-Identifier: Apache-2.0
// An OpenCL program on one compute unit, as a host sees it: buffers, kernels by name, launches.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "models/gpgpu/miaow/grid/global_memory.h"
#include "models/gpgpu/miaow/grid/grid.h"
#include "models/gpgpu/southern_islands/code_object.h"

namespace gvp::test {

using Extents = std::array<uint32_t, 3>;

// Compiled once for each source and options.
const gpgpu::southern_islands::CodeObject& compiled(const std::string& source,
                                                    const std::vector<std::string>& options);

class Session {
 public:
  // source: its name in firmware/kernels/opencl.
  Session(const std::string& source, const std::vector<std::string>& options,
          bool approximately_timed);

  // Another source for the kernels that are launched next; buffers stay.
  void use(const std::string& source, const std::vector<std::string>& options);

  template <typename T>
  uint32_t put(const std::vector<T>& values) {
    const uint32_t at = reserve(values.size() * sizeof(T));
    set(at, values);
    return at;
  }
  template <typename T>
  void set(uint32_t at, const std::vector<T>& values) {
    std::memcpy(memory_.data() + at, values.data(), values.size() * sizeof(T));
  }
  template <typename T>
  std::vector<T> get(uint32_t at, std::size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), memory_.data() + at, count * sizeof(T));
    return values;
  }
  uint32_t reserve(uint64_t bytes);

  // A grid of so many work-items, in groups of `local`, which divides them.  Throws Error where the
  // kernel does not end.
  template <typename... Arguments>
  void run(const std::string& kernel, const Extents& global, const Extents& local,
           Arguments... arguments) {
    launch(kernel, global, local, {std::to_string(arguments)...});
  }

  // Of all launches.
  uint64_t cycles() const { return cycles_; }
  uint64_t instructions() const { return instructions_; }
  uint64_t lane_instructions() const { return lane_instructions_; }
  uint64_t launches() const { return launches_; }

 private:
  void launch(const std::string& kernel, const Extents& global, const Extents& local,
              const std::vector<std::string>& arguments);

  gpgpu::miaow::GridMemory memory_;
  bool approximately_timed_;
  const gpgpu::southern_islands::CodeObject* object_ = nullptr;
  std::unique_ptr<gpgpu::miaow::Grid> grid_;
  uint32_t next_ = gpgpu::miaow::kNullPageBytes;
  uint64_t cycles_ = 0;
  uint64_t instructions_ = 0;
  uint64_t lane_instructions_ = 0;
  uint64_t launches_ = 0;
};

}  // namespace gvp::test
