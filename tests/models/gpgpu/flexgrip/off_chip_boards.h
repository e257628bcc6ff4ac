// SPDX-License-Identifier: Apache-2.0
// Boards of a FlexGrip whose code and constants lie in memory on the bus, behind caches, for tests.
#pragma once

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/models/gpgpu/flexgrip/board.h"

namespace gvp::gpgpu::flexgrip {

using nlohmann::ordered_json;

inline constexpr uint32_t kDone = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE;
inline constexpr uint32_t kError = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_ERROR;
inline constexpr uint32_t kBase = 0x80000;
inline constexpr uint32_t kConstants = kBase + 256 * 1024;
// Of a fetch from the memory of these boards: it answers in five cycles, and the one of a hit
// comes before.
inline constexpr uint64_t kMissCycles = 5;

inline Configuration on_bus() {
  Configuration configuration;
  configuration.global_memory = "ddr3";
  configuration.off_chip_base = kBase;
  return configuration;
}

inline Configuration with_instructions(uint32_t sets = 4, uint32_t ways = 4, uint32_t line = 128) {
  Configuration configuration = on_bus();
  configuration.instruction_cache.enabled = true;
  configuration.instruction_cache.sets = sets;
  configuration.instruction_cache.ways = ways;
  configuration.instruction_cache.line_bytes = line;
  configuration.instruction_cache.sector_bytes = line;
  return configuration;
}

inline Configuration with_both() {
  Configuration configuration = with_instructions();
  configuration.constant_cache.enabled = true;
  return configuration;
}

inline ordered_json last_kernel(const Board& board) {
  return board.device->statistics()["kernels"].back();
}
inline ordered_json instruction_cache(const Board& board) {
  return last_kernel(board)["caches"]["instruction"][0];
}
inline ordered_json constant_cache(const Board& board) {
  return last_kernel(board)["caches"]["constant"][0];
}
inline uint64_t misses(const ordered_json& cache) {
  return cache["reads"].get<uint64_t>() - cache["read_hits"].get<uint64_t>();
}

inline void expect_all_cycles_accounted_for(const Board& board) {
  const ordered_json kernel = last_kernel(board);
  for (const auto& sm : kernel["sms"]) {
    uint64_t sum = 0;
    for (const auto& [name, cycles] : sm["cycles_by_class"].items()) sum += cycles.get<uint64_t>();
    EXPECT_EQ(sum, kernel["cycles"]) << board.device->name();
  }
}

// Eight bytes each: three at 0, the loop at 24 and 32 five times, the end at 40.
inline constexpr const char* kLoop = R"(
          MVI R2, 0x5;
          MVI R3, 0x1;
          MVI R4, 0x1;
    more: IADD.C0 R2, R2, -R3;
          BRA C0.NE, more;
          RET;
)";

// Boards of both timings, of a configuration each.
class Boards {
 public:
  explicit Boards(const Configuration& configuration, const std::string& name = "b")
      : lt(configuration, "lt", name + "_lt"), at(configuration, "at", name + "_at") {}
  template <typename Body>
  void run(Body body) {
    lt.control.run([&] {
      for (Board* board : {&lt, &at}) {
        SCOPED_TRACE(board->device->name());
        body(*board);
      }
    });
  }
  Board lt, at;
};

inline void write_constant(Board& board, uint32_t offset, uint32_t value) {
  board.control.write32(FLEXGRIP_CONSTANT_MEMORY + offset, value);
}

// Each thread stores the constant of its number, and what all read, at 8 times its number.
inline constexpr const char* kConstantReads = R"(
    I2I.U32.U16 R1, R0L;
    SHL R2, R1, 0x2;
    R2A A1, R2, 0x0;
    MVC R3, c[0x1] [A1+0x0];
    MVI R4, 0x0;
    IADD R4, R4, c[0x1] [0x40];
    SHL R5, R1, 0x3;
    GST.U32 global14[R5], R3;
    MVI R6, 0x4;
    IADD R5, R5, R6;
    GST.U32 global14[R5], R4;
    RET;
)";

inline uint32_t word(Board& board, uint32_t address) {
  return *reinterpret_cast<uint32_t*>(board.bus.storage().data() + address);
}

}  // namespace gvp::gpgpu::flexgrip
