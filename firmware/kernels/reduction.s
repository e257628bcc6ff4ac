// SPDX-License-Identifier: Apache-2.0
// out[block] = sum of the 2 * T words of in that belong to the block; T threads a block, a power
// of two up to 256.
// Launch: one-dimensional blocks and grid.
//
// Parallel reduction: every step adds the upper half of what is left to the lower half.
.kernel reduction
.param in, out                  // s[0x10], s[0x14]
.shared sums, 1024              // s[0x18]: a word for each thread
        MOV.U16 R1L, s[0x2].U16             // T; R0 is tid.x, as there is no y and z
        I2I.U32.U16 R1, R1L
        IMUL.U16.U16 R2, s[0xc].U16, R1L    // ctaid.x * T
        SHL R2, R2, 1
        IADD R2, R2, R0
        SHL R2, R2, 2
        IADD R2, s[in], R2
        GLD.U32 R3, global14[R2]
        SHL R4, R1, 2
        IADD R2, R2, R4                     // T words further on
        GLD.U32 R4, global14[R2]
        IADD R3, R3, R4                     // this thread's sum stays in R3
        R2A A1, R0, 2
        R2G s[A1+0x18], R3
        SHR.U32.C0 R1, R1, 1                // threads that still add
        BRA C0.EQ, done

step:   BAR.ARV.WAIT b0, 0xfff              // the sums of the step before are there
        ISET.U32.C1 o[0x7f], R0, R1, LT
        IADD R4, R0, R1
        R2A A2, R4, 2
        @C1.NE IADD R3, s[A2+0x18], R3
        @C1.NE R2G s[A1+0x18], R3
        SHR.U32.C0 R1, R1, 1
        BRA C0.NE, step

done:   ISET.U32.C0 o[0x7f], R0, R124, NE
        RET C0.NE                           // thread 0 has the sum of all
        MOV.U16 R1L, s[0xc].U16
        I2I.U32.U16 R1, R1L
        SHL R1, R1, 2
        IADD R1, s[out], R1
        GST.U32 global14[R1], R3
        RET
