// SPDX-License-Identifier: Apache-2.0
// A MIAOW device with an initiator that drives it as the published programs' driver does.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/gpgpu/miaow/device.h"
#include "models/gpgpu/miaow/miaow_registers.h"
#include "models/gpgpu/southern_islands/assembler.h"
#include "tests/support/initiator.h"

namespace gvp::gpgpu::miaow {

class Driver {
 public:
  explicit Driver(const std::string& model = "lt", const Configuration& configuration = {},
                  const std::string& name = "driver")
      : device(make_miaow((name + "_gpgpu").c_str(), model, configuration)),
        bus((name + "_bus").c_str()) {
    bus.socket.bind(*device->windows().at(0).socket);
  }

  void write(uint32_t offset, uint32_t value) { bus.write32(offset, value); }
  uint32_t read(uint32_t offset) { return bus.read32(offset); }

  void reset() {
    for (const uint32_t level : {0u, 1u, 0u}) write(MIAOW_RESET, level);
  }
  void write_scalars(uint32_t first, const std::vector<uint32_t>& words) {
    for (uint32_t i = 0; i < words.size(); i += 4) {
      write(MIAOW_QUAD_BASE, first + i);
      for (uint32_t j = 0; j < 4; ++j)
        write(MIAOW_QUAD_DATA(j), i + j < words.size() ? words[i + j] : 0);
      write(MIAOW_QUAD_COMMIT, 1);
    }
  }
  std::vector<uint32_t> read_quad(uint32_t first) {
    write(MIAOW_QUAD_BASE, first);
    std::vector<uint32_t> words;
    for (uint32_t i = 0; i < 4; ++i) words.push_back(read(MIAOW_QUAD_DATA(i)));
    return words;
  }
  void clear_vectors(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      write(MIAOW_VECTOR_INDEX, i);
      write(MIAOW_VECTOR_CLEAN, 1);
      write(MIAOW_VECTOR_COMMIT, 1);
    }
  }
  void write_vector(uint32_t index, const std::vector<uint32_t>& lanes) {
    write(MIAOW_VECTOR_INDEX, index);
    for (uint32_t lane = 0; lane < lanes.size(); ++lane)
      write(MIAOW_VECTOR_DATA(lane), lanes[lane]);
    write(MIAOW_VECTOR_COMMIT, 1);
  }
  std::vector<uint32_t> read_vector(uint32_t index) {
    write(MIAOW_VECTOR_INDEX, index);
    std::vector<uint32_t> lanes;
    for (uint32_t lane = 0; lane < 64; ++lane) lanes.push_back(read(MIAOW_VECTOR_DATA(lane)));
    return lanes;
  }
  void write_code(const std::vector<uint32_t>& words) {
    for (uint32_t i = 0; i < words.size(); ++i) {
      write(MIAOW_INSTRUCTION_INDEX, i);
      write(MIAOW_INSTRUCTION, words[i]);
    }
  }
  void write_code(const std::string& source) {
    write_code(southern_islands::assemble(source, "test").words);
  }
  void write_prefetch(uint32_t address, uint32_t word) {
    write(MIAOW_PREFETCH_ADDRESS, address);
    write(MIAOW_LOAD_DATA, word);
    write(MIAOW_DONE, 1);
    write(MIAOW_DONE, 0);
  }
  uint32_t read_prefetch(uint32_t address) {
    write(MIAOW_PREFETCH_ADDRESS, address);
    return read(MIAOW_STORE_DATA);
  }

  // Starts, serves memory from `memory`, until the end; the cycles.
  uint32_t launch() {
    write(MIAOW_START, 1);
    for (unsigned polls = 0; read(MIAOW_FINISHED) == 0; ++polls) {
      if (polls > 100'000) {
        ADD_FAILURE() << "the wavefront does not end";
        break;
      }
      serve();
    }
    return read(MIAOW_CYCLES);
  }

  // Serves memory until then; false: it takes too long.
  template <typename Done>
  bool serve_until(Done done) {
    for (unsigned polls = 0; polls < 10'000; ++polls) {
      if (done()) return true;
      serve();
    }
    return false;
  }

  std::map<uint32_t, uint32_t> memory;  // that the host serves, by address
  std::unique_ptr<Device> device;
  test::Initiator bus;

 private:
  void serve() {
    const uint32_t state = read(MIAOW_MEMORY_STATE);
    const bool store = state == MIAOW_MEMORY_STORE_REQUESTED;
    if (!store && state != MIAOW_MEMORY_LOAD_REQUESTED) return;
    pulse(MIAOW_ACKNOWLEDGE);
    wait_for({store ? MIAOW_MEMORY_STORE_ACCEPTED : MIAOW_MEMORY_LOAD_ACCEPTED});
    const uint32_t address = read(MIAOW_MEMORY_ADDRESS);
    if (store)
      memory[address] = read(MIAOW_STORE_DATA);
    else
      write(MIAOW_LOAD_DATA, memory[address]);
    pulse(MIAOW_DONE);
    wait_for({MIAOW_MEMORY_IDLE, MIAOW_MEMORY_STORE_REQUESTED, MIAOW_MEMORY_STORE_DONE,
              MIAOW_MEMORY_LOAD_REQUESTED, MIAOW_MEMORY_LOAD_DONE});
  }
  void pulse(uint32_t offset) {
    for (const uint32_t level : {0u, 1u, 0u}) write(offset, level);
  }
  void wait_for(const std::vector<uint32_t>& states) {
    for (unsigned polls = 0; polls < 1000; ++polls) {
      const uint32_t state = read(MIAOW_MEMORY_STATE);
      for (const uint32_t each : states)
        if (state == each) return;
    }
    ADD_FAILURE() << "the memory's state does not change";
  }
};

}  // namespace gvp::gpgpu::miaow
