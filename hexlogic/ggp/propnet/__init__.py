"""The compiled sheet: ground once, analysed, laid out in arrays, and played by numba.

A `ground_sheet` is taken apart into phases (`control`). It is played on latches (`latch_network`, `latch_memory`,
`latch_kernel`), on filled boards where the order of moves does not matter (`filling`, `filling_kernel`), or in lanes
(`many_games`).
"""
