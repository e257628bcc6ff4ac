/* SPDX-License-Identifier: Apache-2.0 */
#include "bsp/uartlite.h"

#include "bsp/exception.h"

static uint32_t read(uint32_t offset) { return io_read32(GVP_UARTLITE_BASE + offset); }
static void write(uint32_t offset, uint32_t value) {
  io_write32(GVP_UARTLITE_BASE + offset, value);
}

bool uartlite_present(void) {
  uint32_t status;
  if (!probe_write32(GVP_UARTLITE_BASE + UARTLITE_CONTROL,
                     UARTLITE_CONTROL_RESET_TRANSMIT | UARTLITE_CONTROL_RESET_RECEIVE))
    return false;
  /* After a reset of both FIFOs the transmitter is empty; a hole in the map reads 0 or all ones. */
  return probe_read32(GVP_UARTLITE_BASE + UARTLITE_STATUS, &status) && status != 0xFFFFFFFFu &&
         (status & UARTLITE_STATUS_TRANSMIT_EMPTY) != 0;
}

void uartlite_send(uint8_t character) {
  while ((read(UARTLITE_STATUS) & UARTLITE_STATUS_TRANSMIT_FULL) != 0) {
  }
  write(UARTLITE_TRANSMIT, character);
}

int uartlite_receive(void) {
  if ((read(UARTLITE_STATUS) & UARTLITE_STATUS_RECEIVE_VALID) == 0) return -1;
  return (int)(read(UARTLITE_RECEIVE) & 0xFF);
}
