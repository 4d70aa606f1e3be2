// Random games of Hex to the win, with union-find: hex_union_find SIZE GAMES SEED prints seconds of CPU time, red's wins, plies.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

static uint64_t state;
static inline uint64_t draw() {  // xorshift64*
    state ^= state >> 12; state ^= state << 25; state ^= state >> 27;
    return state * 0x2545F4914F6CDD1DULL;
}
static inline int below(int count) { return int(((draw() >> 32) * uint64_t(count)) >> 32); }

static std::vector<int> parent;
static inline int root(int cell) {
    while (parent[cell] != cell) cell = parent[cell] = parent[parent[cell]];
    return cell;
}

int main(int, char** given) {
    const int size = atoi(given[1]), cells = size * size;
    const long games = atol(given[2]);
    state = 0x9E3779B97F4A7C15ULL * (strtoull(given[3], nullptr, 10) + 1);
    std::vector<int> order(cells), around(cells * 6), degree(cells);
    std::vector<int8_t> owner(cells);
    parent.resize(cells + 4);
    const int step[6][2] = {{-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}};
    for (int cell = 0; cell < cells; cell++) {
        order[cell] = cell;
        for (auto& move : step) {
            const int row = cell / size + move[0], column = cell % size + move[1];
            if (row >= 0 && row < size && column >= 0 && column < size) around[6 * cell + degree[cell]++] = row * size + column;
        }
    }
    long red = 0, plies = 0;
    const clock_t begin = clock();
    for (long game = 0; game < games; game++) {
        for (int cell = 0; cell < cells + 4; cell++) parent[cell] = cell;
        for (int cell = 0; cell < cells; cell++) owner[cell] = -1;
        for (int ply = 0; ply < cells; ply++) {
            std::swap(order[ply], order[ply + below(cells - ply)]);
            const int cell = order[ply], player = ply & 1, side = cells + 2 * player;
            owner[cell] = int8_t(player);
            plies++;
            int own = root(cell);
            for (int place = 0; place < degree[cell]; place++) {
                const int other = around[6 * cell + place];
                if (owner[other] == player) parent[root(other)] = own;
            }
            const int line = player ? cell / size : cell % size;
            if (line == 0) parent[root(side)] = own;
            if (line == size - 1) parent[root(side + 1)] = own;
            if (root(side) == root(side + 1)) {
                red += !player;
                break;
            }
        }
    }
    printf("%.6f %ld %ld\n", double(clock() - begin) / CLOCKS_PER_SEC, red, plies);
}
