// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/memory_events.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using Kind = g80::Operand::Kind;

MemorySpace space_of(Kind kind) {
  switch (kind) {
    case Kind::kShared:
      return MemorySpace::kShared;
    case Kind::kConstant:
      return MemorySpace::kConstant;
    case Kind::kLocal:
      return MemorySpace::kLocal;
    default:
      return MemorySpace::kGlobal;
  }
}

MemoryEvent event_of(Kind kind, const g80::Operand& operand, bool write,
                     const g80::Location& location, const g80::Warp& warp) {
  MemoryEvent event;
  event.space = space_of(kind);
  event.write = write;
  event.bytes = operand.bytes();
  // s[], c[] and l[] are reached by $a + offset, modulo 2^16; g[] by a register.
  const bool global = kind == Kind::kGlobal;
  for (unsigned lane = 0; lane < simt::kWarpSize; ++lane) {
    const uint32_t base = warp.rows[location.address_row][lane];
    event.address[lane] =
        global ? base : uint64_t{location.bank_base} + ((base + location.offset) & 0xffffu);
  }
  return event;
}

}  // namespace

void memory_events(const g80::Op& op, const g80::Warp& warp, std::vector<MemoryEvent>& events) {
  events.clear();
  unsigned load = 0;
  for (const g80::Operand& source : op.instruction->sources) {
    if (!source.is_memory()) continue;
    if (source.kind == Kind::kGlobal || source.kind == Kind::kLocal) {
      events.push_back(event_of(source.kind, source, false, op.memory, warp));
      continue;
    }
    while (load < op.load_count && op.loads[load].location.access == g80::Type::kNone) ++load;
    if (load < op.load_count)
      events.push_back(event_of(source.kind, source, false, op.loads[load++].location, warp));
  }
  const g80::Operand& destination = op.instruction->destination;
  if (g80::is_atomic(*op.instruction)) {  // the other half of what it does
    const bool returns = !destination.is_memory();
    const g80::Operand& place = returns ? op.instruction->sources[0] : destination;
    events.push_back(event_of(place.kind, place, returns, op.memory, warp));
  }
  if (destination.is_memory())
    events.push_back(event_of(destination.kind, destination, true, op.memory, warp));
}

}  // namespace gvp::gpgpu::flexgrip
