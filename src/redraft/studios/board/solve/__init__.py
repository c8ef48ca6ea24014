"""The exact half of repair: integer boxes for what is combinatorial, closed forms for the rest.

`redraft.studios.board.solve.exact` is the public face; nothing outside `spatial` imports from here.
"""
