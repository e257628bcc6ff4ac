// SPDX-License-Identifier: Apache-2.0
// What of Perfetto's trace format (perfetto.dev, protos/perfetto/trace) a .pftrace has: the field
// numbers of the public schema and the names of our annotations, for what writes and for what reads
// them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gvp::trace::schema::perfetto {

namespace field {
constexpr unsigned kPacket = 1;  // Trace
// TracePacket
constexpr unsigned kTimestamp = 8, kSequenceId = 10, kTrackEvent = 11, kInternedData = 12,
                   kSequenceFlags = 13, kTrackDescriptor = 60;
// TrackDescriptor
constexpr unsigned kUuid = 1, kTrackName = 2, kParentUuid = 5, kCounter = 8;
// CounterDescriptor
constexpr unsigned kUnit = 3, kUnitName = 6;
// TrackEvent
constexpr unsigned kCategoryIid = 3, kAnnotation = 4, kType = 9, kEventNameIid = 10,
                   kTrackUuid = 11, kEventName = 23, kCounterValue = 30, kFlowId = 47;
// DebugAnnotation
constexpr unsigned kAnnotationNameIid = 1, kUint = 3, kString = 6, kPointer = 7;
// InternedData, and its entries
constexpr unsigned kCategories = 1, kEventNames = 2, kAnnotationNames = 3, kIid = 1, kName = 2;
}  // namespace field

inline constexpr char kPacketBegins = field::kPacket << 3 | 2;  // the key of a message

// Of TracePacket.sequence_flags, TrackEvent.type and CounterDescriptor.unit.
enum SequenceFlag : uint64_t { kCleared = 1, kNeedsState = 2 };
enum EventType : uint64_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounterEvent = 4 };
enum Unit : uint64_t { kCount = 2 };

enum Annotation : size_t {
  kAddress,
  kBytes,
  kNumber,
  kParent,
  kInitiator,
  kTarget,
  kOrigin,
  kBeginPs,
  kResponsePs,
  kEndPs,
  kResponse,
  kOutstanding,
  kDetail,
  kKernel,
};
inline constexpr std::array<std::string_view, 14> kAnnotations = {
    "address",  "bytes",       "number", "parent",   "initiator",   "target", "origin",
    "begin_ps", "response_ps", "end_ps", "response", "outstanding", "detail", "kernel"};

}  // namespace gvp::trace::schema::perfetto
