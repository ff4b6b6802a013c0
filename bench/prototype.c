/* Ultimate Texas Hold'em with Blind A solved on one core, as one would first write it in C.

   For each of the 134,459 boards that differ by more than the names of suits: rank all 1,081 holes,
   sort them, count by inclusion and exclusion how many hands of the dealer each beats, and add what
   a bet and the best end are worth to the ten flops of the board. All sums are over whole classes
   of positions, so nothing is divided. It prints what one Ante brings, in half units, and the number
   of deals. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { HOLES = 1326, FLOPS = 22100, LEFT = 1081 };
typedef struct { int rank, low, high; } Hand;
typedef struct { int64_t stakes, play, check; } Value;

static int perms[24][4], flop_row[FLOPS], flop_perm[FLOPS], least_hole[FLOPS / 12][HOLES], flops;
static Value values[FLOPS / 12][HOLES];

static int renamed(int card, const int *names) { return (card & ~3) | names[card & 3]; }

static void sort(int *cards, int size)
{
    for (int end = 1; end < size; end++)
        for (int at = end; at && cards[at - 1] > cards[at]; at--) {
            int swapped = cards[at];
            cards[at] = cards[at - 1], cards[at - 1] = swapped;
        }
}

static int hole_code(int a, int b) { return a < b ? b * (b - 1) / 2 + a : a * (a - 1) / 2 + b; }

static int flop_code(const int *c)
{
    return c[0] + c[1] * (c[1] - 1) / 2 + c[2] * (c[2] - 1) * (c[2] - 2) / 6;
}

static int straight(int ranks)
{
    ranks = ranks << 1 | (ranks >> 12 & 1);
    ranks &= ranks << 1 & ranks << 2 & ranks << 3 & ranks << 4;
    return ranks ? 31 - __builtin_clz(ranks) : 0;
}

static int top(int ranks, int size) /* the highest so many ranks, four bits each */
{
    int packed = 0;
    while (size--) {
        int rank = ranks ? 31 - __builtin_clz(ranks) : 0;
        packed = packed << 4 | rank, ranks &= ~(1 << rank);
    }
    return packed;
}

static int rank_of(const int *cards)
{
    int suits[4] = {0}, sets[5] = {0}, high; /* ranks held so often or more */
    for (int at = 0; at < 7; at++) {
        int rank = 1 << (cards[at] >> 2);
        for (int held = 4; held > 1; held--) sets[held] |= sets[held - 1] & rank;
        sets[1] |= rank;
        suits[cards[at] & 3] |= rank;
    }
    for (int suit = 0; suit < 4; suit++)
        if (__builtin_popcount(suits[suit]) >= 5)
            return (high = straight(suits[suit])) ? 8 << 20 | high
                                                  : 5 << 20 | top(suits[suit], 5);
    if (sets[4]) {
        int four = top(sets[4], 1);
        return 7 << 20 | four << 4 | top(sets[1] & ~(1 << four), 1);
    }
    if (sets[3]) {
        int three = top(sets[3], 1), pairs = sets[2] & ~(1 << three);
        if (pairs) return 6 << 20 | three << 4 | top(pairs, 1);
        if (!straight(sets[1])) return 3 << 20 | three << 8 | top(sets[1] & ~(1 << three), 2);
    }
    if ((high = straight(sets[1]))) return 4 << 20 | high;
    if (__builtin_popcount(sets[2]) >= 2) {
        int two = top(sets[2], 2), rest = sets[1] & ~(1 << (two >> 4)) & ~(1 << (two & 15));
        return 2 << 20 | two << 4 | top(rest, 1);
    }
    if (sets[2]) {
        int pair = top(sets[2], 1);
        return 1 << 20 | pair << 12 | top(sets[1] & ~(1 << pair), 3);
    }
    return top(sets[1], 5);
}

static int blind(int rank)
{
    static const int pays[] = {0, 0, 0, 0, 2, 3, 6, 20, 100};
    return rank == (8 << 20 | 13) ? 1000 : pays[rank >> 20];
}

static void sort_by_rank(Hand *hands) /* three times by eight bits, the lowest first */
{
    static Hand other[LEFT];
    for (int shift = 0; shift < 24; shift += 8) {
        int ends[257] = {0};
        for (int at = 0; at < LEFT; at++) ends[(hands[at].rank >> shift & 255) + 1]++;
        for (int bucket = 0; bucket < 256; bucket++) ends[bucket + 1] += ends[bucket];
        for (int at = 0; at < LEFT; at++) other[ends[hands[at].rank >> shift & 255]++] = hands[at];
        memcpy(hands, other, sizeof other);
    }
}

/* How many ways suits can be renamed to other boards; 0 if one of these has a lower code. */
static int weight_of(const int *board)
{
    int same = 0, other[5];
    for (int perm = 0; perm < 24; perm++) {
        for (int at = 0; at < 5; at++) other[at] = renamed(board[at], perms[perm]);
        sort(other, 5);
        int order = memcmp(other, board, sizeof other) ? 0 : 1;
        for (int at = 4; !order && at >= 0; at--)
            if (other[at] != board[at]) {
                if (other[at] < board[at]) return 0;
                break;
            }
        same += order;
    }
    return 24 / same;
}

static void name_flops(void)
{
    int c[3], moved[3];
    for (c[2] = 2; c[2] < 52; c[2]++)
        for (c[1] = 1; c[1] < c[2]; c[1]++)
            for (c[0] = 0; c[0] < c[1]; c[0]++) {
                int code = flop_code(c), least = FLOPS, best = 0;
                for (int perm = 0; perm < 24; perm++) {
                    for (int at = 0; at < 3; at++) moved[at] = renamed(c[at], perms[perm]);
                    sort(moved, 3);
                    if (flop_code(moved) < least) least = flop_code(moved), best = perm;
                }
                flop_perm[code] = best;
                flop_row[code] = least == code ? flops++ : flop_row[least];
                if (least != code) continue;
                for (int high = 0; high < 52; high++)
                    for (int low = 0; low < high; low++) {
                        int hole = hole_code(low, high), first = hole;
                        for (int perm = 0; perm < 24; perm++) {
                            for (int at = 0; at < 3; at++) moved[at] = renamed(c[at], perms[perm]);
                            sort(moved, 3);
                            int to = hole_code(renamed(low, perms[perm]), renamed(high, perms[perm]));
                            if (flop_code(moved) == code && to < first) first = to;
                        }
                        least_hole[flop_row[code]][hole] = first;
                    }
            }
}

static void add_to_flops(const int *board, const Hand *hands, const Value *found)
{
    for (int a = 0; a < 3; a++)
        for (int b = a + 1; b < 4; b++)
            for (int c = b + 1; c < 5; c++) {
                int flop[3] = {board[a], board[b], board[c]}, code = flop_code(flop);
                const int *names = perms[flop_perm[code]], *least = least_hole[flop_row[code]];
                Value *row = values[flop_row[code]];
                for (int at = 0; at < LEFT; at++) {
                    int low = renamed(hands[at].low, names), high = renamed(hands[at].high, names);
                    Value *sum = &row[least[hole_code(low, high)]];
                    sum->stakes += found[at].stakes;
                    sum->play += found[at].play;
                    sum->check += found[at].check;
                }
            }
}

static void solve_board(const int *board, int weight)
{
    static Hand hands[LEFT];
    static Value found[LEFT];
    int cards[7], count = 0, below[52] = {0}, upto[52] = {0}, weak[52] = {0}, weak_all = 0;
    char taken[52] = {0};
    memcpy(cards + 2, board, 5 * sizeof *board);
    for (int at = 0; at < 5; at++) taken[board[at]] = 1;
    for (cards[1] = 0; cards[1] < 52; cards[1]++)
        for (cards[0] = 0; cards[0] < cards[1]; cards[0]++)
            if (!taken[cards[0]] && !taken[cards[1]])
                hands[count++] = (Hand){rank_of(cards), cards[0], cards[1]};
    sort_by_rank(hands);
    for (int at = 0; at < LEFT && hands[at].rank < 1 << 20; at++)
        weak_all++, weak[hands[at].low]++, weak[hands[at].high]++;
    for (int first = 0, last; first < LEFT; first = last) {
        for (last = first; last < LEFT && hands[last].rank == hands[first].rank; last++)
            upto[hands[last].low]++, upto[hands[last].high]++;
        for (int at = first; at < last; at++) {
            int low = hands[at].low, high = hands[at].high, own = hands[at].rank < 1 << 20;
            int wins = first - below[low] - below[high];
            int ties = last - upto[low] - upto[high] + 1 - wins;
            int losses = 990 - wins - ties, closed = weak_all - weak[low] - weak[high] + own;
            int closed_wins = own ? wins : closed, closed_losses = own ? closed - wins - ties : 0;
            int64_t ante = 2 * ((wins - closed_wins) - (losses - closed_losses));
            int64_t stakes = ante + (int64_t)blind(hands[at].rank) * wins - 2 * losses;
            int64_t play = 2 * (wins - losses), check = stakes + play;
            if (check < -4 * 990) check = -4 * 990;
            found[at] = (Value){weight * stakes, weight * play, weight * check};
        }
        for (int at = first; at < last; at++) {
            below[hands[at].low] = upto[hands[at].low];
            below[hands[at].high] = upto[hands[at].high];
        }
    }
    add_to_flops(board, hands, found);
}

int main(void)
{
    static int64_t raises[169 * 8], checks[169 * 8];
    __int128 total = 0;
    int board[5], made = 0;
    for (int names = 0; names < 256; names++) {
        int perm[4] = {names & 3, names >> 2 & 3, names >> 4 & 3, names >> 6}, seen = 0;
        for (int suit = 0; suit < 4; suit++) seen |= 1 << perm[suit];
        if (seen == 15) memcpy(perms[made++], perm, sizeof perm);
    }
    name_flops();
    for (board[4] = 4; board[4] < 52; board[4]++)
        for (board[3] = 3; board[3] < board[4]; board[3]++)
            for (board[2] = 2; board[2] < board[3]; board[2]++)
                for (board[1] = 1; board[1] < board[2]; board[1]++)
                    for (board[0] = 0; board[0] < board[1]; board[0]++) {
                        int weight = weight_of(board);
                        if (weight) solve_board(board, weight);
                    }
    for (int flop = 0; flop < flops; flop++)
        for (int high = 0; high < 52; high++)
            for (int low = 0; low < high; low++) {
                Value sum = values[flop][hole_code(low, high)];
                int ranks = (high >> 2) * 13 + (low >> 2), start = 2 * ranks + !((low ^ high) & 3);
                int64_t bet = sum.stakes + 2 * sum.play;
                raises[start] += sum.stakes + 4 * sum.play;
                checks[start] += bet > sum.check ? bet : sum.check;
            }
    for (int start = 0; start < 169 * 8; start++)
        total += raises[start] > checks[start] ? raises[start] : checks[start];
    printf("%lld %lld\n", (long long)total, 1326LL * 19600 * 1081 * 990);
    return 0;
}
