; SPDX-License-Identifier: Apache-2.0
; One pass of a bitonic sort of unsigned words.  Buffer: the words.  Arguments: distance between the
; two words of a pair, bit of the lane that says which pairs are in descending order.
; v0: pair.
s_mov_b32 exec_lo, lit(0xffffffff)
s_mov_b32 exec_hi, lit(0xffffffff)

s_load_dwordx4 s[16:19], s[2:3], 0x60
s_buffer_load_dword s0, s[8:11], 0x0
s_buffer_load_dword s1, s[8:11], 0x1
s_waitcnt lgkmcnt(0)
s_sub_u32 s14, s0, 1
s_not_b32 s15, s14
v_and_b32 v2, s14, v0
v_and_b32 v3, s15, v0
v_lshlrev_b32 v3, 1, v3
v_or_b32 v2, v2, v3
v_lshlrev_b32 v2, 2, v2               ; the first of the pair
s_lshl_b32 s0, s0, 2
v_add_i32 v3, vcc, s0, v2
tbuffer_load_format_x v4, v2, s[16:19], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
tbuffer_load_format_x v5, v3, s[16:19], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
s_waitcnt vmcnt(0)
v_min_u32 v6, v4, v5
v_max_u32 v7, v4, v5
v_and_b32 v8, s1, v0
v_cmp_ne_u32 vcc, 0, v8
v_cndmask_b32 v4, v6, v7, vcc
v_cndmask_b32 v5, v7, v6, vcc
tbuffer_store_format_x v4, v2, s[16:19], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
tbuffer_store_format_x v5, v3, s[16:19], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
s_endpgm
