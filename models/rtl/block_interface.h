/* SPDX-License-Identifier: Apache-2.0 */
/* A block of RTL that a simulator has compiled, as plain C over pins: who drives it needs neither
   Verilator's headers nor those who compiled it SystemC's.  A pin's value lies in memory, little-
   endian, in 1, 2, 4, 8 or a multiple of 4 bytes; writing an input there and calling eval() is all
   there is to it.  eval() is called with settled inputs after each change.

   A function that can fail returns 0 for success; error() then has the reason.
   Not here: time.  It passes with the edges that the caller makes on the clock's pin. */
#ifndef GVP_RTL_BLOCK_INTERFACE_H
#define GVP_RTL_BLOCK_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

#define GVP_RTL_INTERFACE_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* What a pin is:
     "clock"                  all clocks of a block are one
     "reset", "reset_n"       active high, active low
     "interrupt"              an output, active high
     "slave:PORT:SIGNAL"      of an AXI4 or AXI4-Lite port, where SIGNAL is awaddr, rvalid...
     "master:PORT:SIGNAL"
   and "" or null: none of these. */
struct gvp_rtl_pin {
  const char* name;
  uint32_t bits;
  uint32_t is_input;
  const char* role;
};

struct gvp_rtl_block {
  uint32_t interface_version; /* GVP_RTL_INTERFACE_VERSION */
  const char* name;
  const char* compiled_with; /* "Verilator 5.006 ..." */
  const struct gvp_rtl_pin* pins;
  size_t pin_count;

  /* An instance; null with no memory.  seed: of the initial values of what the RTL does not
     initialise; 0: all zero. */
  void* (*create)(const char* instance, uint32_t seed);
  void (*destroy)(void* model);
  void* (*pin_data)(void* model, size_t pin);
  int (*eval)(void* model);
  const char* (*error)(void* model);
  /* What the block has printed since the last call, "" for nothing. */
  const char* (*output)(void* model);
  /* The memory that holds all of its state, pins among it; null if it does not lie in one piece.
     The same bytes mean the same future. */
  const void* (*state)(void* model, size_t* bytes);

  /* Waveforms: open(), dump() with a time that grows, close().  Null where not compiled in. */
  int (*wave_open)(void* model, const char* file);
  void (*wave_dump)(void* model, uint64_t picoseconds);
  void (*wave_close)(void* model);
};

/* A plug-in of one block: a shared object with this section, so that a program knows it before it
   loads anything, and a function gvp_rtl_plugin(). */
#define GVP_RTL_PLUGIN_SECTION ".gvp_rtl"
#define GVP_RTL_PLUGIN_INTERFACE "RTL pin interface 1"
#define GVP_RTL_PLUGIN_OF(block)                                                                  \
  __attribute__((used,                                                                            \
                 section(GVP_RTL_PLUGIN_SECTION))) static const char gvp_rtl_plugin_interface[] = \
      GVP_RTL_PLUGIN_INTERFACE;                                                                   \
  __attribute__((visibility("default"))) const struct gvp_rtl_block* gvp_rtl_plugin(void) {       \
    return &(block);                                                                              \
  }

#ifdef __cplusplus
}
#endif
#endif
