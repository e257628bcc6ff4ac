/* SPDX-License-Identifier: Apache-2.0
 * What runs between a vector and C: saves the registers, calls the handler, restores, returns. */

#define INTERRUPT_FRAME (28 + 16 * 4)

        .text

/* Interrupt: saves what a C function may change, and MSR for its carry. */
        .globl  interrupt_entry
        .type   interrupt_entry, @function
interrupt_entry:
        addik   r1, r1, -INTERRUPT_FRAME
        swi     r15, r1, 0
        swi     r3, r1, 28
        swi     r4, r1, 32
        swi     r5, r1, 36
        swi     r6, r1, 40
        swi     r7, r1, 44
        swi     r8, r1, 48
        swi     r9, r1, 52
        swi     r10, r1, 56
        swi     r11, r1, 60
        swi     r12, r1, 64
        swi     r14, r1, 68
        swi     r17, r1, 72
        swi     r18, r1, 76
        mfs     r3, rmsr
        swi     r3, r1, 80
        brlid   r15, interrupt_dispatch
        nop
        lwi     r3, r1, 80
        mts     rmsr, r3                /* IE is clear in it: rtid sets it */
        lwi     r18, r1, 76
        lwi     r17, r1, 72
        lwi     r14, r1, 68
        lwi     r12, r1, 64
        lwi     r11, r1, 60
        lwi     r10, r1, 56
        lwi     r9, r1, 52
        lwi     r8, r1, 48
        lwi     r7, r1, 44
        lwi     r6, r1, 40
        lwi     r5, r1, 36
        lwi     r4, r1, 32
        lwi     r3, r1, 28
        lwi     r15, r1, 0
        rtid    r14, 0
        addik   r1, r1, INTERRUPT_FRAME
        .size   interrupt_entry, . - interrupt_entry

/* Exception: all registers go to exception_frame, not to the stack, which may be what is broken.
 * The handler runs on a stack of its own and leaves the address to go on at in the frame's pc. */
        .globl  exception_entry
        .type   exception_entry, @function
exception_entry:
        swi     r1, r0, exception_frame + 4
        swi     r2, r0, exception_frame + 8
        swi     r3, r0, exception_frame + 12
        swi     r4, r0, exception_frame + 16
        swi     r5, r0, exception_frame + 20
        swi     r6, r0, exception_frame + 24
        swi     r7, r0, exception_frame + 28
        swi     r8, r0, exception_frame + 32
        swi     r9, r0, exception_frame + 36
        swi     r10, r0, exception_frame + 40
        swi     r11, r0, exception_frame + 44
        swi     r12, r0, exception_frame + 48
        swi     r13, r0, exception_frame + 52
        swi     r14, r0, exception_frame + 56
        swi     r15, r0, exception_frame + 60
        swi     r16, r0, exception_frame + 64
        swi     r17, r0, exception_frame + 68
        swi     r18, r0, exception_frame + 72
        swi     r19, r0, exception_frame + 76
        swi     r20, r0, exception_frame + 80
        swi     r21, r0, exception_frame + 84
        swi     r22, r0, exception_frame + 88
        swi     r23, r0, exception_frame + 92
        swi     r24, r0, exception_frame + 96
        swi     r25, r0, exception_frame + 100
        swi     r26, r0, exception_frame + 104
        swi     r27, r0, exception_frame + 108
        swi     r28, r0, exception_frame + 112
        swi     r29, r0, exception_frame + 116
        swi     r30, r0, exception_frame + 120
        swi     r31, r0, exception_frame + 124
        mfs     r3, rmsr
        swi     r3, r0, exception_frame + 128
        mfs     r3, resr
        swi     r3, r0, exception_frame + 132
        mfs     r3, rear
        swi     r3, r0, exception_frame + 136
        mfs     r3, rbtr
        swi     r3, r0, exception_frame + 140
        swi     r17, r0, exception_frame + 144
        addik   r1, r0, _exception_stack_top - 32
        addik   r13, r0, _SDA_BASE_
        addik   r2, r0, _SDA2_BASE_
        addik   r5, r0, exception_frame /* an imm prefix: too long for the delay slot */
        brlid   r15, exception_dispatch
        nop
        lwi     r3, r0, exception_frame + 128
        mts     rmsr, r3                /* carry; EE and EIP as rted expects them */
        lwi     r1, r0, exception_frame + 4
        lwi     r2, r0, exception_frame + 8
        lwi     r3, r0, exception_frame + 12
        lwi     r4, r0, exception_frame + 16
        lwi     r5, r0, exception_frame + 20
        lwi     r6, r0, exception_frame + 24
        lwi     r7, r0, exception_frame + 28
        lwi     r8, r0, exception_frame + 32
        lwi     r9, r0, exception_frame + 36
        lwi     r10, r0, exception_frame + 40
        lwi     r11, r0, exception_frame + 44
        lwi     r12, r0, exception_frame + 48
        lwi     r13, r0, exception_frame + 52
        lwi     r14, r0, exception_frame + 56
        lwi     r15, r0, exception_frame + 60
        lwi     r16, r0, exception_frame + 64
        lwi     r18, r0, exception_frame + 72
        lwi     r19, r0, exception_frame + 76
        lwi     r20, r0, exception_frame + 80
        lwi     r21, r0, exception_frame + 84
        lwi     r22, r0, exception_frame + 88
        lwi     r23, r0, exception_frame + 92
        lwi     r24, r0, exception_frame + 96
        lwi     r25, r0, exception_frame + 100
        lwi     r26, r0, exception_frame + 104
        lwi     r27, r0, exception_frame + 108
        lwi     r28, r0, exception_frame + 112
        lwi     r29, r0, exception_frame + 116
        lwi     r30, r0, exception_frame + 120
        lwi     r31, r0, exception_frame + 124
        lwi     r17, r0, exception_frame + 144
        rted    r17, 0
        nop
        .size   exception_entry, . - exception_entry

/* The user vector: `brki rD, 8`.  Nothing here offers services that way, so it only counts. */
        .globl  user_vector_entry
        .type   user_vector_entry, @function
user_vector_entry:
        swi     r3, r0, user_vector_scratch
        lwi     r3, r0, user_vector_count
        addik   r3, r3, 1
        swi     r3, r0, user_vector_count
        lwi     r3, r0, user_vector_scratch
        rtbd    r16, 4                  /* brki r16, 8 left its own address in r16 */
        nop
        .size   user_vector_entry, . - user_vector_entry

/* External break (a button, a debugger): reported as an unexpected event. */
        .globl  break_entry
        .type   break_entry, @function
break_entry:
        addik   r1, r0, _exception_stack_top - 32
        brlid   r15, break_dispatch
        addk    r5, r16, r0
        .size   break_entry, . - break_entry
