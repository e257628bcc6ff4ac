// SPDX-License-Identifier: Apache-2.0
// A program as those of the CUDA SDK 1.x are: checks around calls, timers, a comparison.
#include <cutil.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SDATA(index) CUT_BANK_CHECKER(sdata, index)

__global__ void testKernel(float* g_idata, float* g_odata) {
  extern __shared__ float sdata[];
  const unsigned int tid = threadIdx.x;
  const unsigned int num_threads = blockDim.x;
  SDATA(tid) = g_idata[tid];
  __syncthreads();
  SDATA(tid) = (float)num_threads * SDATA(tid);
  __syncthreads();
  g_odata[tid] = SDATA(tid);
}

void runTest(int argc, char** argv);

void computeGold(float* reference, float* idata, const unsigned int len) {
  const float f_len = (float)len;
  for (unsigned int i = 0; i < len; ++i) reference[i] = idata[i] * f_len;
}

int main(int argc, char** argv) {
  runTest(argc, argv);
  return 0;
}

void runTest(int argc, char** argv) {
  CUT_DEVICE_INIT(argc, argv);
  unsigned int timer = 0;
  CUT_SAFE_CALL(cutCreateTimer(&timer));
  CUT_SAFE_CALL(cutStartTimer(timer));
  unsigned int num_threads = 32;
  unsigned int mem_size = sizeof(float) * num_threads;
  float* h_idata = (float*)malloc(mem_size);
  for (unsigned int i = 0; i < num_threads; ++i) h_idata[i] = (float)i;

  float* d_idata;
  CUDA_SAFE_CALL(cudaMalloc((void**)&d_idata, mem_size));
  CUDA_SAFE_CALL(cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice));
  float* d_odata;
  CUDA_SAFE_CALL(cudaMalloc((void**)&d_odata, mem_size));
  dim3 grid(1, 1, 1);
  dim3 threads(num_threads, 1, 1);
  testKernel<<<grid, threads, mem_size>>>(d_idata, d_odata);
  CUT_CHECK_ERROR("Kernel execution failed");

  float* h_odata = (float*)malloc(mem_size);
  CUDA_SAFE_CALL(cudaMemcpy(h_odata, d_odata, sizeof(float) * num_threads, cudaMemcpyDeviceToHost));
  CUT_SAFE_CALL(cutStopTimer(timer));
  if (!(cutGetTimerValue(timer) > 0.0f)) exit(2);
  CUT_SAFE_CALL(cutDeleteTimer(timer));

  float* reference = (float*)malloc(mem_size);
  computeGold(reference, h_idata, num_threads);
  if (cutCheckCmdLineFlag(argc, (const char**)argv, "regression")) exit(3);
  CUTBoolean res = cutComparef(reference, h_odata, num_threads);
  if (res != CUTTrue || cutCompareL2fe(reference, h_odata, num_threads, 1e-6f) != CUTTrue) exit(4);
  h_odata[3] += 1.0f;
  if (cutComparefe(reference, h_odata, num_threads, 0.5f) == CUTTrue) exit(5);
  if (cutCompareL2fe(reference, h_odata, num_threads, 1e-6f) == CUTTrue) exit(6);
  free(h_idata);
  free(h_odata);
  free(reference);
  CUDA_SAFE_CALL(cudaFree(d_idata));
  CUDA_SAFE_CALL(cudaFree(d_odata));
}
