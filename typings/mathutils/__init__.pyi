# Blender's own modules are not there where types are checked: whatever is asked of them is of any type.
from typing import Any

def __getattr__(name: str) -> Any: ...
