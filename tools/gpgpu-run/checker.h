// SPDX-License-Identifier: Apache-2.0
// --check: watches a kernel for what runs without a fault and is wrong all the same:
//   races            two warps of a block touch the same byte of shared or global memory between
//                    two barriers, and one of them writes, in an order that no atomic operations
//                    of theirs say (warp_order.h); atomic operations are none among
//                    themselves, and neither are stores of the value that is there by then (flags
//                    that any thread may raise, one value that all threads compute); what a warp
//                    has loaded from shared memory and stores back is nothing at all
//   uninitialised    registers and shared memory that are read before anything was written there,
//                    where it matters: what comes of it is an address, decides a branch or goes to
//                    global memory.  Programs copy and compilers compute what nobody looks at.
//   outside buffers  global accesses that no --buffer covers, if any is declared
//   divergent barriers  BAR while some threads of the warp are elsewhere, unless these are on their
//                    way to end
// Each finding is reported once per instruction, with the place it was first seen.
//
// Not found: races between blocks, races within a warp, uninitialised local or global memory.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/gpgpu/flexgrip/warp_observer.h"
#include "tools/gpgpu-run/request.h"
#include "tools/gpgpu-run/warp_order.h"

namespace gvp::tools {

class Checker : public gpgpu::flexgrip::WarpObserver {
 public:
  explicit Checker(std::vector<Buffer> buffers) : buffers_(std::move(buffers)) {}

  // One text for each distinct finding, in order of their first occurrence.
  std::vector<std::string> findings() const;

  void blocks_loaded(unsigned sm, unsigned blocks, const gpgpu::flexgrip::Kernel& kernel) override;
  void before(const gpgpu::WarpPlace& place, const gpgpu::g80::Op& op,
              gpgpu::g80::Warp& warp) override;
  void after(const gpgpu::WarpPlace& place, const gpgpu::g80::Step& step,
             gpgpu::g80::Warp& warp) override;
  void barrier_passed(unsigned sm, unsigned block_slot) override;

 private:
  static constexpr int kUnknown = -1;
  static constexpr int kNever = -1;  // nothing was ever written there
  struct AccessTimes {
    WarpClocks read{};
    WarpClocks written{};
  };
  // Who has touched a byte since the last barrier of its block.
  struct Byte {
    uint32_t interval = 0;
    uint32_t writers = 0;  // warps, bit mask: several only where they agreed
    bool atomic = false;   // in atomic operations alone
    // What was stored last, where plain stores say it: in global memory since the last barrier.
    int value = kUnknown;
    uint32_t writer_pc = 0;
    uint32_t readers = 0;  // warps, bit mask
    uint32_t reader_pc = 0;
    bool initialised = false;
    uint8_t unknown = 0xff;  // if not initialised: these bits are not known
    int origin = kNever;     // of a value that is not known: index of a finding, or kNever
    std::unique_ptr<AccessTimes> times;  // when last; null before any warp's clock has advanced
  };
  struct Block {
    uint32_t interval = 1;
    WarpOrder order;
    std::vector<Byte> shared;
    std::unordered_map<uint32_t, Byte> global;
  };
  // Lanes in which an $a or $c was computed from what nothing had been written to.
  struct Doubt {
    gpgpu::simt::Mask lanes = 0;
    int origin = kNever;
  };
  // Threads of a warp that have passed a barrier while others were elsewhere.
  struct Parting {
    gpgpu::simt::Mask passed = 0;
    gpgpu::simt::Mask elsewhere = 0;
    int origin = kNever;  // index of a finding
  };
  struct WarpRegisters {
    // Lanes in which each half of each register has a value that is known.
    std::array<std::array<gpgpu::simt::Mask, 2>, 128> known{};
    std::array<int, 128> origin = all_never();
    // Of registers of which a part is known, by lane; others are not known at all where they are
    // not known.
    std::map<unsigned, std::array<uint32_t, gpgpu::simt::kWarpSize>> unknown;
    std::array<Doubt, 8> address{};
    std::array<Doubt, 4> condition{};
    Parting parting;
    static std::array<int, 128> all_never() {
      std::array<int, 128> all{};
      all.fill(kNever);
      return all;
    }
  };
  struct Sm {
    std::vector<Block> blocks;
    std::vector<WarpRegisters> warps;
  };
  enum : int { kRead = -2 };  // in the place of what an access stores
  struct Stored {
    int value;            // a byte, kUnknown for one that is not known, kRead
    uint8_t unknown = 0;  // bits that came of what nothing had been written to
  };
  struct Access {
    const gpgpu::WarpPlace& place;
    const gpgpu::g80::Op& op;
    gpgpu::g80::Warp& warp;
    gpgpu::simt::Mask lanes;
  };

  // checker_values.cpp: what is known of values.
  Doubt doubt_of_sources(const Access& access);
  Doubt doubt_of(const Access& access, const gpgpu::g80::Operand& operand);
  Doubt doubt_of_register(const Access& access, const gpgpu::g80::Operand& operand);
  Doubt doubt_of_shared(const Access& access, const gpgpu::g80::Operand& operand);
  Doubt doubt_of_predicate(const Access& access);
  void check_uses(const Access& access, const Doubt& sources);
  void check_address_registers(const Access& access);
  void matters(const Doubt& doubt);
  // Registers beyond the kernel's read zero.
  uint32_t register_of(const gpgpu::g80::Warp& warp, unsigned number, unsigned lane) const {
    return number < registers_ ? warp.rows[gpgpu::g80::kRegisterRow + number][lane] : 0;
  }
  Stored stored_byte(const Access& access, unsigned lane, unsigned at) const;
  // checker_bits.cpp: of what a lane has, the bits that came of what nothing had been written to.
  uint32_t unknown_bits(const Access& access, const gpgpu::g80::Operand& operand, unsigned lane);
  uint32_t unknown_of_register(const Access& access, const gpgpu::g80::Operand& operand,
                               unsigned lane);
  uint32_t unknown_of_shared(const Access& access, const gpgpu::g80::Operand& operand,
                             unsigned lane);
  uint32_t unknown_result(const Access& access, unsigned lane);
  void note_unknown_bits(WarpRegisters& registers, const gpgpu::g80::Operand& destination);
  // The address that a lane's access of an s[] or g[] operand will go to.
  uint32_t address_of(const Access& access, const gpgpu::g80::Operand& operand,
                      unsigned lane) const;
  WarpRegisters& registers_of(const gpgpu::WarpPlace& place) {
    return sms_[place.block.sm].warps[place.slot];
  }
  void check_memory(const Access& access, const gpgpu::g80::Operand& operand, bool write);
  void check_byte(const Access& access, Block& block, Byte& byte, bool shared, uint32_t address,
                  unsigned lane, const Stored& stored);
  void note_write(const Access& access, Byte& byte, const Stored& stored);
  void note_order(const Access& access);
  void check_partings(const Access& access);
  bool leaves_shared(const Access& access, const Byte& byte, const Stored& stored) const;
  void check_buffers(const Access& access, uint32_t address, unsigned bytes, unsigned lane);
  void report(const Access& access, unsigned lane, const std::string& kind,
              const std::string& text);
  // Returns the index of a finding that is one only if it matters.
  int note(const Access& access, unsigned lane, const std::string& kind, const std::string& text);
  Block& block_of(const gpgpu::WarpPlace& place) {
    return sms_[place.block.sm].blocks[place.block.slot];
  }

  std::vector<Buffer> buffers_;
  std::map<unsigned, Sm> sms_;
  uint32_t registers_ = 0;
  struct Finding {
    std::string text;
    uint64_t count = 0;
    bool matters = false;
  };
  std::vector<Finding> findings_;
  Doubt doubt_;  // of what the instruction under way computes
  std::array<uint32_t, gpgpu::simt::kWarpSize> unknown_{};    // bits of it, in lanes in doubt
  std::map<std::pair<std::string, uint32_t>, size_t> known_;  // (kind, pc) -> index
};

}  // namespace gvp::tools
