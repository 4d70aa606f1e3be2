"""The reasoners, one module each, with the name of the module; each defines its state machine as `REASONER`."""
