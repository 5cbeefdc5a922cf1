"""From a message to its answer: taken in at once, kept, worked on in order, answered once."""
