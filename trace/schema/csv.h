// SPDX-License-Identifier: Apache-2.0
// The columns of a trace as comma-separated values, in their order (docs/tracing.md, "CSV"), for
// what writes and for what reads them.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace gvp::trace::schema::csv {

enum Column : size_t {
  kRecord,
  kPlace,
  kName,
  kNumber,
  kParent,
  kRoot,
  kInitiator,
  kTarget,
  kOrigin,
  kAddress,
  kBytes,
  kBegin,
  kResponseBegin,
  kEnd,
  kResponse,
  kOutstanding,
  kValue,
};
inline constexpr std::array<std::string_view, 17> kColumns = {
    "record",      "place",  "name",     "number",      "parent", "root",
    "initiator",   "target", "origin",   "address",     "bytes",  "begin_ps",
    "response_ps", "end_ps", "response", "outstanding", "value"};

// What stands in the first column of a transaction; of all else the word of its subject (words.h).
inline constexpr std::string_view kTransaction = "transaction";

}  // namespace gvp::trace::schema::csv
