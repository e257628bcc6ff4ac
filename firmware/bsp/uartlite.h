/* SPDX-License-Identifier: Apache-2.0 */
/* AXI UART Lite (Xilinx PG142).  Its baud rate is fixed when the hardware is built. */
#ifndef GVP_BSP_UARTLITE_H
#define GVP_BSP_UARTLITE_H

#include "bsp/io.h"
#include "platform/memory_map.h"

#define UARTLITE_RECEIVE 0x0u
#define UARTLITE_TRANSMIT 0x4u
#define UARTLITE_STATUS 0x8u
#define UARTLITE_CONTROL 0xCu

#define UARTLITE_STATUS_RECEIVE_VALID 0x01u
#define UARTLITE_STATUS_RECEIVE_FULL 0x02u
#define UARTLITE_STATUS_TRANSMIT_EMPTY 0x04u
#define UARTLITE_STATUS_TRANSMIT_FULL 0x08u
#define UARTLITE_STATUS_INTERRUPT_ENABLED 0x10u
#define UARTLITE_CONTROL_RESET_TRANSMIT 0x01u
#define UARTLITE_CONTROL_RESET_RECEIVE 0x02u
#define UARTLITE_CONTROL_INTERRUPT_ENABLE 0x10u

bool uartlite_present(void);
void uartlite_send(uint8_t character);
int uartlite_receive(void); /* -1: nothing there */

#endif
