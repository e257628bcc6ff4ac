// SPDX-License-Identifier: Apache-2.0
// Sorts T signed words in place, ascending; T threads, a power of two up to 256.
// Launch: one one-dimensional block.
//
// Bitonic sorting network: in step (k, j) the threads tid and tid ^ j compare and exchange, the
// lower of the two doing it, upwards where tid & k is 0.  Needs neither multiplier nor a third
// operand.
.kernel bitonic_sort
.param data                     // s[0x10]
.shared values, 1024            // s[0x14]
        SHL R4, R0, 2                       // R0 is tid.x, as there is no y and z
        IADD R4, s[data], R4
        GLD.U32 R5, global14[R4]
        R2A A1, R0, 2
        R2G s[A1+0x14], R5
        MOV.U16 R7L, s[0x2].U16
        I2I.U32.U16 R7, R7L                 // T
        MVI R1, 2                           // k
outer:  SHR.U32 R2, R1, 1                   // j
inner:  BAR.ARV.WAIT b0, 0xfff
        LOP.XOR R3, R0, R2                  // the partner
        ISET.U32.C0 o[0x7f], R3, R0, LT
        SSY joined
        BRA C0.NE, joined                   // the upper one of a pair has nothing to do
        R2A A2, R3, 2
        MOV R4, s[A1+0x14]
        MOV R5, s[A2+0x14]
        LOP.AND.C1 o[0x7f], R0, R1
        IMIN.S32 R6, R4, R5
        IMAX.S32 R4, R4, R5
        @C1.EQ R2G s[A1+0x14], R6           // upwards
        @C1.EQ R2G s[A2+0x14], R4
        @C1.NE R2G s[A1+0x14], R4           // downwards
        @C1.NE R2G s[A2+0x14], R6
joined: SHR.U32.C0.S R2, R2, 1
        BRA C0.NE, inner
        SHL R1, R1, 1
        ISET.U32.C0 o[0x7f], R1, R7, LE
        BRA C0.NE, outer

        BAR.ARV.WAIT b0, 0xfff
        SHL R4, R0, 2
        IADD R4, s[data], R4
        MOV R5, s[A1+0x14]
        GST.U32 global14[R4], R5
        RET
