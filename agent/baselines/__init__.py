"""What odabot is compared with, as the paper describes it; only the evaluation can reach it."""
