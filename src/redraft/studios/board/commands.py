"""Board commands in English, for the offline model: what is to be done, and what was not understood.

An instruction is read from left to right, clause by clause. A clause counts only as a whole: one that goes on in words
that are not understood, that is under a condition, or is taken back, is left to a better reader, in its own words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pydantic import ValidationError

from redraft.english.cursor import Context, Cursor
from redraft.english.names import NAME, NamedLine, Names, earlier_pad, named_line
from redraft.errors import BriefError
from redraft.spatial.actions import Action, Align, Distribute
from redraft.spatial.layout import Layout
from redraft.studios.board.clauses import Clause, spread_axis
from redraft.studios.board.conflicts import check_commands
from redraft.studios.board.numbers import numbers_in
from redraft.studios.board.sentences import VERBS, clause_at
from redraft.studios.board.spec import Stated
from redraft.studios.board.wishes import Wish

__all__ = ["NOUNS", "Commands", "read_commands", "refuse_strange"]

NOUNS = {
    "cap": "capacitor", "chip": "IC", "ic": "IC", "led": "LED", "conn": "connector", "xtal": "crystal",
    "hole": "mounting hole", "testpoint": "test point", "test pad": "test point",
    "push button": "switch", "button": "switch", "coil": "inductor", "regulator": "IC",
}  # fmt: skip
"""Other words for the kinds of part."""

_LEAD = (
    r"(?:and|then|also|please|now|next|finally|lastly|first|firstly|second|secondly|third|thirdly|after that|afterwards"
    r"|but|so|plus|kindly|ok|okay|(?P<polite>(?:could|can|would|will) you(?: please)?)|i want you to"
    r"|i would like you to|we need to|you should|you must|let's|be sure to|try to"
    r"|,|;|:|\(|\)|\.|!|\?|&|\d+(?= [.)]))"
)
_VERB = rf"(?:{VERBS})"
_STARTS = (
    r"(?:please |then |also |now |finally |next |could you |can you )*"
    rf"(?:{VERBS}|{NAME}|it|they|them|the|all|everything)"
)
_CONDITION = frozenset({
    "if", "unless", "when", "whenever", "otherwise", "else", "or", "instead", "until", "maybe", "perhaps",
    "either", "while", "except",
})  # fmt: skip
_RETRACT = frozenset({"actually", "scratch", "cancel", "forget", "ignore", "undo", "rather", "nevermind", "sorry"})
_NEGATION = frozenset({"don't", "not", "never", "no", "dont", "without"})
_WEIGHTY = frozenset({
    "left", "right", "above", "below", "over", "under", "up", "down", "top", "bottom", "side", "edge", "close",
    "near", "far", "rotated", "too", "not",
})  # fmt: skip
_NEUTRAL = frozenset({
    "a", "an", "the", "and", "or", "of", "then", "also", "please", "now", "to", "so", "but", "it", "them", ",",
    ".", ";", ":", "!", "?", "(", ")", "'", '"',
})  # fmt: skip


@dataclass(frozen=True)
class Commands:
    """An instruction as understood."""

    stated: tuple[Stated, ...] = ()
    """In the order said, locks first, each with its words."""
    wishes: tuple[Wish, ...] = ()
    unread: tuple[str, ...] = ()
    """Words that were not understood, as written."""
    missed: tuple[str, ...] = ()
    """Those of them that ask for something: with a number, or a verb and a part."""
    guesses: tuple[str, ...] = ()
    """Words that were understood only by guessing."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """What is to be carried out."""
        return tuple(stated.action for stated in self.stated if not stated.measure_only)

    @property
    def unchecked(self) -> tuple[str, ...]:
        return (*self.unread, *self.guesses)


@dataclass(frozen=True)
class _Piece:
    """A stretch of the text: a clause, or words that are none."""

    i: int
    j: int
    clause: Clause | None
    sentence: int
    joined: bool
    """By a bare *and* to what came before."""
    polite: bool = False


def read_commands(text: str, layout: Layout) -> Commands:
    """Read an instruction about the parts of a layout. Linear in the text's length.

    Raises:
        BriefError: a part or pad that is not there (the closest are given), or a number out of range.
        ContradictionError: its words exclude each other.
    """
    line = named_line(text, Names(layout, NOUNS))
    try:
        pieces = _sound(line, list(_pieces(line)))
    except ValidationError as error:
        first = error.errors()[0]
        raise BriefError(
            f"The instruction asks for what no action takes: {first['msg']}, given {str(first['input'])[:60]!r}. "
            f"It begins {text[:80]!r}."
        ) from None
    refuse_strange(line)
    clauses = [piece.clause for piece in pieces if piece.clause is not None]
    check_commands(clauses, line)
    stated = [said for clause in clauses for said in clause.first]
    stated += _eased(layout, [said for clause in clauses for said in clause.actions])
    wishes = tuple(wish for clause in clauses for wish in clause.wishes)
    unread = list(_unread(line, pieces))
    missed = [(i, j) for i, j in unread if _asks(line, i, j, [piece.i for piece in pieces], layout)]
    guesses = (span for clause in clauses for span in clause.guesses)
    return Commands(tuple(stated), wishes, *(_phrases(line, spans) for spans in (unread, missed, guesses)))


def _phrases(line: NamedLine, spans: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(words for span in sorted(spans) if (words := _trimmed(line, *span))))


def _asks(line: NamedLine, i: int, j: int, starts: Iterable[int], layout: Layout) -> bool:
    """Whether words that were not understood have a number, or a clause with a verb and a part."""
    if numbers_in(line.source(i, j), layout):
        return True
    verbal = any(i <= start < j and Cursor(line, start).sees(_VERB) for start in starts)
    return verbal and any(line.refs(k) for k in range(i, j))


def _eased(layout: Layout, stated: Sequence[Stated]) -> list[Stated]:
    """A row that becomes a column goes through a heap: it may, where the next action spaces it."""
    found = list(stated)
    for k, (now, after) in enumerate(pairwise(said.action for said in stated)):
        if not isinstance(now, Align) or not isinstance(after, Distribute) or set(now.refs) != set(after.refs):
            continue
        if now.axis != spread_axis(layout, now.refs):
            found[k] = found[k].model_copy(update={"action": now.model_copy(update={"allow_overlap": True})})
    return found


def _pieces(line: NamedLine) -> Iterator[_Piece]:
    """The clauses and what lies between them, in order."""
    cursor, sentence, context, understood, before = Cursor(line), 0, Context(), True, 0
    while cursor.i < len(line):
        start = cursor.i
        polite = _skip(cursor)
        between = [line.word(k) for k in range(start, cursor.i)]
        sentence += sum(w in {".", ";", "!", "?"} for w in between) + any(
            k in line.breaks for k in range(start, cursor.i + 1)
        )
        if cursor.i >= len(line):
            break
        i, joined = cursor.i, bool(between) and set(between) <= {"and", "&", "but", "then"}
        cursor.context = context if understood else Context()
        clause = _clause(cursor, line) if understood or i in line.breaks or cursor.sees(_VERB) else None
        if clause is None and not understood:
            clause = _of_that_pin(cursor, line, before, i)
        understood, before = clause is not None, i
        if clause is not None:
            context = clause.after
            cursor.i = clause.j
        else:
            cursor.i = _next_boundary(line, i)
        yield _Piece(i, cursor.i, clause, sentence, joined, polite)


def _skip(cursor: Cursor) -> bool:
    """Pass over what joins clauses; whether "could you" was among it."""
    polite = False
    while found := cursor.eat(_LEAD):
        polite = polite or bool(found["polite"])
    return polite


def _clause(cursor: Cursor, line: NamedLine) -> Clause | None:
    found = clause_at(cursor)
    return found if found is not None and _ends(line, found.j) else None


def _of_that_pin(cursor: Cursor, line: NamedLine, start: int, i: int) -> Clause | None:
    """What follows "C1 decouples U1 pin 4:": "put it 0.5 mm from that pin", where *it* can only be the other part."""
    pad = earlier_pad(line, i)
    others = {line.refs(k) for k in range(start, i) if line.refs(k)} - {pad[:1] if pad else ()}
    if pad is None or len(others) != 1 or len(subject := next(iter(others))) != 1:
        return None
    cursor.i, cursor.context = i, Context(subjects=subject)
    clause = _clause(cursor, line) if cursor.sees(_VERB) else None
    return clause if clause and any(wish.target == ".".join(pad) for wish in clause.wishes) else None


def _ends(line: NamedLine, j: int) -> bool:
    """Whether a clause may end before the j-th word."""
    if j >= len(line) or j in line.breaks or line.word(j) in {",", ".", ";", "!", "?", ":", ")", "please"}:
        return True
    if line.word(j) not in {"and", "then", "but", "&"}:
        return False
    return Cursor(line, j + 1).sees(_STARTS)


def _next_boundary(line: NamedLine, i: int) -> int:
    for j in range(i + 1, len(line)):
        word = line.word(j)
        if j in line.breaks or word in {",", ".", ";", "!", "?", ":"}:
            return j
        if word in {"and", "then", "but"} and Cursor(line, j + 1).sees(_VERB):
            return j
    return len(line)


def _sound(line: NamedLine, pieces: Sequence[_Piece]) -> list[_Piece]:
    """The pieces without the clauses that what stands around them takes back."""
    void = {k for k, piece in enumerate(pieces) for k in _voided(line, pieces, k, piece)}
    return [replace(piece, clause=None) if k in void else piece for k, piece in enumerate(pieces)]


def _voided(line: NamedLine, pieces: Sequence[_Piece], k: int, piece: _Piece) -> Iterator[int]:
    """The clauses that one piece makes doubtful."""
    if line.word(piece.j) == "?" and not piece.polite:
        yield from _same_sentence(pieces, k)
    if piece.clause is not None:
        return
    words = {line.word(n) for n in range(piece.i, piece.j)}
    if words & _CONDITION:
        yield from _same_sentence(pieces, k)
    if words & _RETRACT:
        sentence = set(_same_sentence(pieces, k))
        yield from sentence
        yield min(sentence) - 1
    verbal = Cursor(line, piece.i).sees(_VERB)
    same = k > 0 and pieces[k - 1].sentence == piece.sentence
    if same and not verbal and (piece.joined or _weighty(line, piece)):
        yield k - 1
    if words & _NEGATION and k + 1 < len(pieces) and pieces[k + 1].joined:
        yield k + 1


def _same_sentence(pieces: Sequence[_Piece], k: int) -> Iterator[int]:
    for step in (-1, 1):
        n = k
        while 0 <= n < len(pieces) and pieces[n].sentence == pieces[k].sentence:
            yield n
            n += step


def _weighty(line: NamedLine, piece: _Piece) -> bool:
    """Whether words without a verb say something of places: they may belong to the clause before."""
    words = [line.word(n) for n in range(piece.i, piece.j)]
    return any(w == NAME or w in _WEIGHTY or w[:1].isdigit() or w[:1] == "-" for w in words)


def refuse_strange(line: NamedLine) -> None:
    """Refuse names that nothing has, but where they are pads: "pin A1". Raises `BriefError` with the closest."""
    for i, strange in line.strange().items():
        if not strange.owner and line.word(i - 1) in {"pin", "pad", "terminal", "lead", "number"}:
            continue
        where = f"(character {strange.offset + 1} of the instruction: {_around(line.text, strange.offset)!r})"
        if strange.owner:
            pads = list(dict.fromkeys(p.name for p in line.names.layout[strange.owner].ports if p.name))
            raise BriefError(
                f"{strange.owner} has no pad {strange.text!r} {where}; it has {', '.join(pads[:12]) or 'none'}"
            )
        close = line.names.closest(strange.text)
        hint = f"did you mean {', '.join(close)}?" if close else "name a part that is there"
        raise BriefError(f"There is no part {strange.text!r} {where}; {hint}")


def _around(text: str, offset: int) -> str:
    return text[max(0, offset - 20) : offset + 20].strip()


def _unread(line: NamedLine, pieces: Sequence[_Piece]) -> Iterator[tuple[int, int]]:
    """Stretches of words that are in no clause, those of one sentence together."""
    run: tuple[int, int, int] | None = None
    for piece in pieces:
        if run and (piece.clause is not None or piece.sentence != run[2]):
            yield run[:2]
            run = None
        if piece.clause is None:
            run = (run[0] if run else piece.i, piece.j, piece.sentence)
    if run:
        yield run[:2]


def _trimmed(line: NamedLine, i: int, j: int) -> str:
    """The words as written, without those at the ends that say nothing."""
    while i < j and line.word(i) in _NEUTRAL:
        i += 1
    while j > i and line.word(j - 1) in _NEUTRAL - {"it", "them"}:
        j -= 1
    return line.source(i, j)
