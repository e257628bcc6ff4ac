// SPDX-License-Identifier: Apache-2.0
// Contains nothing of the counter: never run for its mutants.
int main() { return 0; }
