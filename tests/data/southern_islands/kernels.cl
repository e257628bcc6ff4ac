// SPDX-License-Identifier: Apache-2.0
// Kernels whose compiled code the tests of assembler and disassembler take: integer and
// single-precision work of the kinds that MIAOW's applications do.
kernel void add_int(global int* c, global const int* a, global const int* b) {
  const size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

kernel void multiply_float(global float* c, global const float* a, global const float* b, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

kernel void multiply_int(global int* c, global const int* a, global const int* b, int n) {
  const int x = get_global_id(0), y = get_global_id(1);
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

kernel void bitonic_step(global uint* values, uint stage, uint pass) {
  const uint i = get_global_id(0);
  const uint distance = 1u << (stage - pass);
  const uint left = (i % distance) + (i / distance) * 2 * distance;
  const uint a = values[left], b = values[left + distance];
  const bool swap = ((i >> stage) & 1) != (a > b);
  values[left] = swap ? b : a;
  values[left + distance] = swap ? a : b;
}

kernel void convolve(global int* out, global const uchar* image, constant char* filter, int width) {
  const int x = get_global_id(0), y = get_global_id(1);
  int sum = 0;
  for (int j = -2; j <= 2; ++j)
    for (int i = -2; i <= 2; ++i)
      sum += image[(y + j) * width + x + i] * filter[(j + 2) * 5 + i + 2];
  out[y * width + x] = clamp(sum >> 4, -255, 255);
}

kernel void nearest(global int* member, global const float* points, constant float* centres, int count,
                    int features) {
  const int point = get_global_id(0);
  float best = FLT_MAX;
  for (int c = 0; c < count; ++c) {
    float distance = 0.0f;
    for (int f = 0; f < features; ++f) {
      const float d = points[point * features + f] - centres[c * features + f];
      distance = mad(d, d, distance);
    }
    if (distance < best) {
      best = distance;
      member[point] = c;
    }
  }
}

kernel void sum_block(global int* sums, global const int* values, local int* shared_values) {
  const int i = get_local_id(0);
  shared_values[i] = values[get_global_id(0)];
  for (int reach = get_local_size(0) / 2; reach > 0; reach >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < reach) shared_values[i] += shared_values[i + reach];
  }
  if (i == 0) atomic_add(&sums[get_group_id(0)], shared_values[0]);
}

kernel void mathematics(global float4* out, global const float4* in) {
  const int i = get_global_id(0);
  const float4 v = in[i];
  out[i] = (float4)(native_sqrt(v.x) / v.y, native_exp(v.y), native_log(v.z), native_sin(v.w)) +
           floor(v) + fmin(v, 1.0f) + fabs(-v) + convert_float4(convert_int4(v * 3.5f));
}

kernel void bits(global uint4* out, global const uint4* in) {
  const int i = get_global_id(0);
  const uint4 v = in[i];
  out[i] = (uint4)(popcount(v.x), clz(v.y), rotate(v.z, v.w), mul_hi(v.x, v.y)) ^
           (v / (v.yzwx | 1u)) ^ (uint4)(mul24(v.x, v.y), hadd(v.x, v.z), max(v.y, v.w), ~v.x);
}

kernel void wide(global ulong* out, global const ulong* in, global const char* bytes,
                 global short* halves) {
  const int i = get_global_id(0);
  const ulong v = in[i];
  out[i] = (v * 5 + (v >> (bytes[i] & 63))) - (v << 7);
  halves[i] = (short)(bytes[i] * halves[i]);
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void doubles(global double* out, global const double* in, global const int* integers,
                    global long* rounded) {
  const int i = get_global_id(0);
  const double a = in[2 * i], b = in[2 * i + 1];
  out[6 * i] = a / b;
  out[6 * i + 1] = sqrt(fabs(a)) - b;
  out[6 * i + 2] = a < b ? fma(a, b, 1.5) : fmin(a, -b);
  out[6 * i + 3] = (double)integers[i] + (double)(float)a;
  out[6 * i + 4] = floor(integers[i] * 0.125) + trunc(b) + ldexp(b, integers[i] & 15);
  out[6 * i + 5] = (double)(long)integers[i] * 1e10 + (double)(uint)integers[i];
  rounded[i] = (long)(a * 1e6);
}
