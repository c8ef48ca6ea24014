"""Names of Blender's Python API that messages mention: its types, and the keys that everybody's files have."""

from __future__ import annotations

import re

__all__ = ["is_blender_type", "is_common_key"]


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
    """Whether a type is Blender's own. One that is not may be a class of the script."""
    return name in _TYPES or _FAMILIES.fullmatch(name) is not None


def is_common_key(name: str) -> bool:
    """Whether a key into a collection is a socket, a node or a default of Blender's, and not somebody's object."""
    return name in _KEYS
