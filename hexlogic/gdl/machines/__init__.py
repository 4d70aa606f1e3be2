"""State machines: a sheet as a game that can be played, one module for each reasoner that works it out.

state_machine  what all of them offer, and what they check
"""

from __future__ import annotations

from hexlogic.gdl.machines.state_machine import Playouts, State, StateMachine, reasoners

__all__ = ["Playouts", "State", "StateMachine", "reasoners"]
