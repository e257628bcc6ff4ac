; SPDX-License-Identifier: Apache-2.0
; Gaussian elimination, first half of step t: multiplier[i] = a[i][t] / a[t][t] of the rows below.
; Buffers: multipliers, a.  Arguments: words of a row, t.  v0: rows
; below t, less one; those beyond the matrix do nothing, as long as it is no wider than high.
s_mov_b32 exec_lo, lit(0xffffffff)
s_mov_b32 exec_hi, lit(0xffffffff)

s_load_dwordx4 s[16:19], s[2:3], 0x60
s_load_dwordx4 s[20:23], s[2:3], 0x68
s_buffer_load_dword s0, s[8:11], 0x0
s_buffer_load_dword s1, s[8:11], 0x1
s_waitcnt lgkmcnt(0)
v_add_i32 v2, vcc, 1, v0
v_add_i32 v2, vcc, s1, v2             ; row
v_cmp_gt_u32 vcc, s0, v2
s_and_saveexec_b64 s[28:29], vcc
s_cbranch_execz .Lend
v_mul_lo_u32 v3, v2, s0
v_add_i32 v3, vcc, s1, v3
v_lshlrev_b32 v3, 2, v3               ; a[i][t]
s_mul_i32 s14, s0, s1
s_add_u32 s14, s14, s1
s_lshl_b32 s14, s14, 2
v_mov_b32 v4, s14                     ; a[t][t]
tbuffer_load_format_x v5, v3, s[20:23], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
tbuffer_load_format_x v6, v4, s[20:23], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
s_waitcnt vmcnt(0)
v_rcp_f32 v6, v6
v_mul_f32 v5, v5, v6
v_lshlrev_b32 v2, 2, v2
tbuffer_store_format_x v5, v2, s[16:19], 0 offen format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]
.Lend:
s_endpgm
