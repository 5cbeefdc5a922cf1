"""What happens when somebody presses a button below an answer."""
