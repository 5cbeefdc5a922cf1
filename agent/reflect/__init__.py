"""The EXASAGE Reflect Agent: a request in words to tables, every step by the model."""
