.const table, c0[0x8], 1, 2.5, 0f3f800000
.global counter, 4
.global placed, c14[0x40], 0x1, 0x2
.kernel first
.regs 8
.param out, flag 2, n
.shared tile, 128
.local 8
.bar 1
.const c1[0x0], 0x3ff
    SSY done                    // comment
    ISET.S32.C0 o[0x7f], s[n], R1, LE; RET C0.NE
top: MVC R1, c[0xe][counter]
    @C0.NE BRA done
    IMAD.U16 R1, g [0x6].U16, R0L, R1 /* s[] */
    MOV32 R3, g [A1+tile+4]
    FMAD32I R0, -R2, -0x3e800000, R0
    R2G.U32.U32 g[A1+++0x1] (C0.EQU), R1
    I2F.F32.U16.BEXT R3, |R3L|
    BAR
    LOP.PASS_B R0, R0, ~R3 {raw=0x0,0x10000000}
done: NOP.S
    EXIT
.kernel second
.noalign
    .word 0x10008404, 0x10008608
    BRA 0x0
