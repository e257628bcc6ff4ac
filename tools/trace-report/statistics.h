// SPDX-License-Identifier: Apache-2.0
// What a run's statistics (gpgpu-vp --stats, docs/statistics.md) say for the report: the run, its
// kernels with their place under the roofline, caches and DRAM banks.  Keys that a run has not, an
// older file or a coarser model, are left out of the result.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gvp::trace_report {

// From JSON or a table of keys and values.  Throws Error (bad input) for a file that is no
// statistics of gpgpu-vp or gpgpu-run.
nlohmann::json read_statistics(const std::string& path);

// The run in some words: firmware, board, models, simulated time, end.
nlohmann::json describe_run(const nlohmann::json& statistics);
// Kernels by device and name: launches, cycles, instructions, stalls.
nlohmann::json kernels_of(const nlohmann::json& statistics);
// Of each device: its peak, and each kernel's instructions for each byte of traffic and their rate.
// Bytes are those of the kernel in the traffic by origin (of a trace) where the statistics have
// none.
nlohmann::json rooflines_of(const nlohmann::json& statistics, const nlohmann::json& origins);
// Of memories: row hits, misses and conflicts, each bank's where they are counted.
nlohmann::json memories_of(const nlohmann::json& statistics);
// Of each initiator, target and region of interconnects that had any: transactions, bytes, latency,
// what had to wait; null where the model does not count it.
nlohmann::json interconnect_of(const nlohmann::json& statistics);
// Where the host's cycles went; empty where its model does not tell.
nlohmann::json host_of(const nlohmann::json& statistics);

}  // namespace gvp::trace_report
