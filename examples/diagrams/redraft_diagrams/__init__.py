"""The diagrams studio: a sentence in, a graph in DOT out, laid out and drawn by Graphviz."""

import json
import re
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel, JsonValue
from shapely import LineString, box

from redraft import DraftReply, Frame, Issue, Item, Layout, LayoutStudio, Request, Resources, StudioSettings
from redraft.errors import ExecutionError

NUMBER = re.compile(r"-?\d[\d.]*(?:e[-+]?\d+)?")


class DiagramSettings(StudioSettings):
    layout: Literal["dot", "neato", "fdp", "circo", "twopi"] = "dot"
    """Layout engine of Graphviz."""
    rankdir: Literal["TB", "LR", "BT", "RL"] = "TB"
    """Direction of the edges: top to bottom, left to right, or the reverse."""


class Draft(DraftReply):
    dot: str = ""  # empty where a repair only withdraws statements


class Diagram(BaseModel):
    source: str
    bb: str
    nodes: dict[int, dict[str, Any]]  # by number, as `dot -Tjson0 -y` writes them: in points, y downward
    edges: list[dict[str, Any]] = []
    files: dict[str, str]
    requirements: tuple[JsonValue, ...] = ()


class DiagramStudio(LayoutStudio[Draft, Diagram]):
    name = "diagrams"
    purpose = "Draw a diagram of boxes and arrows."
    example = "a flow from order to payment to delivery"
    medium = "a diagram of boxes and arrows"
    spec_model, artifact_model, settings_model = Draft, Diagram, DiagramSettings
    states = ("count", "relation", "alignment", "text")
    deliverables = (("svg", "diagram"), ("png", ""), ("dot", ""), ("json", ""))
    programs = (("dot", "apt-get install graphviz"),)
    offline = "redraft_diagrams"

    async def execute(self, spec: Draft, base: Diagram | None, resources: Resources) -> Diagram:
        source = spec.dot or (base.source if base else "")
        words = ["-y", *(f"-G{name}={value}" for name, value in resources.settings)]
        made = {"dot": source.encode()}
        for form in ("json0", "svg", "png"):  # where SERVER_NAME is set, Graphviz loads no file that a graph names
            made[form] = await resources.output("dot", f"-T{form}", *words, text=source, env={"SERVER_NAME": "redraft"})
        try:
            graph = json.loads(made.pop("json0"))
        except ValueError as error:
            raise ExecutionError("`dot` has to hold one graph; it holds none, or several.") from error
        graph["files"] = {role: resources.pictures.put(content, f".{role}") for role, content in made.items()}
        graph["nodes"] = {thing["_gvid"]: thing for thing in graph.get("objects", ()) if "pos" in thing}  # not clusters
        return Diagram.model_validate(graph | {"source": source, "requirements": spec.stated(base)})

    def layout(self, artifact: Diagram) -> Layout:
        """Return nodes by name and edges as `edge:a->b`, in points."""
        items: dict[str, Item] = {}
        for node in artifact.nodes.values():
            x, y, w, h = map(float, (*NUMBER.findall(node["pos"]), node["width"], node["height"]))
            label = node.get("label", "").replace("\\N", node["name"]).replace("\\n", " ")
            shape = box(x - 36 * w, y - 36 * h, x + 36 * w, y + 36 * h)
            items[node["name"]] = Item(node["name"], "node", shape, texts=(label,))
        for edge in artifact.edges:
            tail, head = (artifact.nodes[edge[end]]["name"] for end in ("tail", "head"))
            name, at = f"edge:{tail}->{head}", [*map(float, NUMBER.findall(edge.get("pos", "")))]
            line = LineString([*zip(at[::2], at[1::2], strict=True)]).buffer(1.0)
            items[name] = Item(name, "edge", line, is_line=True)
        left, bottom, right, top = map(float, NUMBER.findall(artifact.bb))
        return Layout(tuple(items.values()), Frame(unit="point", bounds=(left, top, right, bottom)))

    def rules(self, artifact: Diagram) -> Iterator[Issue]:
        if not artifact.nodes:
            yield Issue(code="graph.empty", severity="error", message="the graph has no nodes")
        ends = {edge[end] for edge in artifact.edges for end in ("tail", "head")}
        for name in [node["name"] for number, node in artifact.nodes.items() if number not in ends]:
            said = f"{name} has no edge"
            yield Issue(code="graph.lonely", severity="warning", basis="heuristic", message=said, subjects=(name,))


def drawn(request: Request) -> str:
    """Answer offline: a row of nodes for `A -> B -> C`, or for `a flow from A to B to C`."""
    words, before = (str(request.inputs.get(name, "")) for name in ("instruction", "current"))
    row = [step.strip(" .") for step in re.split(r"->|\bto\b", re.sub(r"^.*\bfrom\b", "", words))]
    dot = f"{before.rstrip().removesuffix('}') or 'digraph {'}\n  {' -> '.join(map(json.dumps, row))}\n}}\n"
    stated = [{"kind": "count", "quote": words, "parts": ["edge:*"], "number": dot.count("->")}]
    reply = {"approach": "rule-based offline model: a row of nodes", "dot": dot, "requirements": stated}
    return json.dumps({} if request.kind == "diagrams.repair" else reply)


studio = DiagramStudio()
ANSWERS = {f"diagrams.{kind}": drawn for kind in ("draft", "edit", "repair")}
