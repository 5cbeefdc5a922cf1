"""Our tools for other processes, and those of other processes for us, by the protocol MCP."""
