// SPDX-License-Identifier: Apache-2.0
// Names and numbers of the ELF form of cubins (sm_1x): a section .text.NAME per kernel, with the
// register count in the upper byte of sh_info and the barriers in sh_flags, its shared and local
// memory as .nv.shared.NAME and .nv.local.NAME without contents, attributes in .nv.info.NAME,
// source lines in .debug_line. Internal to the g80 library.
#pragma once

#include <cstdint>
#include <string_view>

namespace gvp::gpgpu::g80::cubin_elf {

inline constexpr uint16_t kMachineCuda = 190;
inline constexpr uint32_t kSectionInfo = 0x70000000;  // SHT_LOPROC

inline constexpr std::string_view kText = ".text.";
inline constexpr std::string_view kShared = ".nv.shared.";
inline constexpr std::string_view kLocal = ".nv.local.";
inline constexpr std::string_view kConstant = ".nv.constant";  // + bank [+ "." + kernel]
inline constexpr std::string_view kInfo = ".nv.info.";
inline constexpr std::string_view kModuleInfo = ".nv.info";
inline constexpr std::string_view kGlobal = ".nv.global";
inline constexpr std::string_view kGlobalInit = ".nv.global.init";
inline constexpr std::string_view kRelocations = ".rel.nv.constant";
inline constexpr std::string_view kDebugLine = ".debug_line";
inline constexpr std::string_view kDebugLineRelocations = ".rel.debug_line";

inline constexpr unsigned kRelocateWord = 1;  // R_CUDA_32

// Attributes in .nv.info: a byte with the format, one with the attribute, a 16-bit value or size.
inline constexpr uint8_t kFormatNone = 1;
inline constexpr uint8_t kFormatByte = 2;
inline constexpr uint8_t kFormatHalf = 3;    // the value is the 16 bits
inline constexpr uint8_t kFormatSized = 4;   // the 16 bits are the size of what follows
inline constexpr uint8_t kFrameSize = 0x11;  // symbol of the kernel, bytes of local memory
inline constexpr uint8_t kSharedParameterSize = 0x18;
inline constexpr uint8_t kConstantParameterSize = 0x19;

inline constexpr unsigned kRegistersShift = 24;  // in sh_info
inline constexpr unsigned kBarriersShift = 20;   // in sh_flags
inline constexpr uint8_t kEntry = 0x10;          // st_other of kernels

}  // namespace gvp::gpgpu::g80::cubin_elf
