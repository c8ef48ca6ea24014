"""Changes of Blender's API that no search in the running Blender could find, as data.

Each row says with which version the change came; empty where it was never so, or it is not known for sure. In the texts
`{owner}` stands for what the attribute was asked of, `{value}` for what was assigned, `{args}` for the arguments of a
call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = [
    "ALIKE",
    "ATTRIBUTES",
    "ENUMS",
    "GONE",
    "KEYWORDS",
    "NODES",
    "OPERATORS",
    "SOCKETS",
    "WORDS",
    "Rename",
]

WORDS = (
    ("lamps", "lights"),  # 2.80
    ("lamp", "light"),  # 2.80
    ("groups", "collections"),  # 2.80
    ("group", "collection"),  # 2.80
    ("dupli", "instance"),  # 2.80
    ("draw", "display"),  # 2.80
    ("gpencil", "grease_pencil"),  # 2.80, 4.3
    ("diameter", "radius"),  # 3.0, in bmesh.ops: the number stayed what it was
    ("sequences", "strips"),  # 5.0
    ("sequence", "strip"),  # 5.0
)
"""Words that were renamed wherever they stood; a name is only taken when Blender has it."""


@dataclass(frozen=True)
class Rename:
    """One change of an attribute or a method. What is empty has no replacement of that form."""

    owner: str
    name: str
    since: str
    """The version; empty where it was never so, but is often written."""
    get: str = ""
    put: str = ""
    """A statement in place of an assignment; without it `get` is assigned to."""
    call: str = ""
    line: str = ""
    """A statement in place of one that is a call and nothing else."""
    first: str = ""
    """A statement to put before."""
    gone: bool = False
    """Without replacement: setting it, or calling it, is left out."""
    says: str = ""
    """What is to be known beside."""


_ENSURE = (
    "{owner}.compositing_node_group = {owner}.compositing_node_group "
    'or bpy.data.node_groups.new("Compositing", "CompositorNodeTree")'
)

ATTRIBUTES = (
    Rename("Scene", "node_tree", "5.0", get="{owner}.compositing_node_group", first=_ENSURE),
    Rename("Scene", "update", "2.80", call="bpy.context.view_layer.update()"),
    Rename("Scene", "layers", "2.80", gone=True, says="collections took the place of layers"),
    Rename("Object", "layers", "2.80", gone=True, says="collections took the place of layers"),
    Rename("Object", "select", "2.80", get="{owner}.select_get()", put="{owner}.select_set({value})"),
    Rename("Object", "hide", "2.80", get="{owner}.hide_viewport"),
    Rename("Object", "show_x_ray", "2.80", get="{owner}.show_in_front"),
    Rename("Object", "is_visible", "2.80", call="{owner}.visible_get()"),
    Rename("SceneObjects", "active", "2.80", get="bpy.context.view_layer.objects.active"),
    Rename("SceneObjects", "unlink", "2.80", line="for c in list({args}.users_collection): c.objects.unlink({args})"),
    Rename("Context", "user_preferences", "2.80", get="{owner}.preferences"),
    Rename("Mesh", "use_auto_smooth", "4.1", gone=True, says="use mesh.set_sharp_from_angle(angle=…) where wanted"),
    Rename("Mesh", "auto_smooth_angle", "4.1", put="{owner}.set_sharp_from_angle(angle={value})"),
    Rename("Mesh", "calc_normals", "4.0", gone=True, says="normals are computed when they are asked for"),
    Rename("Mesh", "calc_normals_split", "4.1", gone=True, says="normals are computed when they are asked for"),
    Rename("Mesh", "faces", "2.63", get="{owner}.polygons"),
    Rename("Mesh", "uv_textures", "2.80", get="{owner}.uv_layers"),
    Rename("Mesh", "tessfaces", "2.80", get="{owner}.loop_triangles", first="{owner}.calc_loop_triangles()"),
    Rename("Material", "specular_hardness", "2.80", gone=True, says="roughness says how sharp highlights are"),
    Rename("Material", "use_shadeless", "2.80", gone=True, says="an Emission shader looks the same in all light"),
    Rename("Camera", "dof_distance", "2.80", get="{owner}.dof.focus_distance"),
    Rename("Camera", "dof_object", "2.80", get="{owner}.dof.focus_object"),
    Rename("TextCurve", "align", "2.78", get="{owner}.align_x"),
    Rename("Object", "rotation", "", get="{owner}.rotation_euler"),
    Rename("CollectionObjects", "append", "", get="{owner}.link"),
    Rename("CollectionObjects", "add", "", get="{owner}.link"),
    Rename("CollectionObjects", "remove", "", get="{owner}.unlink"),
    Rename("CollectionChildren", "remove", "", get="{owner}.unlink"),
    Rename("BMVertSeq", "add", "", get="{owner}.new"),
    Rename("BMEdgeSeq", "add", "", get="{owner}.new"),
    Rename("BMFaceSeq", "add", "", get="{owner}.new"),
    Rename("Camera", "focal_length", "", get="{owner}.lens"),
    Rename("MeshVertex", "position", "", get="{owner}.co"),
    Rename("BezierSplinePoint", "position", "", get="{owner}.co"),
    Rename("SplinePoint", "position", "", get="{owner}.co"),
    Rename("CollectionChildren", "append", "", get="{owner}.link"),
    Rename("CollectionChildren", "add", "", get="{owner}.link"),
    Rename("ShaderNodeTexNoise", "musgrave_type", "4.1", get="{owner}.noise_type"),
    Rename("RenderSettings", "layers", "2.80", get="bpy.context.scene.view_layers"),
    Rename("Light", "falloff_type", "", gone=True, says="light falls off with the square of the distance"),
    Rename("Light", "distance", "", gone=True, says="light falls off with the square of the distance"),
    Rename("World", "horizon_color", "2.80", get="{owner}.color"),
    Rename("RenderSettings", "alpha_mode", "2.80", gone=True, says="film_transparent = True gives no background"),
)
"""By the type that the attribute was asked of, or one that this is made from."""

GONE = tuple(
    Rename(owner, name, since, gone=True)
    for owner, since, names in (
        ("Mesh", "4.1", "create_normals_split free_normals_split"),
        ("Mesh", "2.80", "show_double_sided show_normal_face"),
        ("Material", "2.80", "use_transparency transparency_method diffuse_intensity diffuse_shader specular_shader"),
        ("Material", "2.80", "specular_alpha ambient translucency use_shadows use_cast_shadows use_raytrace"),
        ("Material", "4.2", "shadow_method"),
        ("Light", "2.80", "shadow_method shadow_ray_samples shadow_buffer_size use_specular use_diffuse"),
        ("Light", "4.2", "use_contact_shadow contact_shadow_distance contact_shadow_bias contact_shadow_thickness"),
        ("Light", "4.2", "shadow_buffer_clip_start shadow_buffer_bias"),
        ("World", "2.80", "zenith_color ambient_color use_sky_blend use_sky_paper use_sky_real"),
    )
    for name in names.split()
)
"""Attributes without replacement, and with nothing to be known beside: setting them, or calling them, is left out."""

OPERATORS: Mapping[str, tuple[str, str]] = {
    "object.lamp_add": ("object.light_add", "2.80"),
    "mesh.primitive_sphere_add": ("mesh.primitive_uv_sphere_add", ""),
    "import_scene.obj": ("wm.obj_import", "4.0"),
    "export_scene.obj": ("wm.obj_export", "4.0"),
    "import_mesh.stl": ("wm.stl_import", ""),
    "export_mesh.stl": ("wm.stl_export", ""),
    "import_mesh.ply": ("wm.ply_import", ""),
    "export_mesh.ply": ("wm.ply_export", ""),
    "object.select_by_layer": ("object.select_all(action='SELECT')", "2.80"),
    "object.move_to_layer": ("", "2.80"),
    "object.group_add": ("object.collection_add", "2.80"),
}
"""Operators that were renamed, with the version; a whole call where it takes no arguments over; empty where a call is
to be left out."""

KEYWORDS: Mapping[tuple[str, str], tuple[str, str, str]] = {
    ("mesh.primitive_cube_add", "radius"): ("size", "2 * {value}", "2.80"),
    ("mesh.primitive_plane_add", "radius"): ("size", "2 * {value}", "2.80"),
    ("mesh.primitive_grid_add", "radius"): ("size", "2 * {value}", "2.80"),
    ("mesh.primitive_monkey_add", "radius"): ("size", "2 * {value}", "2.80"),
    ("mesh.primitive_uv_sphere_add", "size"): ("radius", "{value}", "2.80"),
    ("mesh.primitive_ico_sphere_add", "size"): ("radius", "{value}", "2.80"),
    ("mesh.primitive_circle_add", "size"): ("radius", "{value}", "2.80"),
    ("object.shade_smooth", "use_auto_smooth"): ("", "", "4.1"),
    ("object.modifier_apply", "apply_as"): ("", "", "2.90"),
    ("transform.*", "constraint_orientation"): ("orient_type", "{value}", "2.80"),
    ("transform.*", "proportional"): ("", "", "2.80"),
    ("transform.rotate", "axis"): ("orient_axis", "{axis}", "2.80"),
    ("mesh.primitive_cone_add", "radius"): ("radius1", "{value}", "2.63"),
    ("*", "view_align"): ("", "", "2.80"),
    ("*", "layers"): ("", "", "2.80"),
    ("bmesh.ops.create_uvsphere", "diameter"): ("radius", "{value}", "3.0"),
}
"""Operator and keyword → its new name, its new value, the version. Without a name it is left out; without a value it
needs a thought, and is only a hint. `*` is any operator; `{axis}` the letter of a unit vector."""

ALIKE = (
    ("height", "depth", "length"),
    ("radius", "size", "width", "side", "edge_length"),
    ("rings", "ring_count"),
    ("location", "position", "loc", "pos"),
    ("rotation", "rotate", "rot"),
    ("segments", "vertices", "resolution", "sides"),
)
"""Keywords that people take for each other, as other libraries call them so."""

ENUMS: Mapping[tuple[str, str], tuple[str, str, str]] = {
    ("RenderSettings.engine", "BLENDER_RENDER"): ("BLENDER_EEVEE", "", "2.80"),
    ("RenderSettings.engine", "BLENDER_GAME"): ("BLENDER_EEVEE", "", "2.80"),
    ("ImageFormatSettings.file_format", "FFMPEG"): ("FFMPEG", "media_type = 'VIDEO'", "5.0"),
    ("ImageFormatSettings.file_format", "AVI_JPEG"): ("FFMPEG", "media_type = 'VIDEO'", "5.0"),
    ("ImageFormatSettings.file_format", "AVI_RAW"): ("FFMPEG", "media_type = 'VIDEO'", "5.0"),
    ("ImageFormatSettings.file_format", "OPEN_EXR_MULTILAYER"): (
        "OPEN_EXR_MULTILAYER",
        "media_type = 'MULTI_LAYER_IMAGE'",
        "5.0",
    ),
    ("Light.type", "HEMI"): ("SUN", "", "2.80"),
    ("ShaderNodeTexSky.sky_type", "NISHITA"): ("MULTIPLE_SCATTERING", "", "5.0"),
    ("object.light_add", "HEMI"): ("SUN", "", "2.80"),
}
"""Setting (or operator) and value → its new value, another setting of the same thing that comes first, the version."""

NODES: Mapping[str, tuple[str, str, str]] = {
    "ShaderNodeCombineRGB": ("ShaderNodeCombineColor", "", "5.0"),
    "ShaderNodeSeparateRGB": ("ShaderNodeSeparateColor", "", "5.0"),
    "ShaderNodeCombineHSV": ("ShaderNodeCombineColor", "", "5.0"),
    "ShaderNodeSeparateHSV": ("ShaderNodeSeparateColor", "", "5.0"),
    "CompositorNodeCombRGBA": ("CompositorNodeCombineColor", "", "5.0"),
    "CompositorNodeSepRGBA": ("CompositorNodeSeparateColor", "", "5.0"),
    "CompositorNodeMixRGB": ("ShaderNodeMixRGB", "", "5.0"),
    "CompositorNodeMath": ("ShaderNodeMath", "", "5.0"),
    "CompositorNodeValToRGB": ("ShaderNodeValToRGB", "", "5.0"),
    "CompositorNodeMapRange": ("ShaderNodeMapRange", "", "5.0"),
    "CompositorNodeValue": ("ShaderNodeValue", "", "5.0"),
    "CompositorNodeGamma": ("ShaderNodeGamma", "", "5.0"),
    "ShaderNodeTexMusgrave": ("ShaderNodeTexNoise", "", "4.1"),
    "ShaderNodeBsdfVelvet": ("ShaderNodeBsdfSheen", "", "4.0"),
    "ShaderNodeTexPointDensity": ("", "", "5.0"),
    "CompositorNodeComposite": (
        "NodeGroupOutput",
        '{tree}.interface.new_socket("Image", in_out="OUTPUT", socket_type="NodeSocketColor")',
        "5.0",
    ),
}
"""Node types → what took their place, a statement that comes first, the version."""

SOCKETS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("ShaderNodeBsdfPrincipled", "Specular"): ("Specular IOR Level", "4.0"),
    ("ShaderNodeBsdfPrincipled", "Subsurface"): ("Subsurface Weight", "4.0"),
    ("ShaderNodeBsdfPrincipled", "Transmission"): ("Transmission Weight", "4.0"),
    ("ShaderNodeBsdfPrincipled", "Clearcoat"): ("Coat Weight", "4.0"),
    ("ShaderNodeBsdfPrincipled", "Clearcoat Roughness"): ("Coat Roughness", "4.0"),
    ("ShaderNodeBsdfPrincipled", "Clearcoat Normal"): ("Coat Normal", "4.0"),
    ("ShaderNodeBsdfPrincipled", "Sheen"): ("Sheen Weight", "4.0"),
    ("ShaderNodeBsdfPrincipled", "Emission"): ("Emission Color", "4.0"),
    ("ShaderNodeBsdfPrincipled", "Transmission Roughness"): ("", "4.0"),
    ("ShaderNodeBsdfPrincipled", "Subsurface Color"): ("", "4.0"),
    ("ShaderNodeBsdfPrincipled", "Color"): ("Base Color", "2.79"),
    ("ShaderNodeTexNoise", "Dimension"): ("", "4.1"),
    ("ShaderNodeTexNoise", "Fac"): ("Factor", "5.0"),
}
"""Node type and socket → the socket that took its place (empty for none: setting it is left out), the version."""
