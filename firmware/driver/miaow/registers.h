/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver's files share.  Internal to the driver. */
#ifndef GVP_DRIVER_MIAOW_INTERNAL_H
#define GVP_DRIVER_MIAOW_INTERNAL_H

#include "bsp/io.h"
#include "driver/miaow/miaow.h"

static inline uint32_t miaow_read(const struct miaow* device, uint32_t offset) {
  return io_read32(device->control + offset);
}
static inline void miaow_write(const struct miaow* device, uint32_t offset, uint32_t value) {
  io_write32(device->control + offset, value);
}

/* Whether a range lies in memory that is allocated. */
bool miaow_in_prefetch(const struct miaow* device, miaow_address address, uint32_t bytes);
bool miaow_in_host(const struct miaow* device, miaow_address address, uint32_t bytes);
/* When no grid runs. */
void miaow_write_prefetch(struct miaow* device, miaow_address to, uint32_t word);

#endif
