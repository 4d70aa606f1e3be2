"""The pages of a report behind its front page, one question a module; nothing else names them."""
