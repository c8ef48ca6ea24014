"""Every exception that redraft raises on purpose, in one tree.

    RedraftError
     ├─ ConfigError (also ValueError)
     ├─ BriefError (also ValueError): ContradictionError, ProfileError
     ├─ MissingPartError
     ├─ AttemptError: FormatError (E2), ExecutionError (E1), InfrastructureError (E0)
     ├─ ModelError: ModelUnavailableError, ModelRefusedError, ScriptExhaustedError, ReplayMissError
     ├─ IdeaError (also ValueError): AbstractionError, IdeaCardsError, JudgeOutputError, SelectionError
     ├─ HistoryError
     ├─ ImageBackendError
     ├─ SendError
     ├─ BudgetError
     ├─ InfeasibleError: CollisionError
     ├─ BoardError: BoardFormatError, BoardChangedError
     ├─ MemoryStoreError
 ├─ LimitError (also OSError)
     └─ RunError: RunNotFoundError, RunLockedError, RunFormatError, ResumeDivergedError, RunStoppedError

A message says what happened, the value, where it came from, and how to fix it. Constructors have no side effects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

FailureClass = Literal["E0", "E1", "E2"]


class RedraftError(Exception):
    """The root of all exceptions that redraft raises on purpose."""


class ConfigError(RedraftError, ValueError):
    """A setting that is unknown, of the wrong type, or out of range."""


class BriefError(RedraftError, ValueError):
    """A request that cannot be worked on: empty, too long, unreadable. `subjects` are the components that caused it."""

    def __init__(self, message: str, *, subjects: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.subjects = tuple(subjects)


class ContradictionError(BriefError):
    """A request that contradicts itself; `phrases` are its words, as written."""

    def __init__(self, message: str, phrases: Sequence[str]) -> None:
        super().__init__(message)
        self.phrases = tuple(phrases)


class ProfileError(BriefError):
    """A taste profile that cannot be read: missing, empty, binary, or of another form."""


PACKAGES = {
    "PIL": "Pillow",
    "flip_evaluator": "flip-evaluator",
    "kipy": "kicad-python",
    "multipart": "python-multipart",
    "resvg_py": "resvg-py",
    "skimage": "scikit-image",
}
"""Names of packages that are imported by another name."""


class MissingPartError(RedraftError):
    """An extra or a program that is not installed. The message ends with the command that installs it."""

    @classmethod
    def of(cls, what: str, error: ImportError, extra: str) -> MissingPartError:
        """Return the error of a part, such as `The viewer`, whose package could not be imported.

        `extra` is one of redraft's, or empty where the package belongs to none.
        """
        module = (error.name or "").partition(".")[0]
        package = PACKAGES.get(module, module)
        get = f"'redraft[{extra}]'" if extra else package
        return cls(f"{what} needs {package}, which is not installed: pip install {get}")


class AttemptError(RedraftError):
    """One attempt failed; the loop records it and continues. The classes E0 to E2 are described in docs/pipeline.md.

    `by` is the compiler or interpreter that reported it, with its version: `Mesa 22.3.6`. `patches` are its fixes of
    single lines, if it has any: the fields of `result.CodePatch`. `subjects` are the components that caused it.
    """

    failure_class: ClassVar[FailureClass]

    def __init__(
        self, message: str, *, by: str = "", patches: Sequence[Mapping[str, Any]] = (), subjects: Sequence[str] = ()
    ) -> None:
        super().__init__(message)
        self.by = by
        self.patches = tuple(patches)
        self.subjects = tuple(subjects)


class FormatError(AttemptError):
    """E2: the reply is prose, has no fence, or does not follow the schema."""

    failure_class = "E2"


class ExecutionError(AttemptError):
    """E1: the draft raised, did not compile, or exceeded a limit of time, memory or output."""

    failure_class = "E1"


class InfrastructureError(AttemptError):
    """E0: a worker died for the first time, a pipe was lost, a program is missing."""

    failure_class = "E0"


class ModelError(RedraftError):
    """A model could not be asked, or did not answer."""


class ModelUnavailableError(ModelError):
    """The model is out of reach after all transport retries. The run stops and can be resumed."""


class ModelRefusedError(ModelError):
    """The provider rejected the request itself (key, name, size); a retry would not help."""


class ScriptExhaustedError(ModelError):
    """A scripted model was asked more often than it has replies."""


class ReplayMissError(ModelError):
    """A recording holds no reply to this request."""


class IdeaError(RedraftError, ValueError):
    """An idea or its score is unusable. The run ends, its record is written, and `resume` asks again.

    `step` is the path of the step that failed.
    """

    prefix: ClassVar[str] = "invalid_ideas"

    def __init__(self, message: str, *, step: str = "") -> None:
        super().__init__(f"{self.prefix}: {message}")
        self.step = step


class AbstractionError(IdeaError):
    """The summary of a taste profile is empty, or reveals the profile."""

    prefix = "invalid_profile_abstraction"


class IdeaCardsError(IdeaError):
    """A reply that is not a set of idea cards."""

    prefix = "invalid_idea_cards_json"


class JudgeOutputError(IdeaError):
    """A judge's reply that is not a set of numeric scores."""

    prefix = "invalid_judge_output"


class SelectionError(IdeaError):
    """Scores and cards do not belong together."""

    prefix = "invalid_selection"


class HistoryError(RedraftError):
    """The generations CSV is missing, empty, damaged, of another program, or not writable."""


class ImageBackendError(RedraftError):
    """The image backend returned no image. Earlier work is kept, and the run can be resumed."""


class SendError(RedraftError):
    """An open Blender did not take a scene: none listens, it refused, or it was closed. The scene is kept."""


class BudgetError(RedraftError):
    """The hard cap on calls, tokens or money was reached; the best result so far is delivered."""


class InfeasibleError(RedraftError):
    """No layout satisfies these constraints; `constraints` is an irreducible set of them, in words.

    `subjects` are the components that caused it.
    """

    def __init__(self, message: str, constraints: Sequence[str], *, subjects: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.constraints = tuple(constraints)
        self.subjects = tuple(subjects)


class CollisionError(InfeasibleError):
    """An action that would make parts collide. `suggestion` is the nearest free place of the box's center."""

    def __init__(self, message: str, constraints: Sequence[str], suggestion: tuple[float, float] | None = None) -> None:
        super().__init__(message, constraints)
        self.suggestion = suggestion


class BoardError(RedraftError):
    """A board file, or a file that belongs to it, cannot be used."""


class BoardFormatError(BoardError):
    """A file that is not a KiCad board, or is damaged; the message has byte and line."""


class BoardChangedError(BoardError):
    """A board that was changed on disk since it was read; it is not overwritten."""


class MemoryStoreError(RedraftError):
    """The store behind the fix memory cannot be used. A run warns once and continues without it."""


class LimitError(RedraftError, OSError):
    """A file or stream that is larger than its limit, or no regular file.

    It is an `OSError`, so that it is reported like any file that cannot be read; `strerror` is the reason.
    """

    def __init__(self, where: object, reason: str, fix: str = "") -> None:
        super().__init__(0, reason)
        self._message = f"Cannot read {where}: {reason}. {fix}".rstrip()

    def __str__(self) -> str:
        return self._message


class RunError(RedraftError):
    """A run folder cannot be used."""


class RunNotFoundError(RunError):
    """No run exists at this path."""


class RunLockedError(RunError):
    """Another process is writing this run."""


class RunFormatError(RunError):
    """A run's files are damaged, or of another version of redraft."""


class ResumeDivergedError(RunError):
    """A resumed run repeats a finished effect with other inputs."""


class RunStoppedError(RunError):
    """The run was asked to stop, by the file `stop` in its folder; the best result so far is delivered."""
