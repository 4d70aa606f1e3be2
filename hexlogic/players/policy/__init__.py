"""Train the policy of `evaluation.policy` on moves whose outcome is proved."""
