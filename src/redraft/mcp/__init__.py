"""The tools of all studios for any MCP client: Claude, Cursor, an agent of one's own."""
