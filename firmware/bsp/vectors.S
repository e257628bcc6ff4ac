/* SPDX-License-Identifier: Apache-2.0
 * The vectors at address 0 (UG984, "Vectors"): eight bytes each, an imm prefix and an absolute
 * branch.  Link with --no-relax, or the prefixes vanish and the vectors move. */
        .section .vectors, "ax"
        brai    _start                  /* 0x00 reset */
        .org    0x08
        brai    user_vector_entry       /* 0x08 user: brki rD, 8 */
        .org    0x10
        brai    interrupt_entry         /* 0x10 interrupt */
        .org    0x18
        brai    break_entry             /* 0x18 break */
        .org    0x20
        brai    exception_entry         /* 0x20 hardware exception */
