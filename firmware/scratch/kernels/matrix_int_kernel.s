; SPDX-License-Identifier: Apache-2.0
; Product of n x n matrices of integers.
; Buffers: C, A, B.  Argument: n.  v0: column, v1: row.
s_mov_b32 exec_lo, lit(0xffffffff)
s_mov_b32 exec_hi, lit(0xffffffff)

s_load_dwordx4 s[16:19], s[2:3], 0x60
s_load_dwordx4 s[20:23], s[2:3], 0x68
s_load_dwordx4 s[24:27], s[2:3], 0x70
s_buffer_load_dword s0, s[8:11], 0x0
s_waitcnt lgkmcnt(0)
v_mul_lo_u32 v2, v1, s0
v_lshlrev_b32 v2, 2, v2               ; A's row
v_lshlrev_b32 v3, 2, v0               ; B's column
v_add_i32 v4, vcc, v2, v3
s_lshl_b32 s1, s0, 2
v_mov_b32 v5, 0
.Lnext:
tbuffer_load_format_x v6, v2, s[20:23], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
tbuffer_load_format_x v7, v3, s[24:27], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
s_waitcnt vmcnt(0)
v_mul_lo_u32 v6, v6, v7
v_add_i32 v5, vcc, v5, v6
v_add_i32 v2, vcc, 4, v2
v_add_i32 v3, vcc, s1, v3
s_sub_u32 s0, s0, 1
s_cmp_lg_u32 s0, 0
s_cbranch_scc1 .Lnext
tbuffer_store_format_x v5, v4, s[16:19], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
s_endpgm
