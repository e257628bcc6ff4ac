// SPDX-License-Identifier: Apache-2.0
// Kernels that the device must stop, one for each cause, and one that never ends.  The self-test
// runs them and looks at the cause and at the address of the instruction.

// The address is the parameter.
.kernel load
.param address
        MOV R1, s[address]
        GLD.U32 R2, global14[R1]            // pc 0x8
        RET

.kernel store
.param address
        MOV R1, s[address]
        GST.U32 global14[R1], R0            // pc 0x8
        RET

.kernel illegal
        NOP
        .word 0xf0000003, 0x00000780        // pc 0x8: no such control instruction
        RET

.kernel shared_out_of_range
        MVI R1, 0xf000
        R2A A1, R1, 0
        MOV R2, s[A1]                       // pc 0x10
        RET

.kernel constant_out_of_range
        NOP
        MVC R1, c[0xf][0x1000]              // pc 0x8
        RET

.kernel local_out_of_range
        NOP
        LST.U32 local[0xfff0], R0           // pc 0x8
        RET

// Runs off the end of the code memory.
.kernel code_out_of_range
        NOP
        BRA 0x800000                        // the fault is at the target
        RET

.kernel stack_overflow
again:  SSY again
        BRA again

.kernel stack_underflow
        NOP
        BRK                                 // pc 0x8
        RET

.kernel trapped
        NOP
        TRAP                                // pc 0x8
        RET

// Two warps wait at a barrier each, for each other.
.kernel deadlock
        SHR.U32.C0 R1, R0, 5
        BRA C0.NE, second
        BAR.ARV.WAIT b0, 0xfff
        RET
second: BAR.ARV.WAIT b1, 0xfff
        RET

.kernel endless
again:  BRA again
