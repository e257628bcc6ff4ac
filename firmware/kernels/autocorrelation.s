// SPDX-License-Identifier: Apache-2.0
// out[k] = sum of x[i] * x[i + k] for 0 <= i < n - k, k = 0..n-1; words, modulo 2^32; n up to 256
// and a multiple of the block size.
// Launch: one-dimensional blocks, n threads in all.
//
// Each thread makes one k; the larger k, the fewer terms, so threads leave the loop one by one.  The
// exit is the taken branch: where that side runs first, the thread that leaves waits at the join
// and the warp stack stays two deep.  With the branch the other way it would grow by an entry for
// each thread.
// Products from 16-bit pieces as in matrix_multiply.s.
.kernel autocorrelation
.param in, out, n               // s[0x10], s[0x14], s[0x18]
.shared x, 1024                 // s[0x1c]
        MOV.U16 R1L, s[0x2].U16
        I2I.U32.U16 R1, R1L                 // threads of a block; R0 is tid.x
        IMAD.U16 R2, s[0xc].U16, R1L, R0    // k

        // x goes to shared memory, every thread copying each ntid.x-th word.
        SHL R3, R0, 2
        IADD R4, s[in], R3
        R2A A1, R3, 0
        SHL R5, R1, 2
        MOV R6, R0
fill:   GLD.U32 R7, global14[R4]
        R2G s[A1+0x1c], R7
        IADD R4, R4, R5
        IADD R3, R3, R5
        R2A A1, R3, 0
        IADD R6, R6, R1
        ISET.U32.C0 o[0x7f], s[n], R6, GT
        BRA C0.NE, fill                     // n is a multiple of ntid.x: the same for all threads
        BAR.ARV.WAIT b0, 0xfff

        IADD R3, s[n], -R2                  // terms to add
        ADA A1, A0, 0                       // &x[i]
        R2A A2, R2, 2                       // &x[i + k]
        MVI R4, 0                           // sum of al * bl
        MVI R5, 0                           // sum of ah * bl + al * bh
        MVI R7, 1
        SSY end
term:   MOV R6, s[A1+0x1c]
        IMAD.U16 R4, s[A2+0x1c].U16, R6L, R4
        IMAD.U16 R5, s[A2+0x1c].U16, R6H, R5
        IMAD.U16 R5, s[A2+0x1e].U16, R6L, R5
        ADA A1, A1, 4
        ADA A2, A2, 4
        IADD.C0 R3, R3, -R7
        BRA C0.EQ, end
        BRA term
end:    SHL.S R5, R5, 16
        IADD R4, R4, R5
        SHL R2, R2, 2
        IADD R2, s[out], R2
        GST.U32 global14[R2], R4
        RET
