"""Virtual connections by deduction: what a player can join whatever the opponent does."""

from hexlogic.players.connections.connections import FULL_LIMIT, SEMI_LIMIT, Connection, Connections, Kind, edge_name

__all__ = ["FULL_LIMIT", "SEMI_LIMIT", "Connection", "Connections", "Kind", "edge_name"]
