// SPDX-License-Identifier: Apache-2.0
// What moves the flow of control or EXEC, and what names registers and lanes by number.
#include "models/gpgpu/southern_islands/vector_execution.h"

namespace gvp::gpgpu::southern_islands {
namespace {

// FUNCTION(SNop, Wavefront&, const Op&): does all by itself.
template <Operation kOperation>
struct ControlOperation {
  static void execute(Machine&, Wavefront& wavefront, const Op& op) {
    Function<kOperation>::of(wavefront, op);
  }
};

void branch(Wavefront& wavefront, const Op& op, bool taken) {
  if (!taken) return;
  wavefront.pc = op.next_pc +
                 static_cast<uint32_t>(int32_t{static_cast<int16_t>(op.instruction.immediate)} * 4);
}

uint64_t source_pair(const Wavefront& wavefront, const Op& op) {
  return scalar_double_word(wavefront, op.instruction, op.instruction.source[0], Type::kB64);
}

// EXEC becomes f(source, EXEC), the old one is kept.
template <typename F>
void save_exec(Wavefront& wavefront, const Op& op, F f) {
  const uint64_t old = wavefront.exec();
  const uint64_t source = source_pair(wavefront, op);
  wavefront.set_pair(op.instruction.destination, old);
  wavefront.set_pair(code::kExecLo, f(source, old));
  wavefront.scc = wavefront.exec() != 0;
}

// A register that is M0 behind another; false (and a fault): there is none.
bool index_scalar(Wavefront& wavefront, const Op& op, Code& number, unsigned words) {
  const uint64_t index = uint64_t{number} + wavefront.scalar[code::kM0];
  if (index + words > code::kScalarRegisters || index % words != 0) {
    wavefront.set_fault(FaultCause::kIllegalInstruction, op.pc);
    return false;
  }
  number = static_cast<Code>(index);
  return true;
}
bool index_vector(Wavefront& wavefront, const Op& op, Code& number) {
  const uint64_t index = uint64_t{number} - code::kVector0 + wavefront.scalar[code::kM0];
  if (index >= wavefront.vector_count) {
    wavefront.set_fault(FaultCause::kIllegalInstruction, op.pc);
    return false;
  }
  number = static_cast<Code>(code::kVector0 + index);
  return true;
}

void move_vector(Wavefront& wavefront, const Op& op, bool from_index, bool to_index) {
  Instruction instruction = op.instruction;
  if (from_index && !index_vector(wavefront, op, instruction.source[0])) return;
  if (to_index && !index_vector(wavefront, op, instruction.destination)) return;
  SourceRows source;
  load_source(source, wavefront, instruction, 0, Type::kB32);
  store_row(wavefront.vector[instruction.destination - code::kVector0], *source.low,
            wavefront.exec());
}

const Lanes& vector_source(const Wavefront& wavefront, const Op& op) {
  return wavefront.vector[op.instruction.source[0] - code::kVector0];
}
unsigned lane_source(const Wavefront& wavefront, const Op& op) {
  return scalar_word(wavefront, op.instruction, op.instruction.source[1]) % kWavefrontLanes;
}

}  // namespace

FUNCTION(SNop, Wavefront&, const Op&) {}
FUNCTION(SEndpgm, Wavefront& wavefront, const Op&) { wavefront.stop = Stop::kFinished; }
FUNCTION(SBranch, Wavefront& wavefront, const Op& op) { branch(wavefront, op, true); }
FUNCTION(SCbranchScc0, Wavefront& wavefront, const Op& op) {
  branch(wavefront, op, !wavefront.scc);
}
FUNCTION(SCbranchScc1, Wavefront& wavefront, const Op& op) { branch(wavefront, op, wavefront.scc); }
FUNCTION(SCbranchVccz, Wavefront& wavefront, const Op& op) {
  branch(wavefront, op, wavefront.vcc() == 0);
}
FUNCTION(SCbranchVccnz, Wavefront& wavefront, const Op& op) {
  branch(wavefront, op, wavefront.vcc() != 0);
}
FUNCTION(SCbranchExecz, Wavefront& wavefront, const Op& op) {
  branch(wavefront, op, wavefront.exec() == 0);
}
FUNCTION(SCbranchExecnz, Wavefront& wavefront, const Op& op) {
  branch(wavefront, op, wavefront.exec() != 0);
}
FUNCTION(SBarrier, Wavefront& wavefront, const Op&) { wavefront.stop = Stop::kBarrier; }
// Memory is always up to date here.
FUNCTION(SWaitcnt, Wavefront&, const Op&) {}
FUNCTION(SSethalt, Wavefront& wavefront, const Op& op) {
  if ((op.instruction.immediate & 1u) != 0) wavefront.stop = Stop::kHalted;
}
FUNCTION(SSleep, Wavefront&, const Op&) {}
FUNCTION(SSetprio, Wavefront&, const Op&) {}
FUNCTION(STrap, Wavefront& wavefront, const Op& op) {
  wavefront.set_fault(FaultCause::kTrap, op.pc);
}
FUNCTION(SIcacheInv, Wavefront&, const Op&) {}

FUNCTION(SGetpcB64, Wavefront& wavefront, const Op& op) {
  wavefront.set_pair(op.instruction.destination, op.next_pc);
}
FUNCTION(SSetpcB64, Wavefront& wavefront, const Op& op) {
  wavefront.pc = static_cast<uint32_t>(source_pair(wavefront, op));
}
FUNCTION(SSwappcB64, Wavefront& wavefront, const Op& op) {
  wavefront.pc = static_cast<uint32_t>(source_pair(wavefront, op));
  wavefront.set_pair(op.instruction.destination, op.next_pc);
}

#define SAVE_EXEC(NAME, EXPRESSION)                                                 \
  FUNCTION(S##NAME##SaveexecB64, Wavefront& wavefront, const Op& op) {              \
    save_exec(wavefront, op, [](uint64_t a, uint64_t exec) { return EXPRESSION; }); \
  }
SAVE_EXEC(And, a& exec)
SAVE_EXEC(Or, a | exec)
SAVE_EXEC(Xor, a ^ exec)
SAVE_EXEC(Andn2, a & ~exec)
SAVE_EXEC(Orn2, a | ~exec)
SAVE_EXEC(Nand, ~(a& exec))
SAVE_EXEC(Nor, ~(a | exec))
SAVE_EXEC(Xnor, ~(a ^ exec))
#undef SAVE_EXEC

FUNCTION(SMovrelsB32, Wavefront& wavefront, const Op& op) {
  Code source = op.instruction.source[0];
  if (index_scalar(wavefront, op, source, 1))
    wavefront.scalar[op.instruction.destination] = wavefront.scalar[source];
}
FUNCTION(SMovrelsB64, Wavefront& wavefront, const Op& op) {
  Code source = op.instruction.source[0];
  if (index_scalar(wavefront, op, source, 2))
    wavefront.set_pair(op.instruction.destination, wavefront.pair(source));
}
FUNCTION(SMovreldB32, Wavefront& wavefront, const Op& op) {
  Code destination = op.instruction.destination;
  if (index_scalar(wavefront, op, destination, 1))
    wavefront.scalar[destination] =
        scalar_word(wavefront, op.instruction, op.instruction.source[0]);
}
FUNCTION(SMovreldB64, Wavefront& wavefront, const Op& op) {
  Code destination = op.instruction.destination;
  if (index_scalar(wavefront, op, destination, 2))
    wavefront.set_pair(destination, source_pair(wavefront, op));
}
FUNCTION(VMovreldB32, Wavefront& wavefront, const Op& op) {
  move_vector(wavefront, op, false, true);
}
FUNCTION(VMovrelsB32, Wavefront& wavefront, const Op& op) {
  move_vector(wavefront, op, true, false);
}
FUNCTION(VMovrelsdB32, Wavefront& wavefront, const Op& op) {
  move_vector(wavefront, op, true, true);
}

FUNCTION(VNop, Wavefront&, const Op&) {}
FUNCTION(VReadlaneB32, Wavefront& wavefront, const Op& op) {
  wavefront.scalar[op.instruction.destination] =
      vector_source(wavefront, op)[lane_source(wavefront, op)];
}
FUNCTION(VReadfirstlaneB32, Wavefront& wavefront, const Op& op) {
  const Mask exec = wavefront.exec();
  wavefront.scalar[op.instruction.destination] =
      vector_source(wavefront, op)[exec == 0 ? 0 : simt::first_lane(exec)];
}
FUNCTION(VWritelaneB32, Wavefront& wavefront, const Op& op) {
  wavefront.vector[op.instruction.destination - code::kVector0][lane_source(wavefront, op)] =
      scalar_word(wavefront, op.instruction, op.instruction.source[0]);
}

Execute control_function(Operation operation) {
  static constexpr FunctionsOf<Group::kControl, ControlOperation> kFunctions;
  return kFunctions[operation];
}

}  // namespace gvp::gpgpu::southern_islands
