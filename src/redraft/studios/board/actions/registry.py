"""Every action on boards. A new one is listed here, once; requests, tools and checks take it from here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, get_args

from pydantic import Field

from redraft.studios.board.actions.around import ClusterAround, Decouple
from redraft.studios.board.actions.base import BoardAction
from redraft.studios.board.actions.blocks import CopyBlock, MoveBlock
from redraft.studios.board.actions.relative import MoveBy, MoveToEdge, PlaceComponent, PlaceRelative, Swap
from redraft.studios.board.actions.rows import Align, Distribute, Stack
from redraft.studios.board.actions.turns import Flip, Lock, Rotate
from redraft.studios.board.actions.whole import Legalise, PlaceAll

Action = Annotated[
    PlaceRelative
    | PlaceComponent
    | MoveBy
    | Align
    | Distribute
    | Stack
    | Rotate
    | Swap
    | ClusterAround
    | Decouple
    | MoveBlock
    | CopyBlock
    | MoveToEdge
    | Flip
    | Lock
    | Legalise
    | PlaceAll,
    Field(discriminator="action"),
]
"""Any one of them, distinguished by `action`."""

ACTIONS: Mapping[str, type[BoardAction]] = MappingProxyType(
    {str(model.model_fields["action"].default): model for model in get_args(get_args(Action)[0])}
)
"""Each action's class by its name."""
