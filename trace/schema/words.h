// SPDX-License-Identifier: Apache-2.0
// The words of traces in .csv, .txt, .db and .pftrace, for what writes and for what reads them.
// Each stands at the number that its kind has: Command, Response, and the bit of Subject
// (trace/records.h).
#pragma once

#include <array>
#include <string_view>

namespace gvp::trace::schema {

inline constexpr std::array<std::string_view, 3> kCommandWords = {"read", "write", "ignore"};
inline constexpr std::array<std::string_view, 7> kResponseWords = {
    "ok",          "incomplete",       "generic error", "address error", "command error",
    "burst error", "byte enable error"};
inline constexpr std::array<std::string_view, 12> kSubjectWords = {
    "transactions", "kernels", "blocks", "warps",     "stages", "banks",
    "interrupts",   "console", "pins",   "functions", "local",  "accesses"};

}  // namespace gvp::trace::schema
