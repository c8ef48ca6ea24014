"""English for things in space: `grammar.read` is the way in, `reading` what it answers.

`tokens` cuts the text, `chunker` groups it into noun phrases, relation words and arrangements, `walk` decides what each
relation holds between, and `book` keeps the result. `binding` finds the things read of in a layout and `stating` writes
them as requirements; `names` and `cursor` read names of parts on boards. For the offline model, `redraft.read` and the
validator's instruction in words only; nothing here imports a model, a studio or a stage.
"""
