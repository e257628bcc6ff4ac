// SPDX-License-Identifier: Apache-2.0
// The sections of the fidelity page, each of which makes its figures and writes them down.
#pragma once

#include <string>

#include "fidelity/host_runs.h"
#include "fidelity/kernel_runs.h"
#include "fidelity/platform_runs.h"
#include "fidelity/report.h"

namespace gvp::fidelity {

// Kernel cycles and stage traces against the published RTL.
void microbenchmark_section(Report& report, const std::string& data_folder);

// What the RTL takes of an FPGA (`area_file`, rtl/synthesis/area.csv) against the thesis's tables
// 2, 6 and 10.
void area_section(Report& report, const std::string& data_folder, const std::string& area_file);

// Latencies and bandwidths of the DDR3 controller against a trusted simulator's.
void ddr3_section(Report& report, const std::string& data_folder);

// The DDR3 controller that is a model against the one that is RTL, with gvp-ddr3-compare (`tool`).
void ddr3_rtl_section(Report& report, const std::string& tool, const std::string& work_folder);

// The interconnect and its AXI4-Lite regions that are models against those that are RTL, with
// gvp-bus-compare (`tool`).
void bus_rtl_section(Report& report, const std::string& tool, const std::string& work_folder);

// Times, speed-ups, scaling and energy against the thesis's tables 4, 7, 8 and 10.
void thesis_section(Report& report, const std::string& data_folder, const HostProgram& program,
                    const Tools& tools);

// Every mixture of loosely and approximately timed blocks against none that is loosely timed; a
// part of the next section.
void mixtures_section(Report& report, const Platform& platform);

// Loosely against approximately timed.
void lt_section(Report& report, const Platform& platform, const HostProgram& program);

}  // namespace gvp::fidelity
