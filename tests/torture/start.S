/* SPDX-License-Identifier: Apache-2.0
 * Start-up for GCC's execution tests: everything in RAM at 0x50000000, no vectors, no devices.
 * The program ends in _exit with a branch to itself, the exit code in r3. */
        .section .text.start, "ax"
        .globl  _start
        .type   _start, @function
_start:
        addik   r13, r0, _SDA_BASE_
        addik   r2, r0, _SDA2_BASE_
        addik   r1, r0, _stack_top - 32
        addik   r6, r0, _bss_start
        addik   r7, r0, _bss_end
        rsubk   r8, r6, r7
        beqi    r8, 2f
1:      swi     r0, r6, 0
        addik   r6, r6, 4
        rsubk   r8, r6, r7
        bgti    r8, 1b
2:      addk    r5, r0, r0
        addk    r6, r0, r0
        brlid   r15, main
        addk    r7, r0, r0
        brlid   r15, exit
        addk    r5, r3, r0
        .size   _start, . - _start

        .text
        .globl  _exit
        .type   _exit, @function
_exit:  addk    r3, r5, r0
        bri     0
        .size   _exit, . - _exit
