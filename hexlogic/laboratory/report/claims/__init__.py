"""What a report may claim, as types (`noise`, `relations`), and the only place where claims become words."""
