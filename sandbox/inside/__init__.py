"""What runs inside the sandbox, before and around the job: standard library only."""
