; SPDX-License-Identifier: Apache-2.0
; The nearest of k centres to each point, by the sum of squares.  Buffers: memberships, points,
; centres.  Arguments: features, k, bytes of a point or centre.  v0: point.
s_mov_b32 exec_lo, lit(0xffffffff)
s_mov_b32 exec_hi, lit(0xffffffff)

s_load_dwordx4 s[16:19], s[2:3], 0x60
s_load_dwordx4 s[20:23], s[2:3], 0x68
s_load_dwordx4 s[24:27], s[2:3], 0x70
s_buffer_load_dword s0, s[8:11], 0x0
s_buffer_load_dword s1, s[8:11], 0x1
s_buffer_load_dword s14, s[8:11], 0x2
s_waitcnt lgkmcnt(0)
v_mul_lo_u32 v2, v0, s14              ; the point
v_mov_b32 v3, 0                       ; nearest centre
v_mov_b32 v4, lit(0x7f7fffff)         ; how far it is
s_movk_i32 s15, 0                     ; centre
s_movk_i32 s28, 0                     ; offset of its feature
.Lcentre:
v_mov_b32 v5, 0                       ; distance
v_add_i32 v6, vcc, 0, v2              ; feature of the point
s_add_u32 s29, s0, 0                  ; features left
.Lfeature:
s_buffer_load_dword s30, s[24:27], s28
tbuffer_load_format_x v7, v6, s[20:23], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
s_waitcnt vmcnt(0) & lgkmcnt(0)
v_subrev_f32 v7, s30, v7
v_mul_f32 v7, v7, v7
v_add_f32 v5, v5, v7
v_add_i32 v6, vcc, 4, v6
s_add_u32 s28, s28, 4
s_sub_u32 s29, s29, 1
s_cmp_lg_u32 s29, 0
s_cbranch_scc1 .Lfeature
v_cmp_lt_f32 vcc, v5, v4
v_cndmask_b32 v4, v4, v5, vcc
v_mov_b32 v8, s15
v_cndmask_b32 v3, v3, v8, vcc
s_add_u32 s15, s15, 1
s_cmp_lt_u32 s15, s1
s_cbranch_scc1 .Lcentre
v_lshlrev_b32 v9, 2, v0
tbuffer_store_format_x v3, v9, s[16:19], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
s_endpgm
