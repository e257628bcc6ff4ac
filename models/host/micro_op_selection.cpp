// SPDX-License-Identifier: Apache-2.0
#include "models/host/micro_op_selection.h"

namespace gvp::host {
namespace {

using O = Operation;
using M = MicroOp;

M select_memory(O operation, bool plain) {
  switch (operation) {
    case O::kLbu:
      return M::lbu_r;
    case O::kLbui:
      return M::lbu_i;
    case O::kSb:
      return M::sb_r;
    case O::kSbi:
      return M::sb_i;
    case O::kLhu:
      return plain ? M::lhu_r : M::load_r;
    case O::kLhui:
      return plain ? M::lhu_i : M::load_i;
    case O::kLw:
      return plain ? M::lw_r : M::load_r;
    case O::kLwi:
      return plain ? M::lw_i : M::load_i;
    case O::kSh:
      return plain ? M::sh_r : M::store_r;
    case O::kShi:
      return plain ? M::sh_i : M::store_i;
    case O::kSw:
      return plain ? M::sw_r : M::store_r;
    case O::kSwi:
      return plain ? M::sw_i : M::store_i;
    case O::kLbur:
    case O::kLhur:
    case O::kLwr:
    case O::kLwx:
      return M::load_r;
    case O::kSbr:
    case O::kShr:
    case O::kSwr:
    case O::kSwx:
      return M::store_r;
    default:
      return M::system;
  }
}

// The stack check needs the slow path for every access.
M without_fast_path(M op) {
  switch (op) {
    case M::lbu_r:
    case M::lhu_r:
    case M::lw_r:
      return M::load_r;
    case M::lbu_i:
    case M::lhu_i:
    case M::lw_i:
      return M::load_i;
    case M::sb_r:
    case M::sh_r:
    case M::sw_r:
      return M::store_r;
    case M::sb_i:
    case M::sh_i:
    case M::sw_i:
      return M::store_i;
    default:
      return op;
  }
}

}  // namespace

MicroOp select_micro_op(Operation operation, const Configuration& configuration) {
  switch (operation) {
    case O::kAdd:
      return M::add_r;
    case O::kAddi:
      return M::add_i;
    case O::kAddc:
      return M::addc_r;
    case O::kAddic:
      return M::addc_i;
    case O::kAddk:
      return M::addk_r;
    case O::kAddik:
      return M::addk_i;
    case O::kAddkc:
      return M::addkc_r;
    case O::kAddikc:
      return M::addkc_i;
    case O::kRsub:
      return M::rsub_r;
    case O::kRsubi:
      return M::rsub_i;
    case O::kRsubc:
      return M::rsubc_r;
    case O::kRsubic:
      return M::rsubc_i;
    case O::kRsubk:
      return M::rsubk_r;
    case O::kRsubik:
      return M::rsubk_i;
    case O::kRsubkc:
      return M::rsubkc_r;
    case O::kRsubikc:
      return M::rsubkc_i;
    case O::kCmp:
      return M::cmp;
    case O::kCmpu:
      return M::cmpu;
    case O::kOr:
      return M::or_r;
    case O::kOri:
      return M::or_i;
    case O::kAnd:
      return M::and_r;
    case O::kAndi:
      return M::and_i;
    case O::kXor:
      return M::xor_r;
    case O::kXori:
      return M::xor_i;
    case O::kAndn:
      return M::andn_r;
    case O::kAndni:
      return M::and_i;  // with the immediate inverted
    case O::kPcmpbf:
      return M::pcmpbf;
    case O::kPcmpeq:
      return M::pcmpeq;
    case O::kPcmpne:
      return M::pcmpne;
    case O::kSra:
      return M::sra;
    case O::kSrc:
      return M::src;
    case O::kSrl:
      return M::srl;
    case O::kSext8:
      return M::sext8;
    case O::kSext16:
      return M::sext16;
    case O::kClz:
      return M::clz;
    case O::kSwapb:
      return M::swapb;
    case O::kSwaph:
      return M::swaph;
    case O::kBsrl:
      return M::bsrl_r;
    case O::kBsra:
      return M::bsra_r;
    case O::kBsll:
      return M::bsll_r;
    case O::kBsrli:
      return M::bsrl_i;
    case O::kBsrai:
      return M::bsra_i;
    case O::kBslli:
      return M::bsll_i;
    case O::kBsefi:
      return M::bsefi;
    case O::kBsifi:
      return M::bsifi;
    case O::kMul:
      return M::mul_r;
    case O::kMuli:
      return M::mul_i;
    case O::kMulh:
      return M::mulh;
    case O::kMulhsu:
      return M::mulhsu;
    case O::kMulhu:
      return M::mulhu;
    case O::kIdiv:
      return M::idiv;
    case O::kIdivu:
      return M::idivu;
    default:
      break;
  }
  if (operation >= O::kFadd && operation <= O::kFsqrt) return M::fpu;
  const M memory = select_memory(operation, !configuration.big_endian);
  return configuration.use_stack_protection ? without_fast_path(memory) : memory;
}

bool is_pure(Operation operation) {
  if (operation >= O::kAddk && operation <= O::kCmpu) return true;
  if (operation >= O::kMul && operation <= O::kBsifi) return true;
  if (operation >= O::kOr && operation <= O::kAndni) return true;
  switch (operation) {
    case O::kAddik:
    case O::kRsubik:
    case O::kAddikc:
    case O::kRsubikc:
    case O::kSext8:
    case O::kSext16:
    case O::kClz:
    case O::kSwapb:
    case O::kSwaph:
      return true;
    default:
      return false;
  }
}

namespace {

constexpr MemoryShape shape_of(Operation operation) {
  MemoryShape shape;
  shape.store = is_store_operation(operation);
  switch (operation) {
    case O::kLbu:
    case O::kLbui:
    case O::kSb:
    case O::kSbi:
    case O::kLbur:
    case O::kSbr:
      shape.bytes = 1;
      break;
    case O::kLhu:
    case O::kLhui:
    case O::kSh:
    case O::kShi:
    case O::kLhur:
    case O::kShr:
      shape.bytes = 2;
      break;
    default:
      break;
  }
  shape.reversed = operation == O::kLbur || operation == O::kLhur || operation == O::kLwr ||
                   operation == O::kSbr || operation == O::kShr || operation == O::kSwr;
  shape.exclusive = operation == O::kLwx || operation == O::kSwx;
  return shape;
}

constexpr std::array<MemoryShape, kOperations> all_shapes() {
  std::array<MemoryShape, kOperations> shapes{};
  for (size_t i = 0; i < kOperations; ++i) shapes[i] = shape_of(static_cast<Operation>(i));
  return shapes;
}

}  // namespace

const std::array<MemoryShape, kOperations> kMemoryShapes = all_shapes();

}  // namespace gvp::host
