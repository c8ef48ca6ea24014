"""Running what a model wrote: in a process of its own, with limits, and for scripts in a jail without network or files.

A program that hangs or crashes costs one attempt and one worker. Workers stay alive between jobs, so that what is slow
to start (a GL context, Blender) starts once.
"""

from redraft.sandbox.nouns import Answer, Limits, Program
from redraft.sandbox.pool import Sandbox

__all__ = ["Answer", "Limits", "Program", "Sandbox"]
