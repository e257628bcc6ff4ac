// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/kernel_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "models/base/error.h"
#include "models/base/files.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/g80/program.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using device::GlobalMemory;
using device::Instance;
using device::LaunchRequest;
using g80::ConstantSegment;
using g80::Module;

// Where banks begin: c[] accesses are at most 16 bytes wide.
constexpr uint32_t kBankAlignment = 16;
constexpr uint32_t kVariableAlignment = 256;
constexpr uint32_t kMostConstantBytes = 65536;
constexpr uint32_t kConstantGranule = 256;  // sizes that the key takes are multiples of 4

uint32_t align_up(uint32_t value, uint32_t to) { return (value + to - 1) / to * to; }

// Words that go to a bank, from cubin or command line.
struct Piece {
  uint32_t bank;
  uint32_t offset;
  uint32_t bytes;
  std::vector<uint32_t> words;  // empty: zero
};

Piece piece_of(const ConstantSegment& segment) {
  return {segment.bank, segment.offset, segment.bytes, segment.words};
}

// Addresses of the module's variables: at the end of global memory, away from where users put
// their own data.
std::vector<Piece> place_variables(const Module& module, const GlobalMemory& global,
                                   KernelImage& image) {
  std::vector<Piece> addresses;
  uint64_t address = global.base + global.bytes;
  for (const auto& variable : module.relocations) {
    const uint64_t bytes = (uint64_t{variable.bytes} + kVariableAlignment - 1) /
                           kVariableAlignment * kVariableAlignment;
    if (bytes > address - global.base)
      throw bad_input(fmt::format("variable {} of {} bytes does not fit global memory",
                                  variable.name, variable.bytes),
                      {}, global.remedy);
    address -= bytes;
    image.variables.push_back(
        {variable.name, static_cast<uint32_t>(address), variable.bytes, variable.words});
    addresses.push_back({variable.bank, variable.offset, 4, {static_cast<uint32_t>(address)}});
  }
  return addresses;
}

// One bank alone lies at 0 and is as long as constant memory, which is also what the device does
// with banks nobody mentions; several lie one after the other.
void lay_out(const std::vector<Piece>& pieces, const Instance& instance, KernelImage& image) {
  const uint32_t constant_bytes = instance.as<Configuration>().constant_bytes;
  std::array<uint64_t, 16> extent{};
  for (const Piece& piece : pieces) {
    if (piece.bank >= extent.size())
      throw bad_input(fmt::format("there is no constant bank {}", piece.bank));
    extent[piece.bank] = std::max(extent[piece.bank], uint64_t{piece.offset} + piece.bytes);
  }
  const auto used = std::count_if(extent.begin(), extent.end(), [](uint64_t e) { return e != 0; });
  uint64_t next = 0;
  for (size_t bank = 0; bank < extent.size(); ++bank) {
    image.banks[bank] = {0, constant_bytes};
    if (extent[bank] == 0 || used == 1) {
      next = std::max(next, extent[bank]);
      continue;
    }
    image.banks[bank] = {static_cast<uint32_t>(next), static_cast<uint32_t>(extent[bank])};
    next += (extent[bank] + kBankAlignment - 1) / kBankAlignment * kBankAlignment;
  }
  if (next > constant_bytes)
    throw bad_input(
        fmt::format("the constants need {} bytes, constant memory has {}", next, constant_bytes),
        {},
        next <= kMostConstantBytes
            ? fmt::format("--set {}.constant_bytes={}", instance.name,
                          align_up(static_cast<uint32_t>(next), kConstantGranule))
            : fmt::format("{} are the most a device can have", kMostConstantBytes));
  image.constants.resize(constant_bytes);
  for (const Piece& piece : pieces)
    if (!piece.words.empty())
      std::memcpy(&image.constants[image.banks[piece.bank].base + piece.offset], piece.words.data(),
                  piece.words.size() * sizeof(uint32_t));
}

bool is_assembly(const std::string& file) {
  for (const std::string_view suffix : {".s", ".asm"})
    if (file.size() > suffix.size() &&
        file.compare(file.size() - suffix.size(), suffix.size(), suffix) == 0)
      return true;
  return false;
}

Module read_module(const LaunchRequest& request) {
  if (!request.assembly.empty()) return g80::assemble(request.assembly, request.file);
  if (!is_assembly(request.file)) return g80::read_cubin(request.file);
  constexpr FileKind kAssembly{"assembly", 64u << 20};
  return g80::assemble(read_whole_file(request.file, kAssembly), request.file);
}

std::vector<Piece> take_module(const LaunchRequest& request, const Instance& instance,
                               const GlobalMemory& global, KernelImage& image) {
  const Module module = read_module(request);
  const g80::Kernel& kernel = module.kernel(request.kernel, request.file);
  image.name = kernel.name;
  image.code = kernel.code;
  image.lines = kernel.lines;
  image.registers = kernel.registers;
  image.static_shared_bytes = kernel.static_shared_bytes();
  const size_t given = request.parameters.size() * sizeof(uint32_t);
  // Assembly may read parameters without saying how many; a kernel that says means it.
  if (kernel.parameter_bytes && align_up(*kernel.parameter_bytes, sizeof(uint32_t)) != given)
    throw bad_input(fmt::format("kernel {} takes {} bytes of parameters, {} are given", kernel.name,
                                *kernel.parameter_bytes, given),
                    {request.file, 0, 0}, "give one --param for each 32-bit word");
  const uint32_t local_bytes = instance.as<Configuration>().local_bytes;
  if (kernel.local_bytes > local_bytes)
    throw bad_input(
        fmt::format("kernel {} needs {} bytes of local memory per thread, the device "
                    "has {}",
                    kernel.name, kernel.local_bytes, local_bytes),
        {request.file, 0, 0},
        fmt::format("--set {}.local_bytes={}", instance.name, align_up(kernel.local_bytes, 16)));
  std::vector<Piece> pieces = place_variables(module, global, image);
  for (const ConstantSegment& segment : module.constants) pieces.push_back(piece_of(segment));
  for (const ConstantSegment& segment : kernel.constants) pieces.push_back(piece_of(segment));
  return pieces;
}

// A register beyond a kernel's own reads zero and keeps nothing, as the hardware has it.  R124 and
// up are written on purpose, by compilers that want a zero or to throw a result away.
void refuse_undeclared_registers(const KernelImage& image, const std::string& file) {
  constexpr unsigned kFirstOnPurpose = 124;
  const g80::Machine machine;
  const g80::Program program(image.code.data(), image.code.size(), image.registers, machine);
  const g80::Op* first = nullptr;
  unsigned found = 0;
  unsigned highest = 0;
  for (const g80::Op& op : program.ops()) {
    if (op.fault != FaultCause::kNone) continue;
    for (const auto& list : {registers_read(*op.instruction), registers_written(*op.instruction)})
      for (const uint8_t number : list) {
        if (number < image.registers || number >= kFirstOnPurpose) continue;
        highest = std::max<unsigned>(highest, number);
        if (first == nullptr) found = number;
        if (first == nullptr) first = &op;
      }
  }
  if (first == nullptr) return;
  throw bad_input(
      fmt::format("kernel {} has {} registers a thread and uses R{} at {:#06x}: {}", image.name,
                  image.registers, found, first->pc, g80::to_text(*first->instruction)),
      {file, 0, 0},
      fmt::format("it takes {}; or let such registers read zero: --any-register", highest + 1));
}

}  // namespace

KernelImage make_kernel_image(const LaunchRequest& request, const Instance& instance,
                              const GlobalMemory& global) {
  const auto& configuration = instance.as<Configuration>();
  KernelImage image;
  std::vector<Piece> pieces;
  if (!request.is_bare) {
    pieces = take_module(request, instance, global, image);
  } else {
    image.name = request.file;
    image.code = g80::read_hex(request.file);
    image.registers = request.registers;
    image.static_shared_bytes = request.shared_bytes;
  }
  if (image.code.empty()) throw bad_input("there is no code in this file", {request.file, 0, 0});
  if (!request.any_register) refuse_undeclared_registers(image, request.file);
  if (image.code.size() * sizeof(uint32_t) > configuration.code_bytes)
    throw bad_input(fmt::format("{} bytes of code, the device has room for {}",
                                image.code.size() * sizeof(uint32_t), configuration.code_bytes),
                    {request.file, 0, 0});
  for (const device::ConstantWords& words : request.constants)
    pieces.push_back({words.bank, words.offset,
                      static_cast<uint32_t>(words.words.size() * sizeof(uint32_t)), words.words});
  lay_out(pieces, instance, image);
  return image;
}

}  // namespace gvp::gpgpu::flexgrip
