/* SPDX-License-Identifier: Apache-2.0 */
/* The five benchmarks of the FlexGrip thesis (section 3.5.2) as plain C, each as its kernel with a
 * loop over the threads.  The Makefile compiles thesis_host.c once for each level of optimisation. */
#ifndef GVP_APPS_THESIS_HOST_H
#define GVP_APPS_THESIS_HOST_H

struct thesis_host {
  void (*autocorrelation)(int* out, const int* in, int n);
  void (*bitonic_sort)(int* values, int n);
  void (*matrix_multiply)(int* c, const int* a, const int* b, int n);
  void (*reduction)(int* values, int n); /* the sum ends up in values[0] */
  void (*transpose)(int* out, const int* in, int n);
};

extern const struct thesis_host thesis_host_o0; /* -O0 */
extern const struct thesis_host thesis_host_o2; /* -O2 */

#endif
