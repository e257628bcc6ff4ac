// SPDX-License-Identifier: Apache-2.0
// c = a * b, all n by n words, n a multiple of 16; products modulo 2^32.
// Launch: blocks of 16 by 16 threads, grid of n/16 by n/16.
//
// Each thread makes one element of c.  A tile of a and one of b at a time go to shared memory; b's
// is stored transposed, so that both are read along rows, at offsets that fit the instruction.
//
// G80 multiplies 16 by 16 bits.  With a = ah * 2^16 + al and b likewise,
//   a * b = al * bl + (ah * bl + al * bh) * 2^16   (modulo 2^32),
// and the sums of the two parts can be kept apart until the end: three multiply-adds a product.
.kernel matrix_multiply
.param a, b, c, n               // s[0x10], s[0x14], s[0x18], s[0x1c]
.shared tile_a, 1024            // s[0x20]: [16][16] words
.shared tile_b, 1024            // s[0x420]: [16][16] words, transposed
        I2I.U32.U16 R1, R0L                 // tid.x
        I2I.U32.U16 R2, R0H                 // tid.y
        MOV.U16 R3L, s[0x2].U16             // width of a tile: ntid.x
        MOV.U16 R3H, s[n].U16

        SHL R4, R2, 6
        IADD32I R4, R4, 0x20
        R2A A1, R4, 0                       // &tile_a[tid.y][0]
        SHL R5, R1, 2
        IADD R4, R4, R5
        R2A A3, R4, 0                       // &tile_a[tid.y][tid.x]
        SHL R4, R1, 6
        IADD32I R4, R4, 0x420
        R2A A2, R4, 0                       // &tile_b[tid.x][0]
        SHL R5, R2, 2
        IADD R4, R4, R5
        R2A A4, R4, 0                       // &tile_b[tid.x][tid.y]

        IMAD.U16 R8, s[0xe].U16, R3L, R2    // row of c
        IMAD.U16 R9, s[0xc].U16, R3L, R1    // column of c
        IMAD.U16 R4, R8L, R3H, R1           // row * n + tid.x
        IMAD.U16 R5, R2L, R3H, R9           // tid.y * n + column
        MOV R1, R9
        MOV R2, R8
        SHL R8, R4, 2
        IADD R8, s[a], R8                   // next element of a to fetch: along the row
        SHL R9, R5, 2
        IADD R9, s[b], R9                   // next element of b to fetch: down the column
        MOV R3, s[n]
        SHL R0, R3, 2
        IADD R0, R0, R8                     // where the row of a ends
        SHL R3, R3, 6                       // from tile to tile in b: 16 rows
        MVI R4, 0                           // sum of al * bl
        MVI R5, 0                           // sum of ah * bl + al * bh

next_tile:
        GLD.U32 R6, global14[R8]
        GLD.U32 R7, global14[R9]
        R2G s[A3], R6
        R2G s[A4], R7
        IADD32I R8, R8, 64
        IADD R9, R9, R3
        BAR.ARV.WAIT b0, 0xfff              // the tiles are complete
        MOV R6, s[A2]
        IMAD.U16 R4, s[A1].U16, R6L, R4
        IMAD.U16 R5, s[A1].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x2].U16, R6L, R5
        MOV R6, s[A2+0x4]
        IMAD.U16 R4, s[A1+0x4].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x4].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x6].U16, R6L, R5
        MOV R6, s[A2+0x8]
        IMAD.U16 R4, s[A1+0x8].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x8].U16, R6H, R5
        IMAD.U16 R5, s[A1+0xa].U16, R6L, R5
        MOV R6, s[A2+0xc]
        IMAD.U16 R4, s[A1+0xc].U16, R6L, R4
        IMAD.U16 R5, s[A1+0xc].U16, R6H, R5
        IMAD.U16 R5, s[A1+0xe].U16, R6L, R5
        MOV R6, s[A2+0x10]
        IMAD.U16 R4, s[A1+0x10].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x10].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x12].U16, R6L, R5
        MOV R6, s[A2+0x14]
        IMAD.U16 R4, s[A1+0x14].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x14].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x16].U16, R6L, R5
        MOV R6, s[A2+0x18]
        IMAD.U16 R4, s[A1+0x18].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x18].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x1a].U16, R6L, R5
        MOV R6, s[A2+0x1c]
        IMAD.U16 R4, s[A1+0x1c].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x1c].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x1e].U16, R6L, R5
        MOV R6, s[A2+0x20]
        IMAD.U16 R4, s[A1+0x20].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x20].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x22].U16, R6L, R5
        MOV R6, s[A2+0x24]
        IMAD.U16 R4, s[A1+0x24].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x24].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x26].U16, R6L, R5
        MOV R6, s[A2+0x28]
        IMAD.U16 R4, s[A1+0x28].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x28].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x2a].U16, R6L, R5
        MOV R6, s[A2+0x2c]
        IMAD.U16 R4, s[A1+0x2c].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x2c].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x2e].U16, R6L, R5
        MOV R6, s[A2+0x30]
        IMAD.U16 R4, s[A1+0x30].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x30].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x32].U16, R6L, R5
        MOV R6, s[A2+0x34]
        IMAD.U16 R4, s[A1+0x34].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x34].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x36].U16, R6L, R5
        MOV R6, s[A2+0x38]
        IMAD.U16 R4, s[A1+0x38].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x38].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x3a].U16, R6L, R5
        MOV R6, s[A2+0x3c]
        IMAD.U16 R4, s[A1+0x3c].U16, R6L, R4
        IMAD.U16 R5, s[A1+0x3c].U16, R6H, R5
        IMAD.U16 R5, s[A1+0x3e].U16, R6L, R5
        ISET.U32.C0 o[0x7f], R8, R0, NE
        BAR.ARV.WAIT b0, 0xfff              // everybody is done with the tiles
        BRA C0.NE, next_tile                // the same for all threads: no reconvergence needed

        SHL R5, R5, 16
        IADD R4, R4, R5
        IMAD.U16 R6, s[n].U16, R2L, R1      // row * n + column
        SHL R6, R6, 2
        IADD R6, s[c], R6
        GST.U32 global14[R6], R4
        RET
