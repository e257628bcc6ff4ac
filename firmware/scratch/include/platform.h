/* SPDX-License-Identifier: Apache-2.0 */
/* What the SDK's project templates bring along. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include "platform_config.h"

void init_platform(void); /* caches on, where the processor has any */
void cleanup_platform(void);
void enable_caches(void);
void disable_caches(void);

#endif
