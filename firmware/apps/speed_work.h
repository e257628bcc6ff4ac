/* SPDX-License-Identifier: Apache-2.0 */
/* The work of speed.elf: six kernels of integer code as programs have it, each returning a checksum
 * that any correct processor gets.  Freestanding C: compiles natively too, where the expected
 * checksums come from (firmware/apps/speed_native.c). */
#ifndef GVP_APPS_SPEED_WORK_H
#define GVP_APPS_SPEED_WORK_H

#include <stdint.h>

uint32_t work_records(uint32_t rounds); /* structures, strings, calls: in the manner of Dhrystone */
uint32_t work_matrix(uint32_t rounds);  /* 32 x 32 integer matrix product */
uint32_t work_sort(uint32_t rounds);    /* heap sort of 1024 words */
uint32_t work_list(uint32_t rounds);    /* linked list: build, reverse, merge sort, walk */
uint32_t work_bits(uint32_t rounds);    /* CRC-32 by bits and by table, and a state machine */
uint32_t work_sieve(uint32_t rounds);   /* primes below 16384 */

#endif
