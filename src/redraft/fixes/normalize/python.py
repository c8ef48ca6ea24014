"""From a Python traceback to a complaint: the last exception counts, at the innermost line of the script itself.

Messages that name Blender's API become `bpy:` keys. Their detail is the attribute, operator, keyword, value or node
that the message names, which is the same in every script; a name of the script's own never is.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable, Mapping
from itertools import takewhile

from redraft.fixes.base import Diagnostic

PYTHON_CATEGORIES: Mapping[str, str] = {
    "bpy:context": "an operator that cannot run in this context",
    "bpy:context_argument": "a context that was handed to an operator, which takes none (any more)",
    "bpy:enum_value": "a value that a setting no longer has, or never had",
    "bpy:missing_argument": "a call without an argument that Blender's function needs",
    "bpy:no_attribute": "an attribute that Blender's object does not have (any more)",
    "bpy:operator_error": "an operator that ran and reported an error",
    "bpy:operator_mismatch": "matrices and vectors under an operator that does not take them",
    "bpy:read_only": "an attribute that cannot be set",
    "bpy:removed_data": "an object that was removed from the file before",
    "bpy:unknown_key": "a name that a collection does not hold",
    "bpy:unknown_keyword": "a keyword that the operator or function does not take",
    "bpy:unknown_node": "a node type that does not exist (any more)",
    "bpy:unknown_operator": "an operator that does not exist (any more)",
    "bpy:wrong_length": "a sequence with too few or too many numbers",
    "bpy:wrong_type": "a value of another type than the setting takes",
    "py:assertion_error": "an assert of the script's own",
    "py:attribute_error": "an attribute that does not exist",
    "py:exception": "an exception of a library's or the script's own, or a rare one",
    "py:file_not_found_error": "a file that does not exist",
    "py:import_error": "a module, or a name in it, that cannot be imported",
    "py:indentation_error": "a line that is indented wrongly",
    "py:index_error": "an index beyond the end of a sequence",
    "py:key_error": "a key that a mapping does not hold",
    "py:memory_error": "more memory requested than available",
    "py:name_error": "a name that is not defined",
    "py:not_implemented_error": "something that is not implemented",
    "py:os_error": "a file or device that cannot be used",
    "py:overflow_error": "a number too large",
    "py:permission_error": "a file without permission to open it",
    "py:recursion_error": "a function that calls itself without end",
    "py:runtime_error": "an error while running",
    "py:syntax_error": "text that is not Python",
    "py:type_error": "a value of the wrong type, or a call with the wrong arguments",
    "py:unbound_local_error": "a variable that is used before it is set",
    "py:unicode_error": "text in an encoding that it is not in",
    "py:value_error": "a value that is not allowed",
    "py:zero_division_error": "a division by zero",
}
"""The meaning of each category of a `bpy:` or `py:` key, in one line."""

LINE_LIMIT = 4_000
"""Characters of one line that are read."""
LINES = 5_000
"""Lines of a message that are read, from its end."""

_RAISED = re.compile(r"(?:[A-Za-z_]\w{0,80}\.){0,8}(?P<name>[A-Za-z_]\w{0,80})(?:: (?P<text>.*))?\s*$")
_NAMES = re.compile(r"[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Iteration|Failure|Fault|Timeout)|[A-Z]\w*Group")
_ADVICE = re.compile(r"In Blender \d[\w. -]{0,40}:")
"""The heading of what redraft's own look-up in Blender has to say to an exception."""
_FRAME = re.compile(r"\s{0,80}(?:\|\s{1,9})?File \"(?P<file>[^\"]{0,500})\", line (?P<line>\d{1,7})")
_OF_A_LIBRARY = re.compile(
    r"site-packages|dist-packages|[\\/]lib(?:64)?[\\/]python|<frozen|[\\/]bpy[\\/]|scripts[\\/]modules"
)
_SCRIPT = re.compile(r"<string>|<script>|(?:.{0,400}[\\/])?script\.py")

_BLENDER = r"""
no_attribute      ^(?:bpy_\w{1,40}|[A-Z]\w{0,60}): attribute "(?P<a>[^"]{1,100})" not found
read_only         attribute "(?P<a>[^"]{1,100})" from "[^"]{1,100}" is read-only
no_attribute      ^'module' object has no attribute '(?P<a>\w{1,100})'
read_only         ^bpy_struct: Context property "(?P<a>[^"]{1,100})" is read-only
missing_argument  ^[A-Z]\w{0,60}\.\w{1,60}\(\): required parameter "(?P<a>\w{1,60})" not specified
context_argument  ^1-2 args execution context is supported
unknown_operator  ^BMeshOpsModule: operator "(?P<a>\w{1,100})" doesn't exist
unknown_keyword   keyword "(?P<a>[^"]{1,100})" (?:unrecognized|is invalid for this operator)
unknown_keyword   ^[A-Z]\w{0,60}\.\w{1,60}\(\): .{0,60}was passed invalid keyword arguments \('(?P<a>\w{1,60})
enum_value        \benum "(?P<a>[^"]{1,200})" not found in
unknown_operator  ^Calling operator "bpy\.ops\.(?P<a>[\w.]{1,120})" error, could not be found
context           ^Operator bpy\.ops\.(?P<a>[\w.]{1,120}?)\.poll\(\)
unknown_node      \bNode type (?P<a>\w{1,100}) undefined
unknown_key       bpy_prop_collection\[key\]: key \"(?P<k>[^\"]{1,200})\" not found
unknown_key       bpy_prop_collection\[index\]: index \S{1,40} out of range
operator_mismatch [Mm]ultiplication: not supported between '(?P<a>\w{1,40})' and '(?P<b>\w{1,40})' types
operator_mismatch ^unsupported operand .{1,20} '(?P<a>Matrix|Vector|Quaternion|Euler)' and '(?P<b>\w{1,40})'
removed_data      StructRNA of type \w{1,80} has been removed
wrong_length      (?:^|: )sequences? of dimension
wrong_length      ^(?:Vector|Matrix|Color|Quaternion|Euler)\b.{0,60}(?:size|length|items)
wrong_type        ^[A-Z]\w{0,60}\.\w{1,60}\(\): error with argument \d{1,3}, .{0,160}(?:expected|does not support)\b
wrong_type        bpy_(?:struct|prop)\w{0,20}\b.{0,160}(?:expected|incorrect type|requires)\b
operator_error    ^(?:Error|Operator):\s
"""
"""Category and expression, a line each; the first that fits counts. `a` and `b` are universal, `k` perhaps."""


def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = (line.split(maxsplit=1) for line in _BLENDER.strip().splitlines())
    return tuple((category, re.compile(pattern)) for category, pattern in rows)


_BLENDER_RULES = _compiled()

_NO_ATTRIBUTE = re.compile(r"(?:type object )?'(?P<type>\w{1,100})'(?: object)? has no attribute '(?P<a>\w{1,100})'")
_MODULE = re.compile(
    r"(?:partially initialized )?module '(?P<module>[\w.]{1,100})' has no attribute '(?P<a>\w{1,100})'"
)
_QUOTED = re.compile(r"'(?P<a>[^']{1,100})'")

_TYPE_ERRORS = (
    (
        "unexpected_keyword",
        re.compile(r"unexpected keyword argument|invalid keyword argument|takes no keyword arguments"),
    ),
    ("missing_argument", re.compile(r"missing \d{1,3} required|missing required argument")),
    (
        "argument_count",
        re.compile(r"takes .{0,60}arguments?|takes no arguments|expected (?:at (?:most|least) )?\d{1,3} arg"),
    ),
    ("not_callable", re.compile(r"is not callable")),
    ("not_subscriptable", re.compile(r"is not subscriptable|does not support item")),
    ("not_iterable", re.compile(r"not iterable|cannot unpack")),
    (
        "operand_types",
        re.compile(r"unsupported operand|not supported between|can only concatenate|can't multiply|bad operand"),
    ),
    ("index_type", re.compile(r"indices must be")),
)
_OPEN_MODULES = frozenset(("bpy", "bmesh", "mathutils", "bpy_extras", "gpu", "numpy", "scipy", "PIL"))
_COMMON_NAMES = _OPEN_MODULES | {"np", "Vector", "Matrix", "Euler", "Quaternion", "Color", "pi"}


def python_diagnostics(message: str) -> list[Diagnostic]:
    """The exception that a message ends with, as one complaint; empty where there is none."""
    lines = [line[:LINE_LIMIT] for line in "\n".join(message.rsplit("\n", LINES)[-LINES:]).splitlines()]
    found = _raised(lines)
    if found is None:
        return []
    at, name, text = found
    category, detail, token = _blender(name, text) or _python(name, text)
    key = f"{category}:{_slug(detail)}" if detail else category
    return [Diagnostic(key, f"{name}: {text}" if text else name, _line(lines[:at]), token)]


def _raised(lines: list[str]) -> tuple[int, str, str] | None:
    """Return the place of the last exception, its name, and its message with the lines after it."""
    for at in range(len(lines) - 1, -1, -1):
        match = _RAISED.match(lines[at])
        if match and _is_exception(match["name"], match["text"]):
            rest = "\n".join(takewhile(lambda line: not _ADVICE.fullmatch(line), lines[at + 1 : at + 20])).strip()
            return at, match["name"], "\n".join(part for part in (match["text"] or "", rest) if part).strip()
    return None


def _is_exception(name: str, text: str | None) -> bool:
    known = getattr(builtins, name, None)
    if isinstance(known, type) and issubclass(known, BaseException):
        return not issubclass(known, Warning)
    return text is not None and _NAMES.fullmatch(name) is not None


def _line(before: list[str]) -> int | None:
    """The innermost line of the script in the last traceback; else that of the innermost file outside a library."""
    start = max((n for n, line in enumerate(before) if line.lstrip(" |+").startswith("Traceback (most")), default=0)
    frames = [match for line in before[start:] if (match := _FRAME.match(line))]
    own = [f for f in frames if _SCRIPT.fullmatch(f["file"])]
    own = own or [f for f in frames if not _OF_A_LIBRARY.search(f["file"])]
    return int(own[-1]["line"]) if own else None


def _blender(name: str, text: str) -> tuple[str, str, str] | None:
    """Category, detail and token of a message about Blender's API."""
    if name == "AttributeError":
        match = _NO_ATTRIBUTE.search(text)
        if match and is_blender_type(match["type"]):
            return "bpy:no_attribute", match["a"], match["a"]
        match = _MODULE.search(text)
        if match and match["module"].split(".")[0] in ("bpy", "bmesh", "mathutils", "bpy_extras"):
            return "bpy:no_attribute", match["a"], match["a"]
    for category, rule in _BLENDER_RULES:
        match = rule.search(text[:LINE_LIMIT])
        if match and (category != "operator_error" or name == "RuntimeError"):
            parts = match.groupdict()
            key = parts.get("k") or ""
            token = parts.get("a") or key
            detail = "_".join(filter(None, (parts.get("a"), parts.get("b")))) or (key if is_common_key(key) else "")
            return f"bpy:{category}", detail, token
    return None


def _python(name: str, text: str) -> tuple[str, str, str]:
    """Category, detail and token of an exception of Python's."""
    quoted = _QUOTED.search(text)
    token = quoted["a"] if quoted else ""
    known = _DETAILS.get(name)
    if name == "TypeError":
        return (
            "py:type_error",
            next((kind for kind, rule in _TYPE_ERRORS if rule.search(text)), ""),
            _argument(text, token),
        )
    if known is not None:
        category, detail = known
        return category, detail(text, token), token
    category = f"py:{re.sub(r'(?<=[a-z])(?=[A-Z])', '_', name).lower()}"
    return (category if hasattr(builtins, name) and category in PYTHON_CATEGORIES else "py:exception"), "", token


def _argument(text: str, token: str) -> str:
    """Of a call it is the argument that is named; the first quoted thing may be the function."""
    match = re.search(r"argument:? '(?P<a>\w{1,100})'", text)
    return match["a"] if match else token


def _missing_name(text: str, token: str) -> str:
    del text
    return token if token in _COMMON_NAMES or token in sys.stdlib_module_names else ""


def _missing_module(text: str, token: str) -> str:
    """Modules are universal where any script could import them; a helper of the script's own is not."""
    module = re.search(r"from '(?P<a>[\w.]{1,100})'", text)
    where = (module["a"] if module else token).split(".")[0]
    if where not in sys.stdlib_module_names and where not in _OPEN_MODULES:
        return ""
    return f"{module['a']}.{token}" if module and token != module["a"] else token


def _attribute(text: str, token: str) -> str:
    """`list.add`, `math.sine`, `nonetype`: types and modules of every Python."""
    del token
    module = _MODULE.search(text)
    if module and module["module"].split(".")[0] in (sys.stdlib_module_names | _OPEN_MODULES):
        return f"{module['module']}.{module['a']}"
    match = _NO_ATTRIBUTE.search(text)
    if match is None:
        return ""
    if match["type"] in ("NoneType", "function", "method"):
        return match["type"]
    return f"{match['type']}.{match['a']}" if hasattr(builtins, match["type"]) else ""


def _nothing(text: str, token: str) -> str:
    del text, token
    return ""


_DETAILS: Mapping[str, tuple[str, Callable[[str, str], str]]] = {
    "AttributeError": ("py:attribute_error", _attribute),
    "NameError": ("py:name_error", _missing_name),
    "ImportError": ("py:import_error", _missing_module),
    "ModuleNotFoundError": ("py:import_error", _missing_module),
    "IndentationError": ("py:indentation_error", _nothing),
    "TabError": ("py:indentation_error", _nothing),
    "UnicodeDecodeError": ("py:unicode_error", _nothing),
    "UnicodeEncodeError": ("py:unicode_error", _nothing),
    "IOError": ("py:os_error", _nothing),
    "OSError": ("py:os_error", _nothing),
}


def _slug(detail: str) -> str:
    """A detail as keys have it: lower case, in one word."""
    return re.sub(r"[^\w.+-]+", "_", detail.lower()).strip("_")


# Names of Blender's Python API that messages mention: its types, and the keys that every file has.


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TYPES = _words(
    """
    Action ActionChannelbag ActionChannelbagFCurves ActionChannelbagGroups ActionChannelbags ActionGroup
    ActionKeyframeStrip ActionLayer ActionLayers ActionSlot ActionSlots ActionStrip ActionStrips AnimData
    AnimDataDrivers Area AreaLight Armature ArmatureBones ArmatureConstraintTargets ArmatureEditBones Attribute
    BakeSettings BezierSplinePoint BlendData BMEdge BMEdgeSeq BMesh BMFace BMFaceSeq BMLayerAccessVert
    BMLayerCollection BMLayerItem BMLoop BMVert BMVertSeq Bone BoneCollection BoneCollections BoneColor bpy_func
    bpy_prop_array bpy_prop_collection bpy_struct BPyOps BPyOpsSubMod Brush BrushTextureSlot CacheFile Camera
    CameraBackgroundImage CameraBackgroundImages CameraDOFSettings CameraStereoData ChannelDriverVariables
    ChildParticle ClothCollisionSettings ClothSettings Collection CollectionChild CollectionChildren
    CollectionObject CollectionObjects CollisionSettings Color ColorManagedDisplaySettings
    ColorManagedInputColorspaceSettings ColorManagedViewSettings ColorMapping ColorRamp ColorRampElement
    ColorRampElements ColorStrip Constraint ConstraintTarget Context Curve CurveMap CurveMapping CurvePoint Curves
    CurveSlice CurveSplines CyclesRenderSettings Depsgraph DepsgraphObjectInstance DepsgraphUpdate DisplaySettings
    Driver DriverTarget DriverVariable EditBone EffectorWeights EffectStrip Euler FCurve FCurveKeyframePoints
    FCurveModifiers FFmpegSettings FieldSettings FluidDomainSettings FluidEffectorSettings FluidFlowSettings
    FModifier FModifierCycles FModifierEnvelope FModifierGenerator FModifierLimits FModifierNoise FModifierStepped
    FreestyleLineSet FreestyleLineStyle FreestyleModuleSettings FreestyleSettings GizmoGroup GPencilLayer
    GPencilStroke GreasePencil GreasePencilDrawing GreasePencilFrame GreasePencilFrames GreasePencilLayer
    GreasePencilLayerGroup GreasePencilv3Layers ID IDMaterials Image ImageFormatSettings ImagePackedFile ImageStrip
    ImageUser Key Keyframe KeyingSet Lattice LatticePoint LayerCollection LayerObjects Library Light LightProbe
    LightProbePlane LightProbeSphere LightProbeVolume LoopColors Macro MaskLayer MaskLayers MaskSpline Material
    MaterialGPencilStyle MaterialLineArt MaterialSlot Matrix Mesh MeshEdge MeshEdges MeshLoop MeshLoopColor
    MeshLoopColorLayer MeshLoops MeshLoopTriangle MeshLoopTriangles MeshNormalValue MeshPolygon MeshPolygons
    MeshSkinVertex MeshSkinVertexLayer MeshUVLoop MeshUVLoopLayer MeshVertex MeshVertices MetaBall MetaBallElements
    MetaElement MetaStrip Modifier MovieClip MovieStrip NlaStrip NlaStrips NlaTrack NlaTracks Node NodeEnumItem
    NodeFrame NodeGroup NodeGroupInput NodeGroupOutput NodeInputs NodeLink NodeLinks NodeOutputs NodeReroute Nodes
    NodeSocket NodeTree Object ObjectBase ObjectConstraints ObjectDisplay ObjectLightLinking ObjectLineArt
    ObjectModifiers ObjectShaderFx Operator PackedFile Panel ParticleHairKey ParticleKey ParticleSettings
    ParticleSystem ParticleSystems ParticleTarget PointCache PointCaches PointCloud PointLight Pose PoseBone
    PoseBoneConstraints Preferences PropertyGroup Quaternion RaytraceEEVEE Region RegionView3D RenderEngine
    RenderLayer RenderPass RenderPasses RenderResult RenderSettings RenderSlot RenderSlots RenderView RenderViews
    RigidBodyConstraint RigidBodyObject RigidBodyWorld RNA_Types Scene SceneDisplay SceneEEVEE SceneGpencil
    SceneHydra SceneObjects SceneRenderView SceneStrip Screen Sequence SequenceEditor ShaderFx ShapeKey
    ShapeKeyBezierPoint ShapeKeyCurvePoint ShapeKeyPoint SoftBodySettings Sound SoundStrip Space Speaker
    SPHFluidSettings Spline SplineBezierPoints SplinePoint SplinePoints SpotLight Strip StripElement StripElements
    StripModifiers StripsTopLevel StripTransform SunLight TexMapping Text TextBox TextCharacterFormat TextCurve
    TextLine TextStrip Texture TextureSlot TimelineMarker TimelineMarkers Timer ToolSettings UDIMTile UDIMTiles
    UILayout UnitSettings UVLoopLayers Vector VectorFont VertexGroup VertexGroupElement VertexGroups View3DCursor
    View3DOverlay View3DShading ViewLayer ViewLayerEEVEE ViewLayers Volume VolumeDisplay VolumeGrid VolumeGrids
    VolumeRender Window WindowManager WorkSpace World WorldLighting WorldMistSettings
    """
)
_FAMILIES = re.compile(
    r"(?:Shader|Compositor|Geometry|Texture|Function)Node[A-Z]?\w{0,60}|NodeSocket\w{1,60}|NodeTreeInterface\w{0,60}|"
    r"BlendData[A-Z]\w{0,40}|Space[A-Z0-9]\w{0,40}|[A-Z][A-Za-z]{1,40}(?:Modifier|Constraint|Texture|Attribute|Sequence)|"
    r"Curve(?:Profile|Map)\w{0,40}|[A-Z][A-Za-z]{1,40}(?:NodeTree|RenderSettings|FieldSettings|CacheSettings)|"
    r"bpy_prop_\w{1,40}"
)
_KEYS = _words(
    "Alpha Anisotropic Background BSDF Camera Clearcoat Collection Color Color1 Color2 Cube Distance Emission Fac "
    "Factor Geometry Group Height IOR Image Input Lamp Light Location Material Mesh Metallic Mix Normal Object Output "
    "Position Result Roughness Scale Scene Sheen Shader Specular Strength Subsurface Surface Tangent Transmission UV "
    "Value Vector Volume World R G B A X Y Z W H S V Red Green Blue Hue Saturation Generated Detail Distortion "
    "Dimension Lacunarity Displacement Density Thickness Threshold Size Weight Composite Viewer"
) | {
    "Base Color",
    "Clearcoat Normal",
    "Clearcoat Roughness",
    "Coat Weight",
    "Emission Color",
    "Emission Strength",
    "Group Input",
    "Group Output",
    "Material Output",
    "Principled BSDF",
    "Sheen Tint",
    "Sheen Weight",
    "Specular IOR Level",
    "Specular Tint",
    "Subsurface Color",
    "Subsurface Radius",
    "Subsurface Weight",
    "Transmission Roughness",
    "Transmission Weight",
    "World Output",
}


def is_blender_type(name: str) -> bool:
    """Return whether a type is Blender's own. One that is not may be a class of the script."""
    return name in _TYPES or _FAMILIES.fullmatch(name) is not None


def is_common_key(name: str) -> bool:
    """Whether a key into a collection is a socket, a node or a default of Blender's, and not a user's object."""
    return name in _KEYS
