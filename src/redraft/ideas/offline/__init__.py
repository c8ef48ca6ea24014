"""Rule-based answers where ideas are proposed and judged."""
