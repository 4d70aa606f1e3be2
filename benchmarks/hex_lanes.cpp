// Random games of Hex in lanes: 512 boards in a vector of words, filled at random and flooded together, red's wins counted.
//
//     hex_lanes SIZE GAMES SEED      prints CPU seconds, red's wins, and the games that were played (a multiple of 512)
//
// Red moves first and so has the odd stone. A coin is thrown for each cell and lane; cells drawn at random are changed
// until the number of stones is right. Red wins where its stones connect the first column with the last.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

typedef uint64_t Vector __attribute__((vector_size(64)));
constexpr int WORDS = 8;

static Vector state[2];
static uint64_t single;

static uint64_t next_single() {
    single ^= single << 13;
    single ^= single >> 7;
    return single ^= single << 17;
}

static Vector next_vector() {  // xorshift128+ in each word
    Vector old = state[0], kept = state[1];
    state[0] = kept;
    old ^= old << 23;
    state[1] = old ^ kept ^ (old >> 17) ^ (kept >> 26);
    return state[1] + kept;
}

int main(int, char** arguments) {
    const int size = atoi(arguments[1]), cells = size * size, wanted = (cells + 1) / 2;
    const long games = atol(arguments[2]);
    single = strtoull(arguments[3], nullptr, 10) * 0x9E3779B97F4A7C15ull + 1;
    for (int part = 0; part < 2; part++)
        for (int word = 0; word < WORDS; word++) state[part][word] = next_single() + next_single();
    std::vector<std::vector<int>> near(cells);
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++)
            for (auto [down, right] : {std::pair{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, -1}, {-1, 1}})
                if (row + down >= 0 && row + down < size && column + right >= 0 && column + right < size)
                    near[row * size + column].push_back((row + down) * size + column + right);
    std::vector<Vector> red(cells), reached(cells);
    long wins = 0, played = 0;
    const clock_t begin = clock();
    for (; played < games; played += 64 * WORDS) {
        Vector planes[16] = {};
        int bits = 1;
        while (cells >> bits) bits++;
        for (int cell = 0; cell < cells; cell++) {
            Vector drawn = red[cell] = next_vector();
            for (int plane = 0; plane < bits; plane++) {  // count each lane's stones
                Vector carry = planes[plane] & drawn;
                planes[plane] ^= drawn;
                drawn = carry;
            }
        }
        for (int word = 0; word < WORDS; word++)
            for (int lane = 0; lane < 64; lane++) {
                int count = 0;
                for (int plane = 0; plane < bits; plane++) count |= (planes[plane][word] >> lane & 1) << plane;
                const uint64_t surplus = count > wanted;
                while (count != wanted) {
                    Vector& row = red[(next_single() >> 32) * cells >> 32];
                    if ((row[word] >> lane & 1) == surplus) {
                        row[word] ^= uint64_t(1) << lane;
                        count += surplus ? -1 : 1;
                    }
                }
            }
        for (int cell = 0; cell < cells; cell++) reached[cell] = cell % size ? Vector{} : red[cell];
        for (bool changed = true, forward = true; changed; forward = !forward) {
            Vector news = {};
            for (int place = 0; place < cells; place++) {
                const int cell = forward ? place : cells - 1 - place;
                Vector here = reached[cell];
                for (int other : near[cell]) here |= reached[other];
                here &= red[cell];
                news |= here ^ reached[cell];
                reached[cell] = here;
            }
            changed = false;
            for (int word = 0; word < WORDS; word++) changed |= news[word] != 0;
        }
        Vector won = {};
        for (int row = 0; row < size; row++) won |= reached[row * size + size - 1];
        for (int word = 0; word < WORDS; word++) wins += __builtin_popcountll(won[word]);
    }
    printf("%f %ld %ld\n", double(clock() - begin) / CLOCKS_PER_SEC, wins, played);
}
