"""State machines: a sheet as a game that can be played, played by one of the reasoners."""

from hexlogic.ggp.machines.state_machine import REASONERS, Playouts, State, StateMachine, engine_of
from hexlogic.ggp.propnet.ground_size import Work

__all__ = ["REASONERS", "Playouts", "State", "StateMachine", "Work", "engine_of"]
