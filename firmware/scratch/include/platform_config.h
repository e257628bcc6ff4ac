/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PLATFORM_CONFIG_H
#define PLATFORM_CONFIG_H

#define STDOUT_IS_UARTLITE
#define UART_DEVICE_ID 0

#endif
