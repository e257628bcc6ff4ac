; SPDX-License-Identifier: Apache-2.0
; Convolution of an image of integers with 5 x 5 coefficients; the image has a border of 2.
; Buffers: result, image, coefficients.  Arguments: bytes of a row of the image, of the result.
; v0: column, v1: row.
s_mov_b32 exec_lo, lit(0xffffffff)
s_mov_b32 exec_hi, lit(0xffffffff)

s_load_dwordx4 s[16:19], s[2:3], 0x60
s_load_dwordx4 s[20:23], s[2:3], 0x68
s_load_dwordx4 s[24:27], s[2:3], 0x70
s_buffer_load_dword s0, s[8:11], 0x0
s_buffer_load_dword s1, s[8:11], 0x1
s_waitcnt lgkmcnt(0)
v_mul_lo_u32 v2, v1, s0
v_mul_lo_u32 v3, v1, s1
v_lshlrev_b32 v4, 2, v0
v_add_i32 v2, vcc, v2, v4
v_add_i32 v3, vcc, v3, v4
v_mov_b32 v5, 0
s_movk_i32 s14, 0                     ; offset of the coefficient
s_movk_i32 s15, 5                     ; rows left
.Lrow:
s_movk_i32 s28, 5                     ; columns left
v_add_i32 v8, vcc, 0, v2
.Lcolumn:
s_buffer_load_dword s29, s[24:27], s14
tbuffer_load_format_x v6, v8, s[20:23], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
s_waitcnt vmcnt(0) & lgkmcnt(0)
v_mul_lo_u32 v6, v6, s29
v_add_i32 v5, vcc, v5, v6
v_add_i32 v8, vcc, 4, v8
s_add_u32 s14, s14, 4
s_sub_u32 s28, s28, 1
s_cmp_lg_u32 s28, 0
s_cbranch_scc1 .Lcolumn
v_add_i32 v2, vcc, s0, v2
s_sub_u32 s15, s15, 1
s_cmp_lg_u32 s15, 0
s_cbranch_scc1 .Lrow
tbuffer_store_format_x v5, v3, s[16:19], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
s_endpgm
