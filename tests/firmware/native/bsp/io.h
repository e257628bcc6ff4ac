/* SPDX-License-Identifier: Apache-2.0 */
/* In place of the board support package's: a driver that runs in a test, whose registers are a
 * model's and whose memory lies below 4 GiB. */
#ifndef GVP_TESTS_NATIVE_IO_H
#define GVP_TESTS_NATIVE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint32_t io_read32(uint32_t address);
void io_write32(uint32_t address, uint32_t value);

#endif
