"""Names of Blender's Python API that messages mention: its types, and the keys that everybody's files have."""

from __future__ import annotations

import re

__all__ = ["is_blender_type", "is_common_key"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TYPES = _words(
    "Action ActionChannelbag ActionGroup ActionLayer ActionSlot ActionStrip AnimData AreaLight Area Armature Attribute "
    "Bone BezierSplinePoint BlendData Brush CacheFile Camera CameraDOFSettings Collection CollectionObjects "
    "CollectionChildren ColorManagedDisplaySettings ColorManagedInputColorspaceSettings ColorManagedViewSettings "
    "ColorRamp ColorRampElement Constraint Context Curve CurveMap CurveMapping CurveSplines CyclesRenderSettings "
    "Depsgraph DisplaySettings DriverTarget Driver EditBone FCurve FFmpegSettings FreestyleSettings GreasePencil "
    "GPencilLayer GPencilStroke GizmoGroup ID Image ImageFormatSettings ImageUser Key Keyframe KeyingSet Lattice "
    "LayerCollection LayerObjects Library Light LightProbe LoopColors Macro Material MaterialGPencilStyle MaterialSlot "
    "Mesh MeshEdge MeshLoop MeshPolygon MeshUVLoop MeshUVLoopLayer MeshVertex MetaBall MetaElement Modifier "
    "MovieClip NlaStrip NlaTrack Node NodeLink NodeLinks NodeSocket NodeTree Nodes Object ObjectBase ObjectDisplay "
    "ObjectModifiers Operator PackedFile Panel ParticleSettings ParticleSystem PointCloud PointLight Pose PoseBone "
    "Preferences Region RenderEngine RenderLayer RenderSettings RenderSlot RigidBodyConstraint RigidBodyObject "
    "RigidBodyWorld Scene SceneDisplay SceneEEVEE SceneGpencil SceneObjects SceneRenderView Screen Sequence "
    "SequenceEditor ShapeKey Sound Space Speaker Spline SplineBezierPoints SplinePoint SpotLight Strip SunLight "
    "Text TextCurve Texture TextureSlot Timer TimelineMarker ToolSettings UnitSettings VertexGroup VertexGroups "
    "View3DCursor View3DOverlay View3DShading ViewLayer ViewLayers Volume Window WindowManager WorkSpace World "
    "WorldLighting WorldMistSettings BMesh BMVert BMEdge BMFace BMLoop BMVertSeq BMEdgeSeq BMFaceSeq BMLayerItem "
    "BMLayerAccessVert BMLayerCollection Vector Matrix Quaternion Euler Color bpy_prop_collection bpy_prop_array "
    "bpy_struct bpy_func BPyOps BPyOpsSubMod RNA_Types"
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
    "Value Vector Volume World"
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
    """Whether a type is Blender's own. One that is not may be a class of the script."""
    return name in _TYPES or _FAMILIES.fullmatch(name) is not None


def is_common_key(name: str) -> bool:
    """Whether a key into a collection is a socket, a node or a default of Blender's, and not somebody's object."""
    return name in _KEYS
