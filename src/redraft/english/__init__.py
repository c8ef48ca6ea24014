"""English for things in space: tokens, numbers, noun phrases, clauses. `spatial.relations` is the way in.

A small grammar, read once from left to right: `tokens` cuts the text, `chunks` groups it into noun phrases, relation
words and arrangements, `attach` says what each relation holds between, and `reader` keeps the books.
"""
