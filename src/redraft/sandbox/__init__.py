"""Running what a model wrote: in a process of its own, with limits, and scripts without network, files or powers.

A program that hangs or crashes costs one attempt and one worker. Workers stay alive between jobs, so that what is slow
to start (a GL context, Blender) starts once.
"""

from redraft.sandbox.nouns import Answer, Level, Limits, Program
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.protection import protection

__all__ = ["Answer", "Level", "Limits", "Program", "Sandbox", "protection"]
