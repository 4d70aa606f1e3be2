"""Accepts or refuses a certificate: a strategy for the winner, a tree of moves closed by derivations.

The claim is judged first: a board, stones on it, a side whose turn it can be (after a swap too), not won by the loser.
The checker shares no code with the deduction and the search. It knows the rules of Hex, three rules of deduction
(neighbours, series, parallel), captured pairs and dead cells. `python checker.py FILE` runs it alone.

A node is what the winner can do from a position; checking it gives the cells that the winner needs. When the loser is
to move, every empty cell must be answered: by a node of its own, or because a threat or another answer does without it.
"""

import json
import sys
from pathlib import Path
from typing import Any

FORMAT = "hexlogic-certificate/1"
_KEYS = {"format", "rows", "columns", "red", "blue", "to_move", "winner", "tree"}
_LONGEST = 26
_PLAYERS = ("red", "blue")
_RING = ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1))


class Refused(Exception):  # noqa: N818 (a verdict, not an accident)
    """The certificate proves nothing; the message says where it fails."""


def _need(holds: object, message: str) -> None:
    if not holds:
        raise Refused(message)


class _Checker:
    def __init__(self, rows: int, columns: int, winner: str) -> None:
        self.rows, self.columns, self.winner = rows, columns, winner
        self.last = rows * columns + 1

    def neighbours(self, cell: int) -> list[int | str]:
        """Clockwise: cells, or whose edge is there (the last corner counts as nobody's)."""
        row, column = divmod(cell - 1, self.columns)
        around: list[int | str] = []
        for down, right in _RING:
            r, c = row + down, column + right
            in_rows, in_columns = 0 <= r < self.rows, 0 <= c < self.columns
            inside = r * self.columns + c + 1
            around.append(inside if in_rows and in_columns else "red" if in_rows else "blue" if in_columns else "")
        return around

    def useless(self, cell: int, player: str, own: set[int], blank: set[int]) -> bool:
        """Whether the neighbours that are not the opponent's are joined without the cell."""
        signs = []
        for other in self.neighbours(cell):
            mine = other in own if isinstance(other, int) else other == player
            signs.append("own" if mine else "blank" if other in blank else "")

        def leads(start: int, end: int) -> bool:
            return all(signs[place % 6] == "own" for place in range(start + 1, end if start < end else end + 6))

        known = [place for place in range(6) if signs[place]]
        return all(leads(one, two) or leads(two, one) for one in known for two in known if one < two)

    def captured(self, a: int, b: int, player: str, own: set[int], blank: set[int]) -> bool:
        adjacent = b in self.neighbours(a) and a in blank and b in blank
        return (
            adjacent
            and self.useless(a, player, own | {b}, blank - {b})
            and self.useless(b, player, own | {a}, blank - {a})
        )

    def touching(self, own: set[int], blank: set[int]) -> tuple[dict[int, int], set[tuple[int, int]]]:
        """The node of each own or blank cell (a group is its smallest cell), and which nodes touch."""
        node = {cell: cell for cell in blank}
        for start in sorted(own):
            waiting = [] if start in node else [start]
            while waiting:
                cell = waiting.pop()
                node[cell] = start
                waiting += [c for c in self.neighbours(cell) if isinstance(c, int) and c in own and c not in node]
        pairs = set()
        for cell, name in node.items():
            pairs |= {(name, node[c]) for c in self.neighbours(cell) if isinstance(c, int) and c in node}
            row, column = divmod(cell - 1, self.columns)
            line, lines = (column, self.columns) if self.winner == "red" else (row, self.rows)
            pairs |= {(0, name)} if line == 0 else set()
            pairs |= {(name, self.last)} if line == lines - 1 else set()
        return node, pairs | {(y, x) for x, y in pairs}

    def derivation(self, steps: list[dict[str, Any]], own: set[int], empty: set[int], kinds: set[str]) -> set[int]:
        """The carrier by which the winner joins the edges, if every step applies a rule to earlier steps."""
        _need(steps, "a derivation without steps")
        top = steps[-1]
        blank = set(top["carrier"])
        _need(top["kind"] in kinds and sorted(top["ends"]) == [0, self.last], "the derivation proves something else")
        _need(blank <= empty, "a carrier with cells that are not empty")
        node, pairs = self.touching(own, blank)
        for number, step in enumerate(steps):
            where = f"step {number} of a derivation"
            (x, y), carrier, rule = step["ends"], set(step["carrier"]), step["rule"]
            _need(all(0 <= place < number for place in step["premises"]), f"{where} uses a later one")
            premises = [steps[place] for place in step["premises"]]
            used = [set(premise["carrier"]) for premise in premises]
            _need(carrier <= blank and all(part <= carrier for part in used), f"{where} leaves cells out")
            _need(x != y and x not in carrier and y not in carrier, f"{where} needs its own ends")
            if rule == "adjacent":
                _need(step["kind"] == "full" and (x, y) in pairs, f"{where}: no neighbours")
            elif rule == "parallel":
                alike = all(p["kind"] == "semi" and set(p["ends"]) == {x, y} for p in premises)
                _need(premises and alike and step["kind"] == "full", f"{where}: other premises")
                _need(not carrier & set.intersection(*used), f"{where}: a cell is in every premise")
            else:
                m, lent = step["middle"], [tuple(pair) for pair in step["lent"]]
                _need(rule == "series" and len(premises) == 2 and node.get(m) == m, f"{where}: no middle")
                _need([p["kind"] for p in premises] == ["full", "full"], f"{where}: premises that are not full")
                ends = [set(premise["ends"]) for premise in premises]
                turned = ends == [{y, m}, {m, x}]
                _need(turned or ends == [{x, m}, {m, y}], f"{where}: the parts do not meet")
                far = (x, y) if turned else (y, x)
                _need(far[0] not in used[0] and far[1] not in used[1], f"{where}: a part goes through an end")
                middle_known = m in own or (m in carrier and step["kind"] == "semi")
                _need(m not in (x, y) and middle_known, f"{where}: the middle is not taken")
                cells = [cell for pair in lent for cell in pair]
                _need(len(set(cells)) == len(cells) and not {x, m, y} & set(cells), f"{where}: pairs share cells")
                _need(used[0] & used[1] <= set(cells) <= carrier, f"{where}: the parts share cells")
                for a, b in lent:
                    by = [own, *(own | {point} for point in (x, m, y) if point in blank)]
                    sure = any(self.captured(a, b, self.winner, more, blank - more) for more in by)
                    _need(sure, f"{where}: a pair that is not captured")
        return blank

    def node(self, node: dict[str, Any], stones: dict[int, str], mover: str) -> set[int]:
        """The cells that the winner needs in a position of the tree."""
        stones = dict(stones)
        needed: set[int] = set()
        for owner, *cells in node.get("fill", []):
            empty = self.empty(stones)
            _need(owner in _PLAYERS, "unknown player")
            _need(set(cells) <= empty, "fill-in of a cell that is not empty")
            if len(cells) == 2:
                own = {cell for cell, who in stones.items() if who == owner}
                _need(self.captured(cells[0], cells[1], owner, own, empty), f"the pair {cells} is not captured")
                needed |= set(cells) if owner == self.winner else set()
            else:
                _need(len(cells) == 1, "fill-in of no cell or of more than two")
                dead = False
                for player in _PLAYERS:
                    own = {cell for cell, who in stones.items() if who == player}
                    dead = dead or self.useless(cells[0], player, own, empty)
                _need(dead, f"the cell {cells[0]} is not dead")
            stones |= dict.fromkeys(cells, owner)
        own = {cell for cell, who in stones.items() if who == self.winner}
        empty = self.empty(stones)
        if "connection" in node:
            kinds = {"full", "semi"} if mover == self.winner else {"full"}
            return needed | self.derivation(node["connection"], own, empty, kinds)
        other = "blue" if mover == "red" else "red"
        if mover == self.winner:
            _need(node.get("move") in empty, "a move to a cell that is not empty")
            return needed | {node["move"]} | self.node(node["then"], {**stones, node["move"]: mover}, other)
        replies = {int(cell): reply for cell, reply in node["replies"].items()}
        _need({str(cell) for cell in replies} == set(node["replies"]), "a reply to no cell")
        _need(set(replies) <= empty, "a reply to a move that cannot be made")
        proofs = [self.derivation(threat, own, empty, {"full", "semi"}) for threat in node["threats"]]
        proofs += [self.node(reply, {**stones, cell: mover}, other) for cell, reply in replies.items()]
        _need(proofs, "no answer to any move")
        open_cells = set.intersection(empty, *proofs) - set(replies)
        _need(not open_cells, f"no answer to the moves {sorted(open_cells)}")
        return needed.union(*proofs)

    def empty(self, stones: dict[int, str]) -> set[int]:
        return set(range(1, self.last)) - set(stones)


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _need(len(dict(pairs)) == len(pairs), "a key is given twice")
    return dict(pairs)


def read_certificate(text: str) -> Any:
    """The JSON in a text, each key once; raises Refused for a key that is given twice, ValueError for no JSON."""
    try:
        return json.loads(text, object_pairs_hook=_no_twice)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def has_turn(mover: str, red: int, blue: int) -> bool:
    """Whether it can be this player's turn with so many stones; either may have begun, since red and blue may swap."""
    return red - blue in (0, -1 if mover == "red" else 1)


def claim(certificate: dict[str, Any]) -> str:
    """What an accepted certificate proves, in words."""
    rows, columns, mover, winner = (certificate[key] for key in ("rows", "columns", "to_move", "winner"))
    words = f"{winner} wins on {rows}x{columns}, {mover} to move"
    for player in _PLAYERS:
        places = (divmod(cell - 1, columns) for cell in sorted(certificate[player]))
        words += f"; {player}: {' '.join(f'{chr(97 + column)}{row + 1}' for row, column in places) or 'no stone'}"
    return words


def check_certificate(certificate: Any) -> set[int]:
    """The cells that the winner needs, if the certificate is right; raises Refused otherwise."""
    _need(type(certificate) is dict and certificate.get("format") == FORMAT, "not a certificate of this format")
    _need(set(certificate) == _KEYS, f"the keys are not {', '.join(sorted(_KEYS))}")
    waiting: list[Any] = list(certificate.values())
    while waiting:
        value = waiting.pop()
        right = value >= 0 if type(value) is int else value is None or type(value) in (str, list, dict)
        _need(right, f"{value!r} is no whole number from 0")
        waiting += value if type(value) is list else value.values() if type(value) is dict else ()
    rows, columns, mover, winner = (certificate[key] for key in ("rows", "columns", "to_move", "winner"))
    _need(all(type(side) is int and 1 <= side <= _LONGEST for side in (rows, columns)), "no board has this size")
    _need(mover in _PLAYERS and winner in _PLAYERS, "unknown player")
    _need(all(type(certificate[player]) is list for player in _PLAYERS), "stones that are no list")
    try:
        checker = _Checker(rows, columns, winner)
        stones = {cell: player for player in _PLAYERS for cell in certificate[player]}
        red, blue = (len(certificate[player]) for player in _PLAYERS)
        _need(len(stones) == red + blue, "two stones on a cell")
        _need(set(stones) <= checker.empty({}), "a stone off the board")
        _need(has_turn(mover, red, blue), f"it is not the turn of {mover}")
        loser = _Checker(rows, columns, "blue" if winner == "red" else "red")
        node, pairs = loser.touching({cell for cell in stones if stones[cell] == loser.winner}, set())
        _need(not any({(0, group), (group, loser.last)} <= pairs for group in node), f"{loser.winner} has won already")
        return checker.node(certificate["tree"], stones, mover)
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Refused(f"not a certificate: {type(error).__name__} {error}") from None


if __name__ == "__main__":
    try:
        certificate = read_certificate(Path(sys.argv[1]).read_text(encoding="utf-8"))
        check_certificate(certificate)
    except (Refused, ValueError) as refusal:
        sys.exit(f"refused: {refusal}")
    print(f"accepted: {claim(certificate)}")
