"""Workers that run a model's programs: in processes with limits, and scripts without network, files or privileges.

A program that hangs or crashes costs one attempt and one worker. Workers stay alive between jobs, so that a GL context
or Blender, which are slow to start, start once. This file imports nothing: workers import modules of this package with
the standard library alone.
"""
