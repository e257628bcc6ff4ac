// SPDX-License-Identifier: Apache-2.0
// Kernels of the self-test that end well.

// A word in device memory that the module brings, and one in a constant bank.
.global counter, 4
.const scale, c0[0x0], 3

// out[i] = i * scale + literal + parameter, i counting all threads of a one-dimensional launch.
// Reaches every kind of read-only operand: parameters, constants of the module and of the kernel.
.kernel number
.param out, addend
.const c1[0x0], 1000
        MOV.U16 R1L, s[0x2].U16
        IMAD.U16 R1, s[0xc].U16, R1L, R0    // i
        MVC R2, c[0x0][0x0]
        IMUL.U16.U16 R3, R1L, R2L
        MVC R2, c[0x1][0x0]
        IADD R3, R3, R2
        IADD R3, s[addend], R3
        SHL R1, R1, 2
        IADD R1, s[out], R1
        GST.U32 global14[R1], R3
        RET

// out[i] = tid.x | tid.y << 8 | tid.z << 16 | (ctaid.x + ctaid.y * nctaid.x) << 24, i counting all
// threads block by block: what the device puts into R0 and at the beginning of shared memory.
.kernel indices
.param out
        I2I.U32.U16 R1, R0L                 // tid.x
        SHR.U32 R2, R0, 16
        LOP32I.AND R2, R2, 0x3ff            // tid.y
        SHR.U32 R3, R0, 26                  // tid.z
        MOV.U16 R4L, s[0x2].U16             // ntid.x
        MOV.U16 R4H, s[0x4].U16             // ntid.y
        IMAD.U16 R5, R3L, R4H, R2           // tid.z * ntid.y + tid.y
        IMAD.U16 R5, R5L, R4L, R1           // the thread within its block
        MOV.U16 R6L, s[0xe].U16             // ctaid.y
        MOV.U16 R6H, s[0xc].U16             // ctaid.x
        I2I.U32.U16 R7, R6H
        IMAD.U16 R7, s[0x8].U16, R6L, R7    // the block: ctaid.x + ctaid.y * nctaid.x
        IMUL.U16.U16 R6, R4L, R4H
        MOV.U16 R8L, s[0x6].U16
        IMUL.U16.U16 R6, R6L, R8L           // threads of a block
        IMAD.U16 R5, R7L, R6L, R5
        SHL R5, R5, 2
        IADD R5, s[out], R5
        SHL R2, R2, 8
        SHL R3, R3, 16
        SHL R7, R7, 24
        IADD R1, R1, R2
        IADD R1, R1, R3
        IADD R1, R1, R7
        GST.U32 global14[R5], R1
        RET

// Adds 1 to the module's variable; one thread.
.kernel count
        MVC R1, c[0xe][0x0]
        GLD.U32 R2, global14[R1]
        IADD32I R2, R2, 1
        GST.U32 global14[R1], R2
        RET

// out[i] = words of dynamic shared memory that came back as they were written; each thread of the
// one block writes its own and reads its right neighbour's.
.kernel dynamic_shared
.param out
        SHL R1, R0, 2
        R2A A1, R1, 0
        R2G s[A1+0x14], R0                  // dynamic shared memory begins after the parameter
        BAR.ARV.WAIT b0, 0xfff
        MOV.U16 R2L, s[0x2].U16
        I2I.U32.U16 R2, R2L
        IADD32I R3, R0, 1
        ISET.U32.C0 o[0x7f], R3, R2, LT
        @C0.EQ MOV R3, R124                 // the last one's neighbour is the first
        R2A A2, R3, 2
        MOV R4, s[A2+0x14]
        IADD R1, s[out], R1
        GST.U32 global14[R1], R4
        RET

// out[i] = i after a trip through local memory.
.kernel local
.local 16
.param out
        LST.U32 local[0x8], R0
        LLD.U32 R2, local[0x8]
        SHL R1, R0, 2
        IADD R1, s[out], R1
        GST.U32 global14[R1], R2
        RET

// Threads below the parameter go one way, the others another, and both through a loop of so many
// rounds as the last four bits of the thread's number say; out[i] = i & 15 below, -(i & 15) else.
// Where the side of a branch that is not taken runs first, this needs a warp stack of 20 entries.
.kernel diverge
.param out, bound
        MVI R2, 0
        MVI R3, 1
        ISET.U32.C0 o[0x7f], s[bound], R0, GT
        SSY joined
        BRA C0.NE, below
        LOP32I.AND R1, R0, 0xf
        SSY more_done
        ISET.U32.C1 o[0x7f], R1, R124, EQ
        BRA C1.NE, more_done
more:   IADD R2, R2, -R3
        IADD.C1 R1, R1, -R3
        BRA C1.EQ, more_done
        BRA more
more_done:
        NOP.S
        BRA joined
below:  LOP32I.AND R1, R0, 0xf
        SSY less_done
        ISET.U32.C1 o[0x7f], R1, R124, EQ
        BRA C1.NE, less_done
less:   IADD R2, R2, R3
        IADD.C1 R1, R1, -R3
        BRA C1.EQ, less_done
        BRA less
less_done:
        NOP.S
joined: NOP.S
        SHL R1, R0, 2
        IADD R1, s[out], R1
        GST.U32 global14[R1], R2
        RET

// Does nothing but ask for the most registers a thread can have.
.kernel many_registers
.regs 128
        RET

// Asks for more shared memory than any SM has.
.kernel much_shared
.shared big, 16000
        RET
