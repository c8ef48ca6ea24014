"""Changes of Blender's API that no search in the running Blender could find, as data.

Each row says with which version the change came; empty where it was never so, or it is not known for sure. In the texts
`{owner}` stands for what the attribute was asked of, `{value}` for what was assigned, `{args}` for the arguments of a
call.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

WORDS = (
    ("lamps", "lights"),  # 2.80
    ("lamp", "light"),  # 2.80
    ("groups", "collections"),  # 2.80
    ("group", "collection"),  # 2.80
    ("dupli", "instance"),  # 2.80
    ("draw", "display"),  # 2.80
    ("gp", "grease_pencil"),  # 4.3
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
    loses: str = ""
    """What of the look goes with it; the fix says so. With a replacement: what of it is only approximate."""
    node: str = ""
    """The name of the node that the replacement needs in the owner's tree; without it the next row is taken."""


_ENSURE = (
    "{owner}.compositing_node_group = {owner}.compositing_node_group "
    'or bpy.data.node_groups.new("Compositing", "CompositorNodeTree")'
)
_SOCKET = '{owner}.node_tree.nodes["Principled BSDF"].inputs["%s"].default_value'
_LAYERS = "collections took the place of layers"
_TEXTURES = "the texture: link a texture node to the shader"
_RAMPS = "the color ramp: link a ColorRamp node to the shader"


def _shader(name: str, socket: str, form: str = "{value}", loses: str = "") -> Rename:
    """A material's setting of 2.79 that is an input of its Principled BSDF; `form` converts the value."""
    put = f"{_SOCKET % socket} = {form}"
    return Rename("Material", name, "2.80", get=_SOCKET % socket, put=put, node="Principled BSDF", loses=loses)


def _of_mesh(owner: str, name: str, since: str, layer: str, kind: str, domain: str) -> Rename:
    """A value of a vertex, an edge or a face that is an attribute of their mesh."""
    data = f'({{owner}}.id_data.attributes.get("{layer}") or '
    data += f'{{owner}}.id_data.attributes.new("{layer}", "{kind}", "{domain}")).data[{{owner}}.index].value'
    return Rename(owner, name, since, get=data, put=f"{data} = {{value}}")


def _of_layers(part: str, name: str, layer: str) -> list[Rename]:
    """A layer of a mesh under work that had a name of its own, and is one of numbers."""
    new = f'({{owner}}.float.get("{layer}") or {{owner}}.float.new("{layer}"))'
    calls = [Rename(f"BMLayerAccess{part}", f"{name}.{way}", "4.0", call=new) for way in ("verify", "new", "get")]
    return [*calls, Rename(f"BMLayerAccess{part}", f"{name}.active", "4.0", get=new)]


ATTRIBUTES: tuple[Rename, ...] = (
    Rename("Scene", "node_tree", "5.0", get="{owner}.compositing_node_group", first=_ENSURE),
    Rename("Scene", "update", "2.80", call="bpy.context.view_layer.update()"),
    Rename("Scene", "layers", "2.80", gone=True, says=_LAYERS),
    Rename("Object", "layers", "2.80", gone=True, says=_LAYERS),
    Rename("Light", "layers", "2.80", gone=True, says=_LAYERS),
    Rename("ViewLayer", "layers", "2.80", gone=True, says=_LAYERS),
    Rename("Scene", "objects.active", "2.80", get="bpy.context.view_layer.objects.active"),
    Rename("Object", "select", "2.80", get="{owner}.select_get()", put="{owner}.select_set({value})"),
    Rename("Object", "hide", "2.80", get="{owner}.hide_viewport"),
    Rename("Object", "show_x_ray", "2.80", get="{owner}.show_in_front"),
    Rename("Object", "is_visible", "2.80", call="{owner}.visible_get()"),
    Rename("Object", "draw_type", "2.80", get="{owner}.display_type"),
    Rename("Object", "rotation", "", get="{owner}.rotation_euler"),
    Rename("Object", "users_group", "2.80", get="{owner}.users_collection"),
    Rename("Object", "object", "2.80", get="{owner}"),
    Rename("Object", "is_duplicator", "2.80", get="{owner}.is_instancer"),
    Rename("Object", "pose_library", "3.5", gone=True, loses="the library of poses"),
    Rename("Object", "grease_pencil", "2.80", gone=True, loses="the annotation"),
    Rename("Scene", "grease_pencil", "5.0", gone=True, loses="the annotation"),
    Rename("Scene", "use_frame_drop", "2.80", gone=True, says="nothing is lost"),
    Rename("Scene", "collada_export", "5.0", gone=True, loses="the export"),
    Rename("Scene", "alembic_export", "5.0", gone=True, loses="the export"),
    Rename("BlendData", "grease_pencil", "2.80", get="{owner}.grease_pencils"),
    Rename("Object", "dm_info", "2.80", gone=True, says="nothing is lost"),
    Rename("Object", "cycles_visibility.camera", "3.0", get="{owner}.visible_camera"),
    Rename("Object", "cycles_visibility.diffuse", "3.0", get="{owner}.visible_diffuse"),
    Rename("Object", "cycles_visibility.glossy", "3.0", get="{owner}.visible_glossy"),
    Rename("Object", "cycles_visibility.transmission", "3.0", get="{owner}.visible_transmission"),
    Rename("Object", "cycles_visibility.scatter", "3.0", get="{owner}.visible_volume_scatter"),
    Rename("Object", "cycles_visibility.shadow", "3.0", get="{owner}.visible_shadow"),
    Rename("Object", "face_maps", "4.0", gone=True, loses="the face maps: use an integer attribute of the faces"),
    Rename("Object", "proxy", "3.0", gone=True, loses="the proxy: use library overrides"),
    Rename("SceneObjects", "active", "2.80", get="bpy.context.view_layer.objects.active"),
    Rename("SceneObjects", "unlink", "2.80", line="for c in list({args}.users_collection): c.objects.unlink({args})"),
    Rename("Context", "user_preferences", "2.80", get="{owner}.preferences"),
    Rename("Context", "selected_bases", "2.80", get="{owner}.selected_objects"),
    Rename("Context", "scene.render_layers", "2.80", get="{owner}.scene.view_layers"),
    Rename("Scene", "object_bases", "2.80", get="{owner}.objects"),
    Rename("Scene", "orientations", "2.80", gone=True),
    Rename("ViewLayers", "active", "2.80", get="bpy.context.view_layer"),
    Rename("ViewLayer", "use_zmask", "2.80", gone=True),
    Rename("ViewLayer", "use_edge_enhance", "2.80", gone=True, loses="drawn edges: use Freestyle"),
    Rename("ViewLayer", "use_all_z", "2.80", gone=True),
    Rename("ViewLayer", "use_halo", "2.80", gone=True, loses="halos"),
    Rename("ViewLayer", "use_pass_color", "2.80", get="{owner}.use_pass_diffuse_color"),
    Rename("ViewLayer", "use_pass_diffuse", "2.80", get="{owner}.use_pass_diffuse_direct"),
    Rename("ViewLayer", "use_pass_specular", "2.80", get="{owner}.use_pass_glossy_direct"),
    Rename("ViewLayer", "use_pass_reflection", "2.80", get="{owner}.use_pass_glossy_indirect"),
    Rename("ViewLayer", "use_pass_refraction", "2.80", get="{owner}.use_pass_transmission_direct"),
    Rename("module", "clock", "", get="{owner}.perf_counter"),
    # meshes
    Rename("Mesh", "use_auto_smooth", "4.1", put="if {value}: {owner}.set_sharp_from_angle(angle=0.5236)"),
    Rename("Mesh", "auto_smooth_angle", "4.1", put="{owner}.set_sharp_from_angle(angle={value})"),
    Rename("Mesh", "calc_normals", "4.0", gone=True, says="normals are computed when they are asked for"),
    Rename("Mesh", "calc_normals_split", "4.1", gone=True, says="normals are computed when they are asked for"),
    Rename("Mesh", "calc_tessface", "2.80", call="{owner}.calc_loop_triangles()"),
    Rename("Mesh", "faces", "2.63", get="{owner}.polygons"),
    Rename("Mesh", "uv_textures", "2.80", get="{owner}.uv_layers"),
    Rename("Mesh", "tessfaces", "2.80", get="{owner}.loop_triangles", first="{owner}.calc_loop_triangles()"),
    Rename("Mesh", "tessface_uv_textures", "2.80", get="{owner}.uv_layers"),
    Rename("Mesh", "sculpt_vertex_colors", "3.2", get="{owner}.color_attributes"),
    Rename("Mesh", "use_customdata_edge_crease", "4.0", gone=True, says="nothing is lost"),
    Rename("Mesh", "use_customdata_edge_bevel", "4.0", gone=True, says="nothing is lost"),
    Rename("Mesh", "use_customdata_vertex_bevel", "4.0", gone=True, says="nothing is lost"),
    Rename("Mesh", "use_sculpt_vertex_colors", "3.2", gone=True, says="nothing is lost"),
    _of_mesh("MeshEdge", "crease", "4.0", "crease_edge", "FLOAT", "EDGE"),
    _of_mesh("MeshEdge", "bevel_weight", "4.0", "bevel_weight_edge", "FLOAT", "EDGE"),
    _of_mesh("MeshVertex", "bevel_weight", "4.0", "bevel_weight_vert", "FLOAT", "POINT"),
    _of_mesh("MeshEdge", "use_freestyle_mark", "5.0", "freestyle_edge", "BOOLEAN", "EDGE"),
    _of_mesh("MeshPolygon", "use_freestyle_mark", "5.0", "freestyle_face", "BOOLEAN", "FACE"),
    *_of_layers("Edge", "crease", "crease_edge"),
    *_of_layers("Edge", "bevel_weight", "bevel_weight_edge"),
    *_of_layers("Vert", "crease", "crease_vert"),
    *_of_layers("Vert", "bevel_weight", "bevel_weight_vert"),
    Rename("MeshVertex", "position", "", get="{owner}.co"),
    Rename("BMVertSeq", "add", "", get="{owner}.new"),
    Rename("BMEdgeSeq", "add", "", get="{owner}.new"),
    Rename("BMFaceSeq", "add", "", get="{owner}.new"),
    # collections
    Rename("CollectionObjects", "append", "", get="{owner}.link"),
    Rename("CollectionObjects", "add", "", get="{owner}.link"),
    Rename("CollectionObjects", "remove", "", get="{owner}.unlink"),
    Rename("CollectionChildren", "remove", "", get="{owner}.unlink"),
    Rename("CollectionChildren", "append", "", get="{owner}.link"),
    Rename("CollectionChildren", "add", "", get="{owner}.link"),
    Rename("Collection", "dupli_offset", "2.80", get="{owner}.instance_offset"),
    Rename("Collection", "layers", "2.80", gone=True, says=_LAYERS),
    Rename("BlendDataImages", "is_updated", "2.80", gone=True),
    # cameras and curves
    Rename("Camera", "dof_distance", "2.80", get="{owner}.dof.focus_distance", first="{owner}.dof.use_dof = True"),
    Rename("Camera", "dof_object", "2.80", get="{owner}.dof.focus_object", first="{owner}.dof.use_dof = True"),
    Rename("Camera", "gpu_dof.fstop", "2.80", get="{owner}.dof.aperture_fstop"),
    Rename("Camera", "gpu_dof.blades", "2.80", get="{owner}.dof.aperture_blades"),
    Rename("Camera", "gpu_dof.use_high_quality", "2.80", gone=True, says="nothing is lost"),
    Rename(
        "Camera", "cycles.aperture_fstop", "2.80", get="{owner}.dof.aperture_fstop", first="{owner}.dof.use_dof = True"
    ),
    Rename(
        "Camera",
        "cycles.aperture_size",
        "2.80",
        put="{owner}.dof.use_dof = True; {owner}.dof.aperture_fstop = {owner}.lens / (2000 * ({value}))",
    ),
    Rename("Camera", "cycles.aperture_blades", "2.80", get="{owner}.dof.aperture_blades"),
    Rename("Camera", "cycles.aperture_rotation", "2.80", get="{owner}.dof.aperture_rotation"),
    Rename("Camera", "cycles.aperture_ratio", "2.80", get="{owner}.dof.aperture_ratio"),
    Rename("Camera", "cycles.aperture_type", "2.80", gone=True, says="nothing is lost"),
    Rename("Camera", "cycles.panorama_type", "4.0", get="{owner}.panorama_type"),
    Rename("Camera", "cycles.fisheye_fov", "4.0", get="{owner}.fisheye_fov"),
    Rename("Camera", "cycles.fisheye_lens", "4.0", get="{owner}.fisheye_lens"),
    Rename("Camera", "use_dof", "", get="{owner}.dof.use_dof"),
    Rename("Camera", "focal_length", "", get="{owner}.lens"),
    Rename("Camera", "show_guide", "2.80", gone=True, says="nothing is lost"),
    Rename("TextCurve", "align", "2.78", get="{owner}.align_x"),
    Rename("Curve", "use_uv_as_generated", "3.0", gone=True, says="nothing is lost"),
    Rename("Curve", "use_fill_deform", "2.80", gone=True, says="nothing is lost"),
    Rename("Curve", "show_handles", "2.80", gone=True, says="nothing is lost"),
    Rename("Curve", "show_normal_face", "2.80", gone=True, says="nothing is lost"),
    Rename("BezierSplinePoint", "position", "", get="{owner}.co"),
    Rename("SplinePoint", "position", "", get="{owner}.co"),
    # shader nodes
    Rename("ShaderNodeTexNoise", "musgrave_type", "4.1", get="{owner}.noise_type"),
    Rename("ShaderNodeTexNoise", "musgrave_dimensions", "4.1", get="{owner}.noise_dimensions"),
    Rename(
        "ShaderNodeTexImage",
        "color_space",
        "2.80",
        put='if {owner}.image: {owner}.image.colorspace_settings.name = "Non-Color" if {value} == "NONE" else "sRGB"',
    ),
    Rename(
        "ShaderNodeTexEnvironment",
        "color_space",
        "2.80",
        put='if {owner}.image: {owner}.image.colorspace_settings.name = "Non-Color" if {value} == "NONE" else "sRGB"',
    ),
    Rename(
        "ShaderNodeTexVoronoi",
        "coloring",
        "2.81",
        gone=True,
        loses="the coloring of the cells: the outputs Distance and Color are the two kinds",
    ),
    Rename("ShaderNodeMapping", "translation", "2.81", get='{owner}.inputs["Location"].default_value'),
    Rename("PreferencesSystem", "compute_device_type", "2.80", gone=True, says="nothing is lost"),
    Rename("ShaderNodeMapping", "use_min", "2.81", gone=True, loses="the limit of the mapping"),
    Rename("ShaderNodeMapping", "use_max", "2.81", gone=True, loses="the limit of the mapping"),
    Rename("ShaderNodeMixRGB", "use_clamp_result", "", get="{owner}.use_clamp"),
    Rename("ShaderNodeMix", "use_clamp", "", get="{owner}.clamp_result"),
    Rename("ShaderNodeTexSky", "dust_density", "5.0", get="{owner}.aerosol_density"),
    Rename("Image", "use_alpha", "2.80", put='{owner}.alpha_mode = "STRAIGHT" if {value} else "NONE"'),
    Rename("Image", "use_color_unpremultiply", "2.80", gone=True, says="nothing is lost"),
    Rename("ImageTexture", "use_alpha_premul", "2.80", gone=True, says="nothing is lost"),
    # what 2.79 said of a material is an input of its shader; what has no input comes further down
    _shader("alpha", "Alpha"),
    Rename(
        "Material",
        "emit",
        "2.80",
        put=f"{_SOCKET % 'Emission Color'} = {{owner}}.diffuse_color; {_SOCKET % 'Emission Strength'} = {{value}}",
        node="Principled BSDF",
    ),
    Rename(
        "Material",
        "use_shadeless",
        "2.80",
        put=f"{_SOCKET % 'Emission Color'} = {{owner}}.diffuse_color; "
        f"{_SOCKET % 'Emission Strength'} = float({{value}})",
        node="Principled BSDF",
        loses="shadeless: it glows in its color, and light still falls on it",
    ),
    _shader("specular_hardness", "Roughness", "(2 / (({value}) + 2)) ** 0.25"),
    _shader("specular_alpha", "Alpha", "{value}"),
    _shader("raytrace_mirror.reflect_factor", "Metallic", loses="the mirror of 2.79: metal is the nearest"),
    Rename(
        "Material",
        "raytrace_mirror.gloss_factor",
        "2.80",
        put=f"{_SOCKET % 'Roughness'} = 1 - ({{value}})",
        node="Principled BSDF",
    ),
    _shader("raytrace_transparency.ior", "IOR"),
    Rename(
        "Material",
        "raytrace_transparency.gloss_factor",
        "2.80",
        put=f"{_SOCKET % 'Roughness'} = 1 - ({{value}})",
        node="Principled BSDF",
    ),
    _shader("subsurface_scattering.ior", "Subsurface IOR"),
    Rename(
        "Material",
        "subsurface_scattering.use",
        "2.80",
        put=f"{_SOCKET % 'Subsurface Weight'} = float({{value}})",
        node="Principled BSDF",
    ),
    _shader("subsurface_scattering.scale", "Subsurface Scale"),
    _shader("subsurface_scattering.radius", "Subsurface Radius"),
    Rename("Material", "use_transparency", "2.80", gone=True, says="the input Alpha says it"),
    Rename("Material", "diffuse_ramp", "2.80", gone=True, loses=_RAMPS),
    Rename("Material", "specular_ramp", "2.80", gone=True, loses=_RAMPS),
    Rename("Material", "texture_slots", "2.80", gone=True, loses=_TEXTURES),
    Rename("Material", "active_texture", "2.80", gone=True, loses=_TEXTURES),
    Rename("World", "texture_slots", "2.80", gone=True, loses=_TEXTURES),
    Rename("World", "active_texture", "2.80", gone=True, loses=_TEXTURES),
    Rename("Light", "texture_slots", "2.80", gone=True, loses=_TEXTURES),
    # light
    Rename("BlendData", "lamps", "2.80", get="{owner}.lights"),
    Rename(
        "Light", "falloff_type", "4.0", gone=True, loses="the falloff: light falls off with the square of the distance"
    ),
    Rename(
        "Light", "distance", "2.80", gone=True, loses="the falloff: light falls off with the square of the distance"
    ),
    Rename("Light", "shadow_color", "4.2", gone=True, loses="the color of shadows"),
    Rename("Light", "shadow_ray_samples", "2.80", gone=True, says="nothing is lost"),
    Rename("Light", "use_square", "2.80", gone=True, loses="the square of the spot"),
    Rename("Light", "use_halo", "2.80", gone=True, loses="the beam: a volume in the world shows one"),
    Rename("Light", "use_negative", "2.80", gone=True, loses="negative light"),
    Rename("Light", "gamma", "2.80", gone=True, says="nothing is lost"),
    Rename(
        "World",
        "horizon_color",
        "2.80",
        get="{owner}.color",
        put="{owner}.color = {value}; "
        '{owner}.node_tree.nodes["Background"].inputs["Color"].default_value = (*{owner}.color, 1.0)',
        node="Background",
    ),
    Rename("World", "horizon_color", "2.80", get="{owner}.color"),
    Rename(
        "WorldLighting",
        "environment_energy",
        "2.80",
        put='{owner}.id_data.node_tree.nodes["Background"].inputs["Strength"].default_value = {value}',
        node="Background",
    ),
    Rename(
        "World",
        "zenith_color",
        "2.80",
        gone=True,
        loses="the gradient of the sky: link a gradient texture to the Background",
    ),
    Rename("World", "ambient_color", "2.80", gone=True, loses="ambient light: the Background gives it"),
    Rename(
        "World",
        "exposure",
        "2.80",
        get="bpy.context.scene.view_settings.exposure",
        put="bpy.context.scene.view_settings.exposure = {value}",
    ),
    Rename("World", "star_settings", "2.69", gone=True, loses="stars"),
    # render settings
    Rename("RenderSettings", "layers", "2.80", get="bpy.context.scene.view_layers"),
    Rename("RenderSettings", "alpha_mode", "2.80", put='{owner}.film_transparent = {value} == "TRANSPARENT"'),
    Rename("RenderSettings", "file_format", "2.62", get="{owner}.image_settings.file_format"),
    Rename("RenderSettings", "color_mode", "2.62", get="{owner}.image_settings.color_mode"),
    Rename("RenderSettings", "file_quality", "2.62", get="{owner}.image_settings.quality"),
    Rename(
        "RenderSettings",
        "bake_type",
        "2.80",
        gone=True,
        loses="the kind of baking: bpy.ops.object.bake(type=…) says it",
    ),
    Rename("RenderSettings", "use_game_engine", "2.80", gone=True, says="nothing is lost"),
    Rename("RenderSettings", "use_freestyle_as_render_pass", "2.80", gone=True),
    Rename(
        "RenderSettings", "use_edge_enhance", "2.80", gone=True, loses="drawn edges: use_freestyle = True draws them"
    ),
    Rename("CyclesRenderSettings", "film_transparent", "2.80", get="bpy.context.scene.render.film_transparent"),
    Rename("CyclesRenderSettings", "use_adaptive_subdivision", "5.0", gone=True),
    Rename(
        "CyclesRenderSettings",
        "no_caustics",
        "2.72",
        put="{owner}.caustics_reflective = {owner}.caustics_refractive = not ({value})",
    ),
    Rename("CyclesRenderSettings", "motion_blur_position", "3.0", get="bpy.context.scene.render.motion_blur_position"),
    Rename(
        "SceneEEVEE",
        "use_bloom",
        "4.2",
        gone=True,
        loses="the glow around bright parts: a Glare node of the compositor makes it",
    ),
    Rename("SceneEEVEE", "use_volumetric", "2.80", gone=True, says="nothing is lost"),
    Rename("SceneEEVEE", "motion_blur_samples", "2.90", get="{owner}.motion_blur_steps"),
    Rename("SceneEEVEE", "use_motion_blur", "4.2", get="bpy.context.scene.render.use_motion_blur"),
    Rename("SceneEEVEE", "motion_blur_shutter", "4.2", get="bpy.context.scene.render.motion_blur_shutter"),
    Rename("SceneEEVEE", "use_gtao", "4.2", gone=True, loses="ambient occlusion: use_raytracing is the nearest"),
    Rename("SceneEEVEE", "use_ssr", "4.2", get="{owner}.use_raytracing"),
    # modifiers, physics and the rest
    Rename("SubsurfModifier", "use_subsurf_uv", "2.80", gone=True, says="nothing is lost"),
    Rename("SubsurfModifier", "use_opensubdiv", "2.80", gone=True, says="nothing is lost"),
    Rename("BevelModifier", "use_only_vertices", "2.90", put="{owner}.affect = 'VERTICES' if {value} else 'EDGES'"),
    Rename(
        "BevelModifier",
        "use_custom_profile",
        "2.90",
        put="{owner}.profile_type = 'CUSTOM' if {value} else 'SUPERELLIPSE'",
    ),
    Rename("BevelModifier", "edge_weight_method", "2.80", gone=True),
    Rename("MirrorModifier", "use_x", "2.80", put="{owner}.use_axis[0] = {value}"),
    Rename("MirrorModifier", "use_y", "2.80", put="{owner}.use_axis[1] = {value}"),
    Rename("MirrorModifier", "use_z", "2.80", put="{owner}.use_axis[2] = {value}"),
    Rename("ParticleSettings", "regrow_hair", "2.80", gone=True),
    Rename(
        "ParticleSettings",
        "use_render_emitter",
        "2.80",
        gone=True,
        loses="whether the emitter shows: set Object.show_instancer_for_render",
    ),
    Rename("ParticleSettings", "draw_percentage", "2.80", get="{owner}.display_percentage"),
    Rename("ParticleSettings", "cycles.shape", "2.80", get="{owner}.shape"),
    Rename("ParticleSettings", "cycles.root_width", "2.80", get="{owner}.root_radius"),
    Rename("ParticleSettings", "cycles.tip_width", "2.80", get="{owner}.tip_radius"),
    Rename("RigidBodyWorld", "group", "2.80", get="{owner}.collection"),
    Rename(
        "RigidBodyWorld",
        "steps_per_second",
        "2.91",
        get="{owner}.substeps_per_frame",
        put="{owner}.substeps_per_frame = max(1, round(({value}) / bpy.context.scene.render.fps))",
    ),
    Rename("Bone", "select", "5.0", gone=True, says="PoseBone.select says it"),
    Rename("BlendData", "grease_pencils_v3", "5.0", get="{owner}.grease_pencils"),
    Rename("Brush", "curve_preset", "5.0", get="{owner}.curve_distance_falloff_preset"),
    Rename("Object", "grease_pencil_modifiers", "4.3", get="{owner}.modifiers"),
    Rename("Brush", "sculpt_tool", "5.0", get="{owner}.sculpt_brush_type"),
    Rename("TextStrip", "align_x", "4.4", get="{owner}.anchor_x"),
    Rename("TextStrip", "align_y", "4.4", get="{owner}.anchor_y"),
    Rename("BMLoopUV", "select", "5.0", gone=True, loses="the selection of UVs"),
    Rename("BMLoopUV", "select_edge", "5.0", gone=True, loses="the selection of UVs"),
    Rename("GreasePencilLayer", "info", "4.3", get="{owner}.name"),
    Rename("GreasePencilLayer", "line_change", "4.3", gone=True, loses="the change of the lines' width"),
    Rename("GreasePencilLayer", "thickness", "4.3", gone=True, loses="the change of the lines' width"),
    Rename(
        "GreasePencilFrame",
        "strokes.new",
        "4.3",
        call="({owner}.drawing.add_strokes([0]), {owner}.drawing.strokes[-1])[1]",
    ),
    Rename("GreasePencilFrame", "strokes", "4.3", get="{owner}.drawing.strokes"),
    Rename("GreasePencilStrokePointSlice", "add", "4.3", call="{outer}.add_points({args})"),
    Rename("GreasePencilStrokePoint", "co", "4.3", get="{owner}.position"),
    Rename("GreasePencilStrokePoint", "pressure", "4.3", put="{owner}.radius = 0.01 * ({value})"),
    Rename("GreasePencilStrokePoint", "strength", "4.3", get="{owner}.opacity"),
    Rename(
        "GreasePencilStroke", "line_width", "4.3", gone=True, loses="the width of the line: set radius of its points"
    ),
    Rename("GreasePencilStroke", "display_mode", "4.3", gone=True, says="nothing is lost"),
    Rename("GreasePencilStroke", "use_cyclic", "4.3", get="{owner}.cyclic"),
    Rename("Armature", "draw_type", "2.80", get="{owner}.display_type"),
    Rename("Armature", "layers", "4.0", gone=True, loses="the layers of bones: bone collections took their place"),
    Rename("Bone", "layers", "4.0", gone=True, loses="the layers of bones: bone collections took their place"),
    Rename("EditBone", "layers", "4.0", gone=True, loses="the layers of bones: bone collections took their place"),
    Rename("PoseBone", "bone_group", "4.0", gone=True, loses="the groups of bones: bone collections took their place"),
    Rename("Pose", "bone_groups", "4.0", gone=True, loses="the groups of bones: bone collections took their place"),
    Rename("EditBone", "use_inherit_scale", "4.0", put="{owner}.inherit_scale = 'FULL' if {value} else 'NONE'"),
    Rename("ToolSettings", "normal_size", "2.80", gone=True, says="nothing is lost"),
    Rename(
        "ToolSettings",
        "proportional_edit",
        "2.80",
        put="{owner}.use_proportional_edit = {value} != 'DISABLED'",
    ),
    Rename("ToolSettings", "snap_element", "2.80", put="{owner}.snap_elements = {{value}}"),
    Rename("ToolSettings", "unified_paint_settings", "5.0", gone=True, loses="settings of brushes"),
    Rename("Light", "use_specular", "2.80", put="{owner}.specular_factor = float({value})"),
    Rename("Light", "use_diffuse", "2.80", put="{owner}.diffuse_factor = float({value})"),
    Rename("CyclesLightSettings", "cast_shadow", "5.0", get="{owner}.id_data.use_shadow"),
    Rename(
        "CyclesMaterialSettings",
        "sample_as_light",
        "3.5",
        put="{owner}.emission_sampling = 'AUTO' if {value} else 'NONE'",
    ),
    Rename("CyclesMaterialSettings", "use_transparent_shadow", "4.2", get="{owner}.id_data.use_transparent_shadow"),
    Rename("WorldLighting", "use_ambient_occlusion", "2.80", gone=True, loses="ambient occlusion: light gives it"),
    Rename("ParticleSettings", "child_nbr", "2.80", get="{owner}.child_percent"),
    Rename("CyclesCurveSettings", "use_closetip", "2.80", get="{owner}.id_data.use_close_tip"),
    Rename("ParticleSettings", "cycles.use_closetip", "2.80", get="{owner}.use_close_tip"),
    *(
        Rename("ClothSettings", old, "2.80", put=f"{{owner}}.{a} = {{owner}}.{b} = {{value}}")
        for old, a, b in (
            ("structural_stiffness", "tension_stiffness", "compression_stiffness"),
            ("structural_stiffness_max", "tension_stiffness_max", "compression_stiffness_max"),
            ("spring_damping", "tension_damping", "compression_damping"),
        )
    ),
    Rename("ClothSettings", "vel_damping", "2.80", gone=True, loses="damping by speed"),
    Rename("ClothSettings", "use_pin_cloth", "2.80", gone=True, says="a vertex group pins"),
    Rename("ClothSettings", "use_stiffness_scale", "2.80", gone=True, says="nothing is lost"),
    Rename(
        "ShrinkwrapModifier",
        "use_keep_above_surface",
        "2.80",
        put="if {value}: {owner}.wrap_mode = 'ABOVE_SURFACE'",
    ),
    Rename("FluidModifier", "smoke_type", "2.82", get="{owner}.fluid_type"),
    Rename("FluidModifier", "settings.type", "2.82", get="{owner}.fluid_type"),
    Rename("FluidModifier", "settings.resolution", "2.82", get="{owner}.domain_settings.resolution_max"),
    Rename("FluidModifier", "settings", "2.82", gone=True, loses="settings of the fluid"),
    Rename("FluidModifier", "coll_settings", "2.82", get="{owner}.effector_settings"),
    Rename("FluidFlowSettings", "smoke_flow_type", "2.82", get="{owner}.flow_type"),
    Rename("FluidFlowSettings", "smoke_flow_source", "2.82", get="{owner}.flow_source"),
    Rename("FluidDomainSettings", "use_high_resolution", "2.82", get="{owner}.use_noise"),
    Rename("FluidDomainSettings", "amplify", "2.82", get="{owner}.noise_scale"),
    Rename("PoseBone", "custom_shape_scale", "3.0", put="{owner}.custom_shape_scale_xyz = ({value},) * 3"),
    *(
        Rename(bone, name, "2.8", get=f"{{owner}}.{new}")
        for bone in ("Bone", "EditBone", "PoseBone")
        for name, new in (
            ("bbone_curveiny", "bbone_curveinz"),
            ("bbone_curveouty", "bbone_curveoutz"),
            ("bbone_scaleinx", "bbone_scalein[0]"),
            ("bbone_scaleiny", "bbone_scalein[1]"),
            ("bbone_scaleoutx", "bbone_scaleout[0]"),
            ("bbone_scaleouty", "bbone_scaleout[1]"),
            ("bbone_in", "bbone_easein"),
            ("bbone_out", "bbone_easeout"),
        )
    ),
    Rename("Bone", "use_inherit_scale", "4.0", put="{owner}.inherit_scale = 'FULL' if {value} else 'NONE'"),
    Rename("ShaderNodeTexCoord", "from_dupli", "2.80", get="{owner}.from_instancer"),
    Rename("ShaderNodeUVMap", "from_dupli", "2.80", get="{owner}.from_instancer"),
    *(
        Rename(node, old, "5.0", get=f'{{owner}}.inputs["{socket}"].default_value[{axis}]')
        for node in ("CompositorNodeEllipseMask", "CompositorNodeBoxMask")
        for old, socket, axis in (
            ("x", "Position", 0),
            ("y", "Position", 1),
            ("mask_width", "Size", 0),
            ("mask_height", "Size", 1),
        )
    ),
    Rename(
        "CompositorNodeEllipseMask",
        "mask_type",
        "5.0",
        put='{owner}.inputs["Operation"].default_value = {value}.title()',
    ),
    Rename(
        "CompositorNodeBoxMask", "mask_type", "5.0", put='{owner}.inputs["Operation"].default_value = {value}.title()'
    ),
    Rename(
        "CompositorNodeColorBalance",
        "correction_method",
        "5.0",
        put='{owner}.inputs["Type"].default_value = '
        '{"LIFT_GAMMA_GAIN": "Lift/Gamma/Gain", "OFFSET_POWER_SLOPE": "Offset/Power/Slope (ASC-CDL)"}'
        '.get({value}, "White Point")',
    ),
    *(
        Rename(
            "CompositorNodeColorBalance",
            name,
            "5.0",
            get=f"{{owner}}.inputs[{number}].default_value",
            put=f"{{owner}}.inputs[{number}].default_value = (*({{value}})[:3], 1.0)",
        )
        for name, number in (("lift", 4), ("gamma", 6), ("gain", 8), ("offset", 10), ("power", 12), ("slope", 14))
    ),
    Rename("CompositorNodeColorBalance", "offset_basis", "5.0", get="{owner}.inputs[9].default_value"),
    *(
        Rename(
            "CompositorNodeColorCorrection",
            f"{part}_{name}",
            "5.0",
            get=f"{{owner}}.inputs[{2 + 5 * place + of}].default_value",
        )
        for place, part in enumerate(("master", "highlights", "midtones", "shadows"))
        for of, name in enumerate(("saturation", "contrast", "gamma", "gain", "lift"))
    ),
    Rename(
        "CompositorNodeGlare",
        "size",
        "5.0",
        get='{owner}.inputs["Size"].default_value',
        put='{owner}.inputs["Size"].default_value = 2.0 ** (({value}) - 9)',
    ),
    Rename(
        "CompositorNodeGlare",
        "mix",
        "5.0",
        get='{owner}.inputs["Strength"].default_value',
        put='{owner}.inputs["Strength"].default_value = min(1.0, 1.0 + ({value}))',
    ),
    Rename("CompositorNodeGlare", "angle_offset", "5.0", get='{owner}.inputs["Streaks Angle"].default_value'),
    Rename(
        "CompositorNodeScale",
        "space",
        "5.0",
        put='{owner}.inputs["Type"].default_value = {value}.replace("_", " ").title()',
    ),
    Rename(
        "CompositorNodeFlip",
        "axis",
        "5.0",
        put='{owner}.inputs["Flip X"].default_value = "X" in {value}; '
        '{owner}.inputs["Flip Y"].default_value = "Y" in {value}',
    ),
    Rename(
        "CompositorNodeSetAlpha",
        "mode",
        "5.0",
        put='{owner}.inputs["Type"].default_value = "Apply Mask" if {value} == "APPLY" else "Replace Alpha"',
    ),
    Rename(
        "CompositorNodeDilateErode",
        "mode",
        "5.0",
        put='{owner}.inputs["Type"].default_value = {"STEP": "Steps"}.get({value}, {value}.title())',
    ),
    Rename("CompositorNodeDilateErode", "distance", "5.0", get='{owner}.inputs["Size"].default_value'),
    Rename("CompositorNodeIDMask", "use_antialiasing", "5.0", get='{owner}.inputs["Anti-Alias"].default_value'),
    Rename("CompositorNodeDenoise", "use_hdr", "5.0", get='{owner}.inputs["HDR"].default_value'),
    Rename("CompositorNodeVecBlur", "factor", "5.0", get='{owner}.inputs["Shutter"].default_value'),
    Rename("CompositorNodeOutputFile", "base_path", "5.0", get="{owner}.directory"),
    Rename("CompositorNodeOutputFile", "file_slots.new", "5.0", call='{owner}.file_output_items.new("RGBA", {args})'),
    Rename("CompositorNodeOutputFile", "file_slots.clear", "5.0", call="{owner}.file_output_items.clear()"),
    Rename("CompositorNodeOutputFile", "file_slots", "5.0", gone=True, loses="the names of the files"),
    Rename("CompositorNodeOutputFile", "layer_slots", "5.0", gone=True, loses="the names of the layers"),
    Rename("ShaderNodeMapRange", "offset", "5.0", put='{owner}.inputs["From Min"].default_value = -({value})[0]'),
    Rename(
        "ShaderNodeMapRange",
        "size",
        "5.0",
        put='{owner}.inputs["From Max"].default_value = {owner}.inputs["From Min"].default_value + 1 / ({value})[0]',
    ),
    Rename(
        "GeometryNodeCaptureAttribute",
        "data_type",
        "4.2",
        put='{owner}.capture_items.new({"FLOAT_VECTOR": "VECTOR", "FLOAT_COLOR": "RGBA"}.get({value}, {value}), '
        '"Value")',
    ),
    Rename(
        "GeometryNodeRaycast", "mapping", "5.0", put='{owner}.inputs["Interpolation"].default_value = {value}.title()'
    ),
    *(Rename("LightProbe", f"grid_resolution_{a}", "4.1", get=f"{{owner}}.resolution_{a}") for a in "xyz"),
    Rename("Action", "id_root", "5.0", gone=True, says="nothing is lost"),
    Rename("GreasePencilStroke", "start_cap_mode", "4.3", put="{owner}.start_cap = int({value} == 'FLAT')"),
    Rename("GreasePencilStroke", "end_cap_mode", "4.3", put="{owner}.end_cap = int({value} == 'FLAT')"),
    Rename("GreasePencilStroke", "hardness", "4.3", put="{owner}.softness = 1.0 - ({value})"),
    Rename("GreasePencilStroke", "vertex_color_fill", "4.3", get="{owner}.fill_color"),
    Rename("GreasePencilStroke", "draw_mode", "2.80", gone=True, says="nothing is lost"),
    Rename("bpy.app.handlers", "scene_update_post", "2.80", get="{owner}.depsgraph_update_post"),
    Rename("bpy.app.handlers", "scene_update_pre", "2.80", get="{owner}.depsgraph_update_pre"),
    Rename(
        "module", "register_module", "2.80", gone=True, loses="classes of the script: register each by register_class"
    ),
    Rename("module", "unregister_module", "2.80", gone=True, says="nothing is lost"),
    *(
        Rename("module", f"types.{old}", "2.80", get=f"'{new}'")
        for old, new in (
            ("BLENDER", "BLENDER"),
            ("STDPERLIN", "PERLIN_ORIGINAL"),
            ("NEWPERLIN", "PERLIN_NEW"),
            ("CELLNOISE", "CELLNOISE"),
            *((f"VORONOI_{n}", f"VORONOI_{n}") for n in ("F1", "F2", "F3", "F4", "F2F1", "CRACKLE")),
        )
    ),
    Rename("UnifiedPaintSettings", "use_pressure_size", "5.0", gone=True, says="nothing is lost"),
)
"""By the type that the attribute was asked of, or one that this is made from. `a.b` is `b` of `a`, where that was part
of the same thing. Sources: the change logs of Blender's Python API, 2.80 to 5.0, and its release notes."""

GONE = tuple(
    Rename(owner, name, since, gone=True, says="" if loses else "nothing is lost", loses=loses)
    for owner, since, loses, names in (
        ("Mesh", "4.1", "", "create_normals_split free_normals_split"),
        ("Mesh", "2.80", "", "show_double_sided show_normal_face show_normal_vertex show_edges show_faces"),
        (
            "Material",
            "2.80",
            "",
            "transparency_method diffuse_shader specular_shader ambient use_shadows use_ray_shadow_bias",
        ),
        ("Material", "2.80", "", "use_raytrace use_cubic use_mist use_sky use_tangent_shading use_vertex_color_light"),
        (
            "Material",
            "2.80",
            "",
            "shadow_ray_bias shadow_buffer_bias shadow_cast_alpha use_transparent_shadows use_cast_buffer_shadows",
        ),
        (
            "Material",
            "2.80",
            "",
            "use_full_oversampling use_cast_approximate use_ray_shadow_bias invert_z offset_z texture_limit_samples",
        ),
        (
            "Material",
            "2.80",
            "",
            "game_settings physics active_texture_index use_textures use_light_group_exclusive use_light_group_local",
        ),
        (
            "Material",
            "2.80",
            "its shading as a toon",
            "diffuse_toon_size diffuse_toon_smooth specular_toon_size specular_toon_smooth",
        ),
        (
            "Material",
            "2.80",
            "its shading",
            "specular_slope specular_ior diffuse_fresnel diffuse_fresnel_factor darkness translucency",
        ),
        ("Material", "2.80", "shadows without their object", "use_only_shadow shadow_only_type"),
        ("Material", "2.80", "shadows of the material", "use_cast_shadows use_cast_shadows_only use_shadow"),
        ("Material", "2.80", "the mirror", "raytrace_mirror mirror_color"),
        (
            "Material",
            "2.80",
            "refraction: Transmission Weight of the Principled BSDF gives it",
            "raytrace_transparency",
        ),
        ("Material", "2.80", "its subsurface scattering", "subsurface_scattering"),
        ("Material", "2.80", "halos, wires, volumes and strands of a material", "type halo volume strand"),
        (
            "Material",
            "2.80",
            "colors of vertices and objects: link their nodes to Base Color",
            "use_vertex_color_paint use_object_color use_face_texture use_face_texture_alpha",
        ),
        (
            "Material",
            "2.80",
            _RAMPS,
            "use_diffuse_ramp use_specular_ramp diffuse_ramp_blend specular_ramp_blend "
            "diffuse_ramp_input specular_ramp_input diffuse_ramp_factor specular_ramp_factor",
        ),
        ("Material", "2.80", "alpha", "alpha"),
        ("Material", "2.80", "its own light", "emit use_shadeless"),
        ("Material", "2.80", "its highlights", "specular_hardness specular_alpha"),
        ("Material", "2.80", "the share of light that it scatters: its color is taken as it is", "diffuse_intensity"),
        ("Material", "4.2", "", "shadow_method"),
        (
            "Light",
            "2.80",
            "",
            "shadow_method shadow_ray_samples_x shadow_ray_samples_y shadow_buffer_size shadow_sample_buffers",
        ),
        (
            "Light",
            "2.80",
            "",
            "shadow_adaptive_threshold shadow_ray_sample_method shadow_ray_sampling_method shadow_buffer_type",
        ),
        (
            "Light",
            "2.80",
            "",
            "shadow_filter_type shadow_sample_x shadow_sample_y use_auto_clip_start use_auto_clip_end",
        ),
        ("Light", "2.80", "", "shadow_buffer_clip_start shadow_buffer_clip_end shadow_buffer_bias shadow_buffer_soft"),
        ("Light", "2.80", "", "shadow_buffer_samples compression_threshold use_jitter use_umbra use_dither show_cone"),
        ("Light", "2.80", "", "use_own_layer use_shadow_layer use_shadow_soft_size show_shadow_box"),
        (
            "Light",
            "2.80",
            "what it lights: diffuse, specular or shadows only",
            "use_only_shadow",
        ),
        (
            "Light",
            "2.80",
            "the falloff: light falls off with the square of the distance",
            "use_sphere linear_attenuation quadratic_attenuation linear_coefficient quadratic_coefficient "
            "constant_coefficient falloff_curve",
        ),
        ("Light", "2.80", "the beam: a volume in the world shows one", "halo_intensity halo_step"),
        ("Light", "2.80", "the sky of the sun: a Sky Texture of the world makes one", "sky"),
        ("Light", "4.2", "", "use_contact_shadow contact_shadow_distance contact_shadow_bias contact_shadow_thickness"),
        ("ShaderNodeMapRange", "5.0", "limits of the values: the node clamps them", "use_min use_max min max"),
        ("World", "2.80", "the gradient of the sky", "use_sky_blend use_sky_paper use_sky_real"),
        ("World", "2.80", "", "color_range use_sky_gradient active_texture_index"),
        (
            "Object",
            "2.80",
            "",
            "game use_slow_parent slow_parent_offset",
        ),
        (
            "Object",
            "2.80",
            "",
            "lod_levels dupli_frames_off dupli_frames_on generate_gpencil_strokes use_extra_recalc_data "
            "use_extra_recalc_object layers_local_view",
        ),
        (
            "Mesh",
            "2.80",
            "",
            "show_edge_bevel_weight show_edge_crease show_edge_seams show_edge_sharp show_extra_edge_angle "
            "show_extra_edge_length show_extra_face_angle show_extra_face_area show_extra_indices "
            "show_freestyle_edge_marks show_freestyle_face_marks show_normal_loop show_statvis show_weight "
            "use_remesh_preserve_paint_mask use_remesh_preserve_sculpt_face_sets use_remesh_smooth_normals "
            "use_remesh_preserve_vertex_colors uv_texture_clone uv_texture_stencil uv_texture_clone_index "
            "uv_texture_stencil_index tessface_vertex_colors",
        ),
        (
            "Image",
            "2.80",
            "how the image is tiled or played",
            "field_order fps frame_end frame_start mapping tiles_x tiles_y use_animation use_clamp_x use_clamp_y "
            "use_fields use_tiles",
        ),
        ("ViewLayer", "2.80", "the pass", "use_pass_indirect"),
        ("ToolSettings", "2.80", "", "edge_path_live_unwrap"),
        ("GreasePencilLayer", "4.3", "its color: its materials give it", "color"),
        ("SequenceEditor", "5.0", "", "show_overlay use_overlay_lock"),
        ("Material", "2.80", "", "use_uv_project light_group active_node_material lightprobe_volume_single_sided"),
        ("Light", "4.2", "", "shadow_softness_factor shadow_trace_distance shadow_frustum_size"),
        ("Light", "2.80", "", "active_texture active_texture_index shadow_buffer_bleed_bias ge_shadow_buffer_type"),
        ("Object", "2.80", "", "use_dupli_frames_speed use_dupli_frames dupli_frames_start dupli_frames_end"),
        ("Object", "2.80", "", "dupli_list_create dupli_list_clear"),
        ("Scene", "2.80", "", "use_audio_sync active_layer game_settings"),
        ("ParticleSettings", "2.80", "", "use_simplify simplify_viewport simplify_rate"),
        ("ParticleSettings", "2.80", "", "billboard_object billboard_align"),
    )
    for name in names.split()
)
"""Attributes without replacement, and what is lost with them: setting them, or calling them, is left out."""

POWER = {"BLENDER_RENDER": ("1000", "3.14"), "CYCLES": ("100", "1")}
"""Engine of 2.79 → what the energy 1 of a lamp, and of a sun, is in watts and W/m². Blender Internal: a lamp with the
falloff distance 25 lights what is far away like 4π² · 25 ≈ 1000 W, which is what Blender's own start-up file became in
2.80; a sun like π W/m². Cycles gave lamps without nodes 100 W, and suns 1 W/m²."""

VIEWPORT = {
    "diffuse_color": "Base Color",
    "metallic": "Metallic",
    "roughness": "Roughness",
    "specular_intensity": "Specular IOR Level",
}
"""Settings of a material without nodes → inputs of the shader that 5.0 renders instead of them."""

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
    "object.group_link": ("object.collection_link", "2.80"),
    "object.hide_render_clear_all": ("", "2.80"),
    "object.dupli_offset_from_cursor": ("object.instance_offset_from_cursor", "2.80"),
    "mesh.primitive_tube_add": ("mesh.primitive_cylinder_add", "2.57"),
    "mesh.remove_double": ("mesh.remove_doubles", ""),
    "mesh.inset_faces": ("mesh.inset", ""),
    "mesh.extrude": ("mesh.extrude_region", "2.57"),
    "mesh.flip_normal": ("mesh.flip_normals", ""),
    "mesh.faces_shade_smoothed": ("mesh.faces_shade_smooth", ""),
    "object.select_name": ("", "2.62"),
    "object.forcefield_add": ("object.effector_add", "2.57"),
    "object.proxy_make": ("", "3.0"),
    "object.isolate_type_render": ("", ""),
    "object.gpencil_add": ("object.grease_pencil_add", "4.3"),
    "texture.new": ("", "5.0"),
    "lamp.new": ("", "2.80"),
    "object.bake_image": ("object.bake", "2.80"),
    "view3d.viewnumpad": ("", "2.80"),
    "view3d.layers": ("", "2.80"),
    "view3d.manipulator": ("", "2.80"),
    "group.create": ("collection.create", "2.80"),
    "group.objects_add_active": ("collection.objects_add_active", "2.80"),
    "mesh.vertex_color_add": ("geometry.color_attribute_add", "4.0"),
    "mesh.sculpt_vertex_color_add": ("geometry.color_attribute_add", "3.2"),
    "wm.addon_enable": ("preferences.addon_enable", "2.80"),
    "wm.addon_disable": ("preferences.addon_disable", "2.80"),
    "import_scene.x3d": ("", "4.2"),
    "export_scene.x3d": ("", "4.2"),
    "wm.collada_export": ("", "5.0"),
    "wm.collada_import": ("", "5.0"),
    "scene.render_layer_add": ("scene.view_layer_add", "2.80"),
    "scene.render_layer_remove": ("scene.view_layer_remove", "2.80"),
    "object.group_instance_add": ("object.collection_instance_add", "2.80"),
    "object.group_remove": ("object.collection_remove", "2.80"),
    "object.group_unlink": ("object.collection_unlink", "2.80"),
    "group.objects_remove": ("collection.objects_remove", "2.80"),
    "group.objects_remove_all": ("collection.objects_remove_all", "2.80"),
    "object.gpencil_modifier_add": ("object.modifier_add", "4.3"),
    "object.gpencil_modifier_apply": ("object.modifier_apply", "4.3"),
    "object.gpencil_modifier_remove": ("object.modifier_remove", "4.3"),
    "object.hair_add": ("object.curves_empty_hair_add", "3.3"),
    "object.quick_fluid": ("object.quick_liquid", "2.82"),
    "object.paths_range_update": ("object.paths_update", "3.3"),
    "mesh.vertex_color_remove": ("geometry.color_attribute_remove", "4.0"),
    "node.tree_socket_add": ("node.interface_item_new", "4.0"),
    "node.output_file_add_socket": ("", "5.0"),
    "object.lightprobe_cache_bake": ("", ""),
    **{
        operator: ("", "")
        for module, names in (
            (
                "object",
                "drop_named_image game_physics_copy game_property_clear game_property_copy game_property_move "
                "game_property_new game_property_remove grouped_select hide_render_clear hide_render_set lod_add "
                "lod_by_name lod_clear_all lod_generate lod_remove logic_bricks_copy select_same_group "
                "vertex_group_copy_to_linked vertex_group_fix face_map_add face_map_assign face_map_deselect "
                "face_map_move face_map_remove face_map_remove_from face_map_select load_background_image "
                "load_reference_image convert_proxy_to_override slow_parent_set slow_parent_clear",
            ),
            (
                "pose",
                "group_add group_assign group_deselect group_move group_remove group_select group_sort group_unassign "
                "bone_layers push_rest relax_rest",
            ),
            ("armature", "armature_layers bone_layers layers_show_all merge"),
            ("mesh", "noise navmesh_make navmesh_clear rip_move_fill drop_named_image paint_mask_extract"),
            ("wm", "addon_expand addon_install addon_refresh addon_remove theme_install appconfig_default"),
            ("material", "sss_preset_add"),
            ("scene", "units_length_preset_add light_cache_bake light_cache_free"),
        )
        for operator in (f"{module}.{name}" for name in names.split())
    },
    **{
        f"mesh.customdata_{kind}_{what}": ("", "4.0")
        for kind in ("bevel_weight_edge", "bevel_weight_vertex", "crease_edge", "crease_vertex")
        for what in ("add", "clear")
    },
}
"""Operators that were renamed, with the version; a whole call where it takes no arguments over; empty where a call is
to be left out."""

_BY_ANGLE = "; lost: smooth by angle: bpy.ops.object.shade_smooth_by_angle(angle=…) does it"

KEYWORDS: Mapping[tuple[str, str], tuple[str, str, str]] = {
    ("mesh.primitive_cube_add", "radius"): ("size", "2 * {value}", "2.80"),
    ("mesh.primitive_plane_add", "radius"): ("size", "2 * {value}", "2.80"),
    ("mesh.primitive_grid_add", "radius"): ("size", "2 * {value}", "2.80"),
    ("mesh.primitive_monkey_add", "radius"): ("size", "2 * {value}", "2.80"),
    ("mesh.primitive_uv_sphere_add", "size"): ("radius", "{value}", "2.80"),
    ("mesh.primitive_ico_sphere_add", "size"): ("radius", "{value}", "2.80"),
    ("mesh.primitive_circle_add", "size"): ("radius", "{value}", "2.80"),
    ("object.shade_smooth", "use_auto_smooth"): ("", _BY_ANGLE, "4.1"),
    ("object.shade_smooth", "auto_smooth_angle"): ("", _BY_ANGLE, "4.1"),
    ("mesh.primitive_cylinder_add", "cap_ends"): ("end_fill_type", "'NGON' if {value} else 'NOTHING'", "2.63"),
    ("mesh.primitive_cone_add", "cap_end"): ("end_fill_type", "'NGON' if {value} else 'NOTHING'", "2.63"),
    ("mesh.primitive_circle_add", "fill"): ("fill_type", "'NGON' if {value} else 'NOTHING'", "2.63"),
    ("mesh.primitive_torus_add", "use_abso"): ("", "", "2.76"),
    ("mesh.primitive_torus_add", "mode"): ("", "", "2.80"),
    ("mesh.bevel", "vertex_only"): ("affect", "'VERTICES' if {value} else 'EDGES'", "2.90"),
    ("mesh.remove_doubles", "limit"): ("threshold", "{value}", "2.63"),
    ("mesh.remove_doubles", "mergedist"): ("threshold", "{value}", "2.63"),
    ("mesh.normals_make_consistent", "inside_out"): ("inside", "{value}", ""),
    ("mesh.subdivide", "smooth"): ("smoothness", "{value}", ""),
    ("mesh.subdivide", "cuts"): ("number_cuts", "{value}", ""),
    ("mesh.extrude_region_move", "mirror"): ("", "", ""),
    ("mesh.loopcut_slide", "mirror"): ("", "", ""),
    ("object.modifier_apply", "report"): ("", "", ""),
    ("object.origin_set", "centre"): ("center", "{value}", ""),
    ("object.parent_set", "xmirror"): ("", "", ""),
    ("object.duplicate", "mode"): ("", "", ""),
    ("object.select_all", "toggle"): ("", "", "2.57"),
    ("transform.*", "texture_space"): ("", "", ""),
    ("transform.*", "gpencil_strokes"): ("", "", ""),
    ("wm.*_*port", "axis_forward"): ("forward_axis", "{value}.replace('-', 'NEGATIVE_')", "4.0"),
    ("wm.*_*port", "axis_up"): ("up_axis", "{value}.replace('-', 'NEGATIVE_')", "4.0"),
    ("wm.obj_import", "use_*"): ("", "", "4.0"),
    ("wm.obj_import", "split_mode"): ("", "", "4.0"),
    ("wm.obj_export", "use_selection"): ("export_selected_objects", "{value}", "4.0"),
    ("wm.obj_export", "use_materials"): ("export_materials", "{value}", "4.0"),
    ("wm.obj_export", "use_triangles"): ("export_triangulated_mesh", "{value}", "4.0"),
    ("wm.obj_export", "use_mesh_modifiers"): ("apply_modifiers", "{value}", "4.0"),
    ("wm.stl_export", "use_selection"): ("export_selected_objects", "{value}", "4.2"),
    ("wm.stl_export", "use_mesh_modifiers"): ("apply_modifiers", "{value}", "4.2"),
    ("render.render", "view_context"): ("", "", ""),
    ("uv.smart_project", "user_area_weight"): ("area_weight", "{value}", "2.90"),
    ("Mesh.update", "calc_tessface"): ("", "", "2.80"),
    ("bmesh.ops.bevel", "vertex_only"): ("affect", "'VERTICES' if {value} else 'EDGES'", "2.90"),
    ("BlendDataObjects.new", "data"): ("object_data", "{value}", ""),
    ("object.modifier_apply", "apply_as"): ("", "", "2.90"),
    ("uv.smart_project", "use_aspect"): ("correct_aspect", "{value}", "2.90"),
    ("uv.smart_project", "stretch_to_bounds"): ("scale_to_bounds", "{value}", "2.90"),
    ("*.select_random", "percent"): ("ratio", "({value}) / 100", "2.90"),
    ("pose.*", "percentage"): ("factor", "({value}) / 100", "2.90"),
    ("mesh.select_axis", "mode"): ("sign", "'POS' if {value} == 'POSITIVE' else 'NEG'", "2.80"),
    ("mesh.subdivide", "quadtri"): ("", "", "2.80"),
    ("*.new_effect", "frame_end"): ("length", "{value} - {frame_start}", "5.0"),
    ("*", "constraint_axis"): ("", "", ""),
    ("wm.alembic_export", "renderable_only"): ("", "", "2.8"),
    ("wm.*", "instance_groups"): ("instance_collections", "{value}", "2.80"),
    ("wm.*", "active_layer"): ("active_collection", "{value}", "2.80"),
    ("*", "check_existing"): ("", "", ""),
    ("transform.*", "constraint_orientation"): ("orient_type", "{value}", "2.80"),
    ("transform.*", "proportional"): ("use_proportional_edit", "{value} not in ('DISABLED', False)", "2.80"),
    ("transform.rotate", "axis"): ("orient_axis", "{axis}", "2.80"),
    ("mesh.primitive_cone_add", "radius"): ("radius1", "{value}", "2.63"),
    ("*", "view_align"): ("", "", "2.80"),
    ("*", "layers"): ("", "", "2.80"),
    ("bmesh.ops.create_uvsphere", "diameter"): ("radius", "{value}", "3.0"),
}
"""Operator and keyword → its new name, its new value, the version. Without a name it is left out; without a value it
needs a thought, and is only a hint; without a name the value is what the hint says is lost. `*` is any operator;
`{axis}` the letter of a unit vector."""

CALLS: Mapping[str, str] = {
    "Object.to_mesh": "bpy.data.meshes.new_from_object({owner}.evaluated_get(bpy.context.evaluated_depsgraph_get()))",
    "BlendDataMeshes.new_from_object": "bpy.data.meshes.new_from_object({1}.evaluated_get("
    "bpy.context.evaluated_depsgraph_get()))",
    "Mesh.update": "{owner}.update()",
    "Scene.ray_cast": "{owner}.ray_cast(bpy.context.evaluated_depsgraph_get(), {0}, {1})",
    "Object.shape_key_add": "{owner}.shape_key_add(name={0})",
}
"""Functions that took other arguments until 2.79, and the call that does the same; `{0}` is the first argument."""

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
    ("lights.new", "HEMI"): ("SUN", "", "2.80"),
    ("textures.new", "VOXEL_DATA"): ("CLOUDS", "", "2.80"),
    ("textures.new", "ENVIRONMENT_MAP"): ("IMAGE", "", "2.80"),
    ("textures.new", "POINT_DENSITY"): ("CLOUDS", "", "2.80"),
    ("Object.instance_type", "GROUP"): ("COLLECTION", "", "2.80"),
    ("Object.instance_type", "FRAMES"): ("NONE", "", "2.80"),
    ("Object.display_type", "TEXTURE"): ("TEXTURED", "", ""),
    ("Material.blend_method", "ADD"): ("BLEND", "", "2.81"),
    ("Material.blend_method", "MULTIPLY"): ("BLEND", "", "2.81"),
    ("RenderSettings.engine", "BLENDER_EEVEE_NEXT"): ("BLENDER_EEVEE", "", "5.0"),
    ("RenderSettings.engine", "CYCLES_RENDER"): ("CYCLES", "", ""),
    ("ColorManagedViewSettings.view_transform", "Default"): ("Standard", "", "2.80"),
    ("ColorManagedViewSettings.view_transform", "sRGB"): ("Standard", "", "2.80"),
    ("ColorManagedDisplaySettings.display_device", "None"): ("sRGB", "", "5.0"),
    ("ColorManagedSequencerColorspaceSettings.name", "Raw"): ("Linear Rec.709", "", "4.0"),
    ("ColorManagedSequencerColorspaceSettings.name", "Linear"): ("Linear Rec.709", "", "4.0"),
    ("lightprobes.new", "CUBEMAP"): ("SPHERE", "", "4.1"),
    ("lightprobes.new", "PLANAR"): ("PLANE", "", "4.1"),
    ("lightprobes.new", "GRID"): ("VOLUME", "", "4.1"),
    ("object.lightprobe_add", "CUBEMAP"): ("SPHERE", "", "4.1"),
    ("object.lightprobe_add", "PLANAR"): ("PLANE", "", "4.1"),
    ("object.lightprobe_add", "GRID"): ("VOLUME", "", "4.1"),
    ("ColorManagedInputColorspaceSettings.name", "Linear"): ("Linear Rec.709", "", "4.0"),
    ("ColorManagedInputColorspaceSettings.name", "Raw"): ("Non-Color", "", "4.0"),
    ("ShaderNodeTexSky.sky_type", "SINGLE"): ("SINGLE_SCATTERING", "", "5.0"),
    ("ShaderNodeBsdfAnisotropic.distribution", "SHARP"): ("GGX", "inputs['Roughness'].default_value = 0.0", "4.0"),
    ("ShaderNodeBsdfGlass.distribution", "SHARP"): ("GGX", "inputs['Roughness'].default_value = 0.0", "4.0"),
    ("ShaderNodeBsdfRefraction.distribution", "SHARP"): ("GGX", "inputs['Roughness'].default_value = 0.0", "4.0"),
    ("ShaderNodeSubsurfaceScattering.falloff", "CUBIC"): ("BURLEY", "", "3.0"),
    ("ShaderNodeSubsurfaceScattering.falloff", "GAUSSIAN"): ("BURLEY", "", "3.0"),
    ("ShaderNodeBsdfPrincipled.subsurface_method", "RANDOM_WALK_FIXED_RADIUS"): ("RANDOM_WALK", "", "4.0"),
    ("CyclesRenderSettings.denoiser", "NLM"): ("OPENIMAGEDENOISE", "", "3.0"),
    ("CyclesRenderSettings.pixel_filter_type", "BLACKMANN_HARRIS"): ("BLACKMAN_HARRIS", "", ""),
    ("BooleanModifier.solver", "CARVE"): ("FLOAT", "", "2.80"),
    ("BooleanModifier.solver", "BMESH"): ("FLOAT", "", "2.91"),
    ("BooleanModifier.solver", "FAST"): ("FLOAT", "", "5.0"),
    ("BevelModifier.limit_method", "BEVEL_WEIGHT"): ("WEIGHT", "", ""),
    ("TrackToConstraint.track_axis", "NEGATIVE_Z"): ("TRACK_NEGATIVE_Z", "", ""),
    ("object.convert", "GPENCIL"): ("GREASEPENCIL", "", "4.3"),
    ("modifiers.new", "SMOKE"): ("FLUID", "", "2.82"),
    ("modifiers.new", "FLUID_SIMULATION"): ("FLUID", "", "2.82"),
    ("object.modifier_add", "SMOKE"): ("FLUID", "", "2.82"),
    ("object.modifier_add", "FLUID_SIMULATION"): ("FLUID", "", "2.82"),
    ("FluidModifier.fluid_type", "COLLISION"): ("EFFECTOR", "", "2.82"),
    ("FluidModifier.fluid_type", "OBSTACLE"): ("EFFECTOR", "", "2.82"),
    ("FluidModifier.fluid_type", "INFLOW"): ("FLOW", "", "2.82"),
    ("FluidModifier.fluid_type", "FLUID"): ("FLOW", "", "2.82"),
    ("ParticleSettings.render_type", "BILLBOARD"): ("HALO", "", "2.80"),
    ("Material.preview_render_type", "MONKEY"): ("SHADERBALL", "", "2.80"),
    ("Material.preview_render_type", "SPHERE_A"): ("SPHERE", "", "2.80"),
    ("splines.new", "BSPLINE"): ("NURBS", "", "2.80"),
    ("splines.new", "CARDINAL"): ("BEZIER", "", "2.80"),
    ("Spline.type", "BSPLINE"): ("NURBS", "", "2.80"),
    ("Spline.type", "CARDINAL"): ("BEZIER", "", "2.80"),
    ("LightProbe.type", "CUBEMAP"): ("SPHERE", "", "4.1"),
    ("SceneEEVEE.ray_tracing_method", "NONE"): ("PROBE", "", "4.2"),
    ("ShaderNodeSubsurfaceScattering.falloff", "RANDOM_WALK_FIXED_RADIUS"): ("RANDOM_WALK", "", "4.0"),
    ("mesh.poke", "MEAN_WEIGHTED"): ("MEDIAN_WEIGHTED", "", "2.80"),
    ("mesh.poke", "MEAN"): ("MEDIAN", "", "2.80"),
    ("mesh.select_axis", "X_AXIS"): ("X", "", "2.80"),
    ("mesh.select_axis", "Y_AXIS"): ("Y", "", "2.80"),
    ("mesh.select_axis", "Z_AXIS"): ("Z", "", "2.80"),
    ("mesh.intersect", "FAST"): ("FLOAT", "", "5.0"),
    ("mesh.intersect_boolean", "FAST"): ("FLOAT", "", "5.0"),
    ("object.quick_fur", "LIGHT"): ("LOW", "", "3.5"),
    ("object.quick_fur", "HEAVY"): ("HIGH", "", "3.5"),
    ("ImageFormatSettings.file_format", "PNG"): ("PNG", "media_type = 'IMAGE'", "5.0"),
    ("ImageFormatSettings.file_format", "JPEG"): ("JPEG", "media_type = 'IMAGE'", "5.0"),
    ("ImageFormatSettings.file_format", "OPEN_EXR"): ("OPEN_EXR", "media_type = 'IMAGE'", "5.0"),
    ("ImageFormatSettings.file_format", "TIFF"): ("TIFF", "media_type = 'IMAGE'", "5.0"),
    ("NodeSocketMenu.default_value", "Sharpen"): ("Box Sharpen", "", "5.0"),
    ("NodeSocketMenu.default_value", "Gauss"): ("Gaussian", "", "5.0"),
    ("NodeSocketMenu.default_value", "Rd Photoreceptor"): ("R/D Photoreceptor", "", "5.0"),
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
    "ShaderNodeBsdfGlossy": ("ShaderNodeBsdfAnisotropic", "", "4.0"),
    "FunctionNodeCompareFloats": ("FunctionNodeCompare", "", "3.1"),
    "FunctionNodeRandomFloat": ("FunctionNodeRandomValue", "", "3.0"),
    "GeometryNodeMeshPrimitiveCube": ("GeometryNodeMeshCube", "", "3.0"),
    "GeometryNodeMeshPrimitiveGrid": ("GeometryNodeMeshGrid", "", "3.0"),
    "GeometryNodeMeshPrimitiveUVSphere": ("GeometryNodeMeshUVSphere", "", "3.0"),
    "GeometryNodeMeshPrimitiveIcoSphere": ("GeometryNodeMeshIcoSphere", "", "3.0"),
    "GeometryNodeMeshPrimitiveCylinder": ("GeometryNodeMeshCylinder", "", "3.0"),
    "GeometryNodeMeshPrimitiveCone": ("GeometryNodeMeshCone", "", "3.0"),
    "GeometryNodeTransferAttribute": ("GeometryNodeSampleNearestSurface", "", "3.4"),
    "GeometryNodeEdgeSplit": ("GeometryNodeSplitEdges", "", ""),
    "ShaderNodeOutput": ("ShaderNodeOutputMaterial", "", "2.80"),
    "ShaderNodeMaterial": ("ShaderNodeBsdfPrincipled", "", "2.80"),
    "ShaderNodeExtendedMaterial": ("ShaderNodeBsdfPrincipled", "", "2.80"),
    "ShaderNodeTexture": ("ShaderNodeTexImage", "", "2.80"),
    "ShaderNodeGeometry": ("ShaderNodeNewGeometry", "", "2.80"),
    "ShaderNodeMixColor": ("ShaderNodeMixRGB", "", ""),
    "ShaderNodePrincipledBSDF": ("ShaderNodeBsdfPrincipled", "", ""),
    "ShaderNodeColorRamp": ("ShaderNodeValToRGB", "", ""),
    "ShaderNodeNoiseTexture": ("ShaderNodeTexNoise", "", ""),
    "CompositorNodeSepHSVA": ("CompositorNodeSeparateColor", "", "5.0"),
    "CompositorNodeCombHSVA": ("CompositorNodeCombineColor", "", "5.0"),
    "CompositorNodeMapValue": ("ShaderNodeMapRange", "", "5.0"),
    "CompositorNodeCurveVec": ("ShaderNodeVectorCurve", "", "5.0"),
    "CompositorNodeCombineXYZ": ("ShaderNodeCombineXYZ", "", "5.0"),
    "CompositorNodeSeparateXYZ": ("ShaderNodeSeparateXYZ", "", "5.0"),
    "CompositorNodeSplitViewer": ("CompositorNodeSplit", "", "4.0"),
    "CompositorNodeSunBeams": ("CompositorNodeGlare", "", "5.0"),
    **{f"CompositorNodeSep{kind}": ("CompositorNodeSeparateColor", "", "5.0") for kind in ("YCCA", "YUVA")},
    **{f"CompositorNodeComb{kind}": ("CompositorNodeCombineColor", "", "5.0") for kind in ("YCCA", "YUVA")},
    "ShaderNodeOutputLamp": ("ShaderNodeOutputLight", "", "2.80"),
    "GeometryNodeBoolean": ("GeometryNodeMeshBoolean", "", "3.0"),
    "GeometryNodeSubdivide": ("GeometryNodeSubdivideMesh", "", "3.0"),
    "GeometryNodePointDistribute": ("GeometryNodeDistributePointsOnFaces", "", "3.0"),
    "GeometryNodePointInstance": ("GeometryNodeInstanceOnPoints", "", "3.0"),
    "GeometryNodeAlignRotationToVector": ("FunctionNodeAlignRotationToVector", "", "3.0"),
    "GeometryNodeAttributeTransfer": ("GeometryNodeSampleNearestSurface", "", "3.4"),
    "GeometryNodeAttributeRemove": ("GeometryNodeRemoveAttribute", "", "3.0"),
    "GeometryNodeAttributeProximity": ("GeometryNodeProximity", "", "3.0"),
    "GeometryNodeSampleVolume": ("GeometryNodeSampleGrid", "", "4.2"),
    "FunctionNodeFloatCompare": ("FunctionNodeCompare", "", "3.1"),
    "CompositorNodeComposite": (
        "NodeGroupOutput",
        '{tree}.interface.new_socket("Image", in_out="OUTPUT", socket_type="NodeSocketColor")',
        "5.0",
    ),
}
"""Node types → what took their place, a statement that comes first, the version."""

SOCKETS: Mapping[tuple[str, str], tuple[str, str, str]] = {
    ("ShaderNodeBsdfPrincipled", "Specular"): ("Specular IOR Level", "4.0", ""),
    ("ShaderNodeBsdfPrincipled", "Subsurface"): ("Subsurface Weight", "4.0", ""),
    ("ShaderNodeBsdfPrincipled", "Transmission"): ("Transmission Weight", "4.0", ""),
    ("ShaderNodeBsdfPrincipled", "Clearcoat"): ("Coat Weight", "4.0", ""),
    ("ShaderNodeBsdfPrincipled", "Clearcoat Roughness"): ("Coat Roughness", "4.0", ""),
    ("ShaderNodeBsdfPrincipled", "Clearcoat Normal"): ("Coat Normal", "4.0", ""),
    ("ShaderNodeBsdfPrincipled", "Sheen"): ("Sheen Weight", "4.0", ""),
    ("ShaderNodeBsdfPrincipled", "Emission"): (
        "Emission Color",
        "4.0",
        'inputs["Emission Strength"].default_value = 1.0',
    ),
    ("ShaderNodeBsdfPrincipled", "Transmission Roughness"): ("", "4.0", ""),
    ("ShaderNodeBsdfPrincipled", "Subsurface Color"): ("", "4.0", ""),
    ("ShaderNodeBsdfPrincipled", "Color"): ("Base Color", "2.79", ""),
    ("ShaderNodeTexNoise", "Dimension"): ("", "4.1", ""),
    ("ShaderNodeTexNoise", "Fac"): ("Factor", "5.0", ""),
    ("ShaderNodeTexVoronoi", "Fac"): ("Distance", "2.81", ""),
    ("ShaderNodeBsdfSheen", "Sigma"): ("Roughness", "4.0", ""),
    ("ShaderNodeSubsurfaceScattering", "Texture Blur"): ("", "3.0", ""),
    ("ShaderNodeSubsurfaceScattering", "Sharpness"): ("", "3.0", ""),
}
"""Node type and socket → the socket that took its place (empty for none: setting it is left out), the version, and a
setting of the same node that it needs to show, where the script does not say it."""

CONTEXTS = ("", "VERTS", "EDGES", "FACES_ONLY", "EDGES_FACES", "FACES", "FACES_KEEP_BOUNDARY", "TAGGED_ONLY")
"""The contexts of `bmesh.ops.delete`, by the number that each had until 2.79."""

INTERFACE = (
    "action",
    "brush",
    "buttons",
    "clip",
    "console",
    "dpaint",
    "ed",
    "file",
    "gizmogroup",
    "gpencil",
    "graph",
    "image",
    "info",
    "lamp",
    "logic",
    "mask",
    "nla",
    "node",
    "outliner",
    "paint",
    "palette",
    "paintcurve",
    "poselib",
    "screen",
    "script",
    "sculpt",
    "sequencer",
    "text",
    "texture",
    "ui",
    "view2d",
    "view3d",
    "workspace",
    "preferences",
)
"""Modules of operators that work on windows and what is shown in them, of which a script without any needs none."""

STAND_INS = {
    "view3d.snap_cursor_to_center": "bpy.context.scene.cursor.location = (0.0, 0.0, 0.0)",
    "view3d.snap_cursor_to_selected": "bpy.context.scene.cursor.location = bpy.context.object.location",
    "view3d.snap_cursor_to_active": "bpy.context.scene.cursor.location = bpy.context.object.location",
    "view3d.snap_selected_to_cursor": "for o in bpy.context.selected_objects: o.location = "
    "bpy.context.scene.cursor.location",
    "view3d.object_as_camera": "bpy.context.scene.camera = bpy.context.object",
}
"""Operators that need a window, and statements that do the same without one."""

KEYED = (("Loc", "location"), ("Rot", "rotation_euler"), ("Scal", "scale"))
"""Part of the name of a keying set, and what it keys."""

REMOVED = ("bgl", "bge", "GameLogic", "PhysicsConstraints", "blend_render_info")
"""Modules that Blender had."""

FIRST = ("Geometry", "Image")
"""Names of sockets that stood first; what stands first in their node now took their place."""

START_DATA = {
    ("collections", "Collection"): "bpy.context.scene.collection.children.link(bpy.data.collections.new('Collection'))",
    ("materials", "Material"): "bpy.data.materials.new('Material')",
    ("lights", "Light"): "bpy.data.lights.new('Light', 'POINT')",
    ("lights", "Lamp"): "bpy.data.lights.new('Lamp', 'POINT')",
    ("cameras", "Camera"): "bpy.data.cameras.new('Camera')",
    ("meshes", "Cube"): "bpy.data.meshes.new('Cube')",
}
"""Data in Blender's start-up file other than objects, and the statements that make them."""

START_NODES = {
    "Render Layers": '{tree}.nodes.new("CompositorNodeRLayers")',
    "Composite": '{tree}.interface.new_socket("Image", in_out="OUTPUT", socket_type="NodeSocketColor"); '
    '{tree}.nodes.new("NodeGroupOutput").name = "Composite"',
}
"""The nodes that compositing began with until 4.5, and the statements that make them; `{tree}` is the node tree."""

_END = "Anisotropic,Anisotropic Rotation,Sheen,Sheen Tint,Clearcoat,Clearcoat Roughness,IOR,Transmission"
PRINCIPLED = tuple(
    tuple(names.split(","))
    for names in (
        "Base Color,Subsurface,Subsurface Radius,Subsurface Color,Metallic,Specular,Specular Tint,Roughness,"
        f"{_END},Transmission Roughness,Emission,Emission Strength,Alpha",
        "Base Color,Subsurface,Subsurface Radius,Subsurface Color,Subsurface IOR,Subsurface Anisotropy,Metallic,"
        f"Specular,Specular Tint,Roughness,{_END},Transmission Roughness,Emission,Emission Strength,Alpha",
    )
)
"""The inputs of the Principled BSDF in their order, of 2.91 and 3.0."""

KEYS = {
    "Diffuse BSDF": "Principled BSDF",
    "RenderLayer": "ViewLayer",
    "View Layer": "ViewLayer",
    "Subsurf": "Subdivision",
}
"""Names that Blender gives by itself, and gave until 2.79 → those since 2.80."""

_LIGHT = "bpy.ops.object.light_add(type='POINT', location=(4.08, 1.01, 5.9)); bpy.context.object.data.energy = 1000"
DEFAULT_SCENE = {
    "Camera": "bpy.ops.object.camera_add(location=(7.36, -6.93, 4.96), rotation=(1.11, 0.0, 0.815)); "
    "bpy.context.scene.camera = bpy.context.object",
    "Lamp": _LIGHT,
    "Light": _LIGHT,
    "Cube": "bpy.ops.mesh.primitive_cube_add(size=2)",
}
"""What Blender's start-up file holds, and a script may count on: its name, and the statements that make it."""
