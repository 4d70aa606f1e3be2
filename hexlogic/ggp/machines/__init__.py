"""State machines: a sheet as a game that can be played, played by one of the reasoners.

state_machine  what all of them offer, and what they check
states         the states of a sheet under forward chaining, as terms
game           a state as numba searches it
side_by_side   two of them, compared state by state
"""

from hexlogic.ggp.machines.state_machine import REASONERS, Playouts, State, StateMachine, engine_of
from hexlogic.ggp.propnet.ground_size import Work

__all__ = ["REASONERS", "Playouts", "State", "StateMachine", "Work", "engine_of"]
