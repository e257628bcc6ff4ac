/* SPDX-License-Identifier: Apache-2.0
 * From reset to main().  Assumes nothing: the core may come from reset, from a loader that jumps
 * to the entry point, or from a debugger that restarts the program.
 *
 * A loader may leave a pointer to an argument string in r5 (as boot loaders do for Linux, and QEMU
 * for -append); it is only looked at when it points into DDR3.  See docs/firmware.md, "Arguments". */

        .equ    MSR_EE, 0x100

        .section .text.start, "ax"
        .globl  _start
        .type   _start, @function
_start:
        mts     rmsr, r0                /* interrupts, exceptions, caches off; carry clear */
        nop
        mts     rslr, r0                /* no stack limits while there is no stack */
        addik   r4, r0, -1
        mts     rshr, r4

        addik   r13, r0, _SDA_BASE_
        addik   r2, r0, _SDA2_BASE_
        addik   r1, r0, _stack_top - 32 /* 28 bytes of argument space belong to the caller */

        /* .bss (the loader may have done it; a restart has not) */
        addik   r6, r0, _bss_start
        addik   r7, r0, _bss_end
        rsubk   r8, r6, r7
        beqi    r8, 2f
1:      swi     r0, r6, 0
        addik   r6, r6, 4
        rsubk   r8, r6, r7
        bgti    r8, 1b
2:
        /* Limits for cores with stack protection; without it these registers do nothing. */
        addik   r4, r0, _stack_bottom
        mts     rslr, r4
        addik   r4, r0, _exception_stack_top
        mts     rshr, r4

        /* Hardware exceptions from here on. */
        mfs     r4, rmsr
        ori     r4, r4, MSR_EE
        mts     rmsr, r4
        nop

        brlid   r15, bsp_main           /* does not return; r5 goes through */
        nop
        bri     0
        .size   _start, . - _start
