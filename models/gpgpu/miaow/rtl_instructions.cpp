// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/rtl_instructions.h"

#include <algorithm>
#include <iterator>

namespace gvp::gpgpu::miaow {
namespace {

using O = southern_islands::Operation;

// In their own format alone.
constexpr O kOneForm[] = {
    O::kSAddU32,
    O::kSSubU32,
    O::kSAddI32,
    O::kSSubI32,
    O::kSMinU32,
    O::kSMaxI32,
    O::kSMaxU32,
    O::kSCselectB32,
    O::kSAndB32,
    O::kSAndB64,
    O::kSOrB32,
    O::kSOrB64,
    O::kSAndn2B64,
    O::kSLshlB32,
    O::kSLshrB32,
    O::kSAshrI32,
    O::kSMulI32,
    O::kSMovkI32,
    O::kSAddkI32,
    O::kSMulkI32,
    O::kSMovB32,
    O::kSMovB64,
    O::kSCmovB32,
    O::kSNotB32,
    O::kSBrevB32,
    O::kSSextI32I8,
    O::kSAndSaveexecB64,
    O::kSCmpEqI32,
    O::kSCmpLgI32,
    O::kSCmpGtI32,
    O::kSCmpGeI32,
    O::kSCmpLtI32,
    O::kSCmpLeI32,
    O::kSCmpEqU32,
    O::kSCmpLgU32,
    O::kSCmpGtU32,
    O::kSCmpGeU32,
    O::kSCmpLtU32,
    O::kSCmpLeU32,
    O::kSNop,
    O::kSEndpgm,
    O::kSBranch,
    O::kSCbranchScc0,
    O::kSCbranchScc1,
    O::kSCbranchVccz,
    O::kSCbranchExecz,
    O::kSBarrier,
    O::kSWaitcnt,
    O::kSLoadDword,
    O::kSLoadDwordx2,
    O::kSLoadDwordx4,
    O::kSLoadDwordx8,
    O::kSLoadDwordx16,
    O::kSBufferLoadDword,
    O::kSBufferLoadDwordx2,
    O::kVCndmaskB32,
    O::kVMaxF32,
    O::kVMaxI32,
    O::kVMinU32,
    O::kVLshrrevB32,
    O::kVAshrrevI32,
    O::kVLshlrevB32,
    O::kVOrB32,
    O::kVMacF32,
    O::kVMadmkF32,
    O::kVAddI32,
    O::kVSubI32,
    O::kVSubrevI32,
    O::kVAddcU32,
    O::kVMovB32,
    O::kVCvtF32U32,
    O::kVCvtU32F32,
    O::kVRcpF32,
    O::kVMadF32,
    O::kVBfeU32,
    O::kVBfeI32,
    O::kVBfiB32,
    O::kVMulLoU32,
    O::kVMulHiU32,
    O::kVMulLoI32,
    O::kDsWriteB32,
    O::kDsReadB32,
    O::kTbufferLoadFormatX,
    O::kTbufferLoadFormatXy,
    O::kTbufferLoadFormatXyz,
    O::kTbufferLoadFormatXyzw,
    O::kTbufferStoreFormatX,
    O::kTbufferStoreFormatXy,
    O::kTbufferStoreFormatXyz,
    O::kTbufferStoreFormatXyzw,
};
// Of VOP2 and VOPC, also in the form of VOP3.
constexpr O kBothForms[] = {
    O::kVAddF32,    O::kVSubF32,    O::kVSubrevF32, O::kVMulF32,    O::kVMulI32I24, O::kVMaxU32,
    O::kVAndB32,    O::kVCmpFF32,   O::kVCmpLtF32,  O::kVCmpEqF32,  O::kVCmpLeF32,  O::kVCmpGtF32,
    O::kVCmpLgF32,  O::kVCmpGeF32,  O::kVCmpNgeF32, O::kVCmpNlgF32, O::kVCmpNgtF32, O::kVCmpNleF32,
    O::kVCmpNeqF32, O::kVCmpNltF32, O::kVCmpTruF32, O::kVCmpFI32,   O::kVCmpLtI32,  O::kVCmpEqI32,
    O::kVCmpLeI32,  O::kVCmpGtI32,  O::kVCmpNeI32,  O::kVCmpGeI32,  O::kVCmpTI32,   O::kVCmpFU32,
    O::kVCmpLtU32,  O::kVCmpEqU32,  O::kVCmpLeU32,  O::kVCmpGtU32,  O::kVCmpNeU32,  O::kVCmpGeU32,
    O::kVCmpTU32,
};

}  // namespace

bool rtl_executes(const southern_islands::Instruction& instruction) {
  const auto holds = [&](const auto& list) {
    return std::find(std::begin(list), std::end(list), instruction.operation) != std::end(list);
  };
  return holds(kBothForms) || (!instruction.vop3 && holds(kOneForm));
}

}  // namespace gvp::gpgpu::miaow
