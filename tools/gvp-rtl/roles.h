// SPDX-License-Identifier: Apache-2.0
// What the pins of a block are: AXI4 and AXI4-Lite ports (IHI 0022), clocks, resets, interrupts.
// Found by the usual names, in any case of letters:
//
//   s_axi_awaddr, M00_AXI_AWADDR, axil_awaddr_i, i_axi_awaddr, AWADDR   ports: whatever stands
//   before aclk, clk, clock, s_axi_aclk, clk_i, i_clk, sys_clk                clocks, which all run
//   as one aresetn, rst_n, resetn, s_axi_aresetn; rst, reset, i_reset         resets, active low
//   and high irq, interrupt, o_int, done_irq                                    interrupts
//
// or by a mapping.  Whether a port is a slave or a master follows from its pins' directions.
#pragma once

#include <string>
#include <vector>

#include "tools/gvp-rtl/description.h"
#include "tools/gvp-rtl/pins.h"

namespace gvp::tools::rtl {

// "awaddr"...: all signals of AXI4.
const std::vector<std::string>& signal_names();

// Sets Pin::role of all that have one.  Throws Error (bad input) that names block, pin, rule and
// remedy: for a port that lacks a pin or has one of another width or direction, a pin that looks
// like a slip of the pen, a mapping of what there is not, and a block without a clock.
void assign_roles(std::vector<Pin>& pins, const Mapping& mapping, const std::string& block);
// Clocks, resets and interrupts alone: for blocks whose ports those who use them know.
void assign_clocks(std::vector<Pin>& pins, const Mapping& mapping, const std::string& block);

// For whoever has built the block: a line for each port, clock, reset and interrupt, and one for
// the inputs that a board can tie.
std::string roles_text(const std::vector<Pin>& pins);

}  // namespace gvp::tools::rtl
