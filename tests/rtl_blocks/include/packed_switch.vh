// SPDX-License-Identifier: Apache-2.0
`define ID 4
`define DATA 32
