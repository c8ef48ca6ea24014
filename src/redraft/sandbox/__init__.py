"""Running what a model wrote: in a process with limits, and scripts without network, files or powers.

A program that hangs or crashes costs one attempt and one worker. Workers stay alive between jobs, so that what is slow
to start (a GL context, Blender) starts once. This file imports nothing: workers import modules of this package with
the standard library alone.
"""
