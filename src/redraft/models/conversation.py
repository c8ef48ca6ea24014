"""Named calls and how they share context: a `ChatStep` is one call, a `Block` a group with a merge rule.

The prose of a step is rendered from its `inputs` alone, by Jinja2 with StrictUndefined. An input that no template uses
is an error, so that no prompt can silently leave out an input that a model of rules uses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, meta
from pydantic import BaseModel, JsonValue

from redraft.models.base import Message, Reply, Request
from redraft.result import Picture

Merge = Literal["all_messages", "last_response", "none"]
"""The messages that a block passes to later steps: its whole exchange, its last reply only, or none."""

SHARED = "redraft.studios"
"""The package of templates that several studios include."""

Inputs = Mapping[str, JsonValue]
Outputs = dict[str, str]


@dataclass(frozen=True)
class Prompts:
    """The templates of one package (`redraft.studios.sketch`), in its folder `prompts/`."""

    package: str

    def render(self, template: str, inputs: Inputs) -> str:
        """Return the prose of one template. Undefined names raise `jinja2.UndefinedError`."""
        return _environment(self.package).get_template(f"{template}.md.j2").render(**inputs).strip() + "\n"

    def names(self, template: str) -> frozenset[str]:
        """Return the names of the inputs that a template uses, with those of the templates that it includes."""
        return frozenset[str]().union(*(part.names for part in _parts(self.package, template)))

    def first(self, *templates: str) -> str:
        """Return the first of these templates that exists. Raises `jinja2.TemplatesNotFound`."""
        template = _environment(self.package).select_template([f"{name}.md.j2" for name in templates])
        return str(template.name).removesuffix(".md.j2")

    def used(self, inputs: Inputs, *templates: str) -> dict[str, JsonValue]:
        """Return those of the inputs that the templates use."""
        names = frozenset[str]().union(*map(self.names, templates))
        return {name: value for name, value in inputs.items() if name in names}

    def text(self, template: str) -> str:
        """Return the template itself."""
        return _parts(self.package, template)[0].text

    def digest(self, *templates: str) -> str:
        """Return twelve hexadecimal digits over the templates' texts, for the record."""
        texts = [part.text for template in templates for part in _parts(self.package, template)]
        return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:12]


@cache
def _environment(package: str) -> Environment:
    # Prompts are plain text for a model, not HTML: escaping would corrupt the quoted sources.
    return Environment(
        loader=ChoiceLoader([PackageLoader(package, "prompts"), PackageLoader(SHARED, "prompts")]),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,  # an upgrade under a run that waits for hours must not change its prompts half-way
    )


@dataclass(frozen=True)
class _Part:
    """One template, as written, and the inputs that it uses."""

    text: str
    names: frozenset[str]


@cache
def _parts(package: str, template: str) -> tuple[_Part, ...]:
    """Return a template and those that it includes, parsed once in a process: every request needs them."""
    environment = _environment(package)
    assert environment.loader is not None
    text = environment.loader.get_source(environment, f"{template}.md.j2")[0]
    parsed = environment.parse(text)
    included = (name.removesuffix(".md.j2") for name in meta.find_referenced_templates(parsed) if name is not None)
    part = _Part(text, frozenset(meta.find_undeclared_variables(parsed)))
    return (part, *(inner for name in included for inner in _parts(package, name)))


@dataclass(frozen=True)
class ChatStep:
    """One named call. `inputs` may be computed from the captured outputs of the steps before it."""

    name: str
    kind: str
    prompts: Prompts
    template: str
    inputs: Inputs | Callable[[Outputs], Inputs]
    system: str | None = None
    """Template of the system message."""
    schema: type[BaseModel] | None = None
    pictures: tuple[Picture, ...] = ()
    temperature: float | None = None
    merge: Merge = "all_messages"
    """The messages that it passes to later steps of its block."""
    capture_key: str | None = None
    """Name of the reply in the outputs; by default the step's."""


@dataclass(frozen=True)
class Block:
    """Steps and blocks in order. A nested block hands its messages on by its merge rule."""

    name: str
    nodes: tuple[ChatStep | Block, ...]
    merge: Merge = "all_messages"


def conversation(
    block: Block,
    *,
    path: str,
    seed: Callable[[str], int],
    seen: tuple[Message, ...] = (),
    outputs: Outputs | None = None,
    root: bool = True,
) -> Generator[Request, Reply, tuple[Message, ...]]:
    """Yield the requests of a block in order, each after the messages that the merge rules pass on; send replies back.

    `path` is the structural path under which the steps are recorded, `seed` derives a step's seed from its path,
    `outputs` collects the replies' texts. Returns the messages that the block hands on.
    """
    before, single = len(seen), root and len(block.nodes) == 1
    outputs = {} if outputs is None else outputs
    for node in block.nodes:
        where = path if single else f"{path}/{node.name}"
        if isinstance(node, Block):
            inner = conversation(node, path=where, seed=seed, seen=seen, outputs=outputs, root=False)
            seen = (*seen, *(yield from inner))
            continue
        request = request_of(node, outputs, where, seed(where), seen)
        reply = yield request
        outputs[node.capture_key or node.name] = reply.text
        messages = (*request.messages, Message(role="assistant", text=reply.text))
        seen = (*seen, *_merged(node.merge, messages[len(seen) :]))
    return _merged(block.merge, seen[before:])


def request_of(step: ChatStep, outputs: Outputs, path: str, seed: int, seen: Sequence[Message] = ()) -> Request:
    """Return the request of a step. Raises `ValueError` for an input that its templates do not use."""
    inputs = dict(step.inputs(outputs) if callable(step.inputs) else step.inputs)
    templates = [t for t in (step.system, step.template) if t is not None]
    if idle := sorted(set(inputs) - set(step.prompts.used(inputs, *templates))):
        raise ValueError(f"{step.kind}: inputs that no template uses: {', '.join(idle)} (templates: {templates})")
    has_system = step.system is None or any(message.role == "system" for message in seen)
    system = [] if has_system else [Message(role="system", text=step.prompts.render(step.system or "", inputs))]
    user = Message(role="user", text=step.prompts.render(step.template, inputs))
    return Request(
        kind=step.kind,
        path=path,
        inputs=inputs,
        messages=(*system, *seen, user),
        output_schema=None if step.schema is None else step.schema.model_json_schema(),
        pictures=step.pictures,
        temperature=step.temperature,
        seed=seed,
        template=step.prompts.digest(*templates),
    )


def _merged(merge: Merge, messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages that a merge rule passes on."""
    match merge:
        case "all_messages":
            return tuple(messages)
        case "last_response":
            return tuple(messages[-1:])
        case "none":
            return ()
