"""The board tools for any MCP client: Claude, Cursor, an agent of one's own."""
