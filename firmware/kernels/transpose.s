// SPDX-License-Identifier: Apache-2.0
// out = transpose(in), both n by n words, n a multiple of 16.
// Launch: blocks of 16 by 16 threads, grid of n/16 by n/16.
//
// A tile goes through shared memory, so that reads and writes both walk along rows.
.kernel transpose
.param out, in, n               // s[0x10], s[0x14], s[0x18]
.shared tile, 1024              // s[0x1c]: [16][16] words
        MOV.U16 R5L, s[0x2].U16             // width of a tile: ntid.x
        MOV.U16 R5H, s[n].U16
        I2I.U32.U16 R1, R0L                 // tid.x
        I2I.U32.U16 R2, R0H                 // tid.y

        IMAD.U16 R3, s[0xc].U16, R5L, R1    // column = ctaid.x * 16 + tid.x
        IMAD.U16 R4, s[0xe].U16, R5L, R2    // row = ctaid.y * 16 + tid.y
        IMAD.U16 R3, R4L, R5H, R3           // row * n + column
        SHL R3, R3, 2
        IADD R3, s[in], R3
        GLD.U32 R3, global14[R3]
        IMAD.U16 R4, R2L, R5L, R1
        R2A A1, R4, 2
        R2G s[A1+0x1c], R3                  // tile[tid.y][tid.x]
        BAR.ARV.WAIT b0, 0xfff

        IMAD.U16 R3, R1L, R5L, R2
        R2A A1, R3, 2                       // tile[tid.x][tid.y]
        IMAD.U16 R1, s[0xe].U16, R5L, R1    // column = ctaid.y * 16 + tid.x
        IMAD.U16 R2, s[0xc].U16, R5L, R2    // row = ctaid.x * 16 + tid.y
        IMAD.U16 R1, R2L, R5H, R1
        SHL R1, R1, 2
        IADD R1, s[out], R1
        MOV R2, s[A1+0x1c]
        GST.U32 global14[R1], R2
        RET
