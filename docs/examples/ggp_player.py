"""A player of one's own, for any game: it tries each move in random games. Served to hosts, here to ours."""

import threading

from hexlogic.games import Hex
from hexlogic.games.rulesets import load_rule_set
from hexlogic.ggp import StateMachine
from hexlogic.ggp.export import export_sheet
from hexlogic.ggp.playing import GameServer, Host, Player, Strategy, enter, play_series


class Careful(Strategy):
    """Chooses the move after which twenty random games go best."""

    def choose(self, state, clock):
        """A legal move."""
        return max(self.legal_moves(state), key=lambda move: self.worth(state, move))

    def worth(self, state, move):
        """The sum of the goals after a move, whatever the others do at the same time."""
        joint = [self.draw.choice(self.machine.legal_moves(state, role)) for role in self.machine.roles]
        joint[self.role] = move
        after = self.machine.next_state(state, joint)
        return self.machine.playouts(20, seed=self.draw.getrandbits(32), start=after).goals[self.role]


sheet = export_sheet(load_rule_set("follow-line-tabled"), Hex.square(5)).program
host = Host(sheet, "hex-5", StateMachine.from_sheet(sheet), StateMachine.from_sheet)
with GameServer(Player(Careful), port=0) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for match in play_series(host, [enter(server.url), enter("random")], 4, swap=True):
        role = match.seats.index(0)
        print(match.record.roles[role], "gets", match.record.goals[role], "after", len(match.record.steps), "steps")
    server.shutdown()
