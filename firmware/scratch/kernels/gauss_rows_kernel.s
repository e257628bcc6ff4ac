; SPDX-License-Identifier: Apache-2.0
; Gaussian elimination, second half of step t: a[i][j] = a[i][j] - multiplier[i] a[t][j], where the
; last column of a, j = n, is the right side.  Buffers: a, multipliers.  Arguments: bytes of a row, t.
; v0: column, v1: row.
s_mov_b32 exec_lo, lit(0xffffffff)
s_mov_b32 exec_hi, lit(0xffffffff)

s_load_dwordx4 s[16:19], s[2:3], 0x60
s_load_dwordx4 s[20:23], s[2:3], 0x68
s_buffer_load_dword s0, s[8:11], 0x0
s_buffer_load_dword s1, s[8:11], 0x1
s_waitcnt lgkmcnt(0)
v_lshlrev_b32 v2, 2, v0
v_mul_lo_u32 v3, v1, s0
v_add_i32 v3, vcc, v2, v3             ; a[i][j]
s_mul_i32 s14, s0, s1
v_add_i32 v4, vcc, s14, v2            ; a[t][j]
v_lshlrev_b32 v5, 2, v1
tbuffer_load_format_x v6, v3, s[16:19], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
tbuffer_load_format_x v7, v4, s[16:19], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
tbuffer_load_format_x v8, v5, s[20:23], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
s_waitcnt vmcnt(0)
v_mul_f32 v7, v7, v8
v_sub_f32 v6, v6, v7
tbuffer_store_format_x v6, v3, s[16:19], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
s_endpgm
