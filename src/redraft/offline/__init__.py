"""The offline model: rules and a lexicon that answer requests in place of a language model."""
