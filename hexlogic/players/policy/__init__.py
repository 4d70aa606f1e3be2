"""A policy for Hex: a small convolutional network that was trained on moves whose outcome is proved."""
