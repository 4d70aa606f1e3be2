// Results of random games of Hex: the board is filled at random and red's stones are flooded once from red's first side, by bits.
// hex_bitboard SIZE GAMES SEED prints seconds of CPU time and red's wins. SIZE at most 11: the board fits into 128 bits.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

typedef unsigned __int128 Board;

static uint64_t state;
static inline uint64_t draw() {  // xorshift64*
    state ^= state >> 12; state ^= state << 25; state ^= state >> 27;
    return state * 0x2545F4914F6CDD1DULL;
}
static inline int below(int count) { return int(((draw() >> 32) * uint64_t(count)) >> 32); }

int main(int, char** given) {
    const int size = atoi(given[1]), cells = size * size;
    const long games = atol(given[2]);
    state = 0x9E3779B97F4A7C15ULL * (strtoull(given[3], nullptr, 10) + 1);
    std::vector<uint8_t> order(cells);
    Board first = 0, last = 0;
    for (int row = 0; row < size; row++) {
        first |= Board(1) << (row * size);
        last |= Board(1) << (row * size + size - 1);
    }
    const Board inner = ~first, outer = ~last;
    for (int cell = 0; cell < cells; cell++) order[cell] = uint8_t(cell);
    const int stones = (cells + 1) / 2;
    long red = 0;
    const clock_t begin = clock();
    for (long game = 0; game < games; game++) {
        Board own = 0;
        for (int stone = 0; stone < stones; stone++) {
            std::swap(order[stone], order[stone + below(cells - stone)]);
            own |= Board(1) << order[stone];
        }
        Board reached = own & first, before = 0;
        while (reached != before && !(reached & last)) {
            before = reached;
            const Board right = (reached & outer) << 1, left = (reached & inner) >> 1;
            const Board down = reached << size, up = reached >> size;
            const Board back = (reached & inner) << (size - 1), ahead = (reached & outer) >> (size - 1);
            reached |= own & (right | left | down | up | back | ahead);
        }
        red += (reached & last) != 0;
    }
    printf("%.6f %ld\n", double(clock() - begin) / CLOCKS_PER_SEC, red);
}
