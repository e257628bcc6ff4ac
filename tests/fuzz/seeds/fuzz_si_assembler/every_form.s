	.text
	.globl	k
	.p2align 3
k: ; every form, and what stands beside operands
	s_add_u32 s1, 0x1234, s3
	s_mov_b64 exec, -1
	s_mov_b32 s1, lit(0x1)
	s_movk_i32 s1, 0x7b
	s_cmp_eq_i32 s1, 5
.Lback:
	s_waitcnt vmcnt(0) & lgkmcnt(2)
	s_load_dwordx2 s[4:5], s[2:3], 0x10
	s_buffer_load_dword s1, s[4:7], s5
	v_add_f32_e64 v1, |v2|, neg(1.0) clamp mul:2
	v_madmk_f32 v1, v2, 0x3e22f983, v3
	v_addc_u32 v1, vcc, v2, v3, vcc
	v_cmp_lt_i32 s[2:3], v1, v2
	v_readlane_b32 s1, v2, m0
	v_lshl_b64 v[0:1], v[2:3], 4
	v_div_scale_f32 v1, vcc, -v2, v3, v4
	ds_read2_b32 v[0:1], v2 offset0:1 offset1:2 gds
	buffer_load_dword v2, v[3:4], s[4:7], 0 addr64 offset:16 glc slc
	tbuffer_load_format_x v1, off, s[0:3], dfmt:4, nfmt:7, s1
	tbuffer_store_format_xy v[1:2], v[2:3], s[0:3], 0 format:[BUF_DATA_FORMAT_32_32,BUF_NUM_FORMAT_FLOAT] idxen offen tfe
	s_cbranch_scc1 .Lback
	s_endpgm
	.long 0xc8000000, -1
	.section .AMDGPU.config
	.long 47176
