"""English for things in space: `grammar.read` is the way in, `reading` the result.

`tokens` cuts the text, `chunker` groups it into noun phrases, relation words and arrangements, `walk` decides what each
relation holds between, and `discourse` keeps the result. `binding` finds the mentioned things in a layout and `stating`
writes them as requirements. For the offline model, `redraft.read` and the validator's instruction in words only;
nothing here imports a model, a studio or a stage.
"""
