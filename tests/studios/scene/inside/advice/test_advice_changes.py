"""Small scripts in the form of an older Blender: patched, each comes to its end, with the same result."""

# ruff: noqa: E501  a script is one row
from __future__ import annotations

from dataclasses import dataclass

import pytest
from blender_advice import advised
from real_parts import needs

from redraft.loop.recall import patched

pytestmark = pytest.mark.real

OBJECT = "bpy.ops.mesh.primitive_cube_add(); o = bpy.context.object\n"
M = 'm = bpy.data.materials.new("m"); m.use_nodes = True; t = m.node_tree; b = t.nodes["Principled BSDF"]\n'
L = 'l = bpy.data.lights.new("l", "POINT")\n'
S = "s = bpy.context.scene\n"
C = 't = bpy.data.node_groups.new("c", "CompositorNodeTree")\n'
G = 't = bpy.data.node_groups.new("g", "GeometryNodeTree")\n'
W = "w = bpy.context.scene.world; w.use_nodes = True\n"
A = (
    "bpy.ops.object.armature_add(); o = bpy.context.object; a = o.data\n"
    "for n in 'bc':\n"
    "    bpy.ops.object.mode_set(mode='EDIT'); e = a.edit_bones.new(n); e.tail = (0, 0, 1)\n"
    "bpy.ops.object.mode_set(mode='OBJECT')\n"
)
P = f"{OBJECT}o.modifiers.new('p', 'PARTICLE_SYSTEM'); p = o.particle_systems[0].settings\n"
K = "bpy.ops.object.camera_add(); c = bpy.context.object.data\n"


@dataclass(frozen=True)
class Old:
    """A script, an expression that is true when it did what it says, and what it lost, as the fix names it."""

    version: str
    code: str
    holds: str
    lost: str = ""

    @property
    def name(self) -> str:
        return f"{self.version} {self.code.strip().splitlines()[-1][:70]}"


OLD = [
    # Several things in one statement
    Old(
        "2.7",
        "o = bpy.data.objects.new('Sun', bpy.data.lamps.new('Sun', 'SUN'))\nbpy.context.scene.objects.link(o)",
        "abs(o.data.energy - 3.14) < 1e-6",
    ),
    Old("2.8", f"{S}s.render.tile_x = s.render.tile_y = s.frame_end = 64", "s.frame_end == 64", "what it set"),
    Old(
        "2.7",
        f"{M}g = t.nodes.new('ShaderNodeBsdfGlossy')\nrough = 0.4\ng.distribution = 'SHARP' if rough == 0 else 'GGX'",
        "g.distribution == 'GGX' and g.inputs['Roughness'].default_value == 0.5",
    ),
    Old(
        "2.7",
        f"{M}g = t.nodes.new('ShaderNodeBsdfGlossy')\nrough = 0\ng.distribution = 'SHARP' if rough == 0 else 'GGX'",
        "g.distribution == 'GGX' and g.inputs['Roughness'].default_value == 0",
    ),
    # 5.0: keys and names
    Old("4.5", f'{S}s["cycles"]["samples"] = 64', "s.cycles.samples == 64"),
    Old(
        "4.5",
        f"{S}s.view_layers[0].use_pass_diffuse_color = True\n{C}n = t.nodes.new('CompositorNodeRLayers')\n"
        "o = n.outputs['DiffCol']",
        "o.name == 'Diffuse Color'",
    ),
    Old(
        "4.3",
        f"{S}e = s.sequence_editor_create().strips.new_effect('t', 'TEXT', 1, 1, length=9)\ne.align_x = 'LEFT'",
        "e.anchor_x == 'LEFT'",
    ),
    # 2.7 → 2.80: data and objects
    Old(
        "2.7",
        f"{OBJECT}g = bpy.data.groups.new('g'); g.objects.link(o)",
        "'o' and o.name in bpy.data.collections['g'].objects",
    ),
    Old("2.7", f"{OBJECT}o.draw_bounds_type = 'SPHERE'", "o.display_bounds_type == 'SPHERE'"),
    Old("2.7", f"{OBJECT}o.empty_draw_size = 2", "o.empty_display_size == 2"),
    Old("2.7", "o = bpy.data.objects.new('e', None)\no.empty_draw_type = 'SPHERE'", "o.empty_display_type == 'SPHERE'"),
    Old("2.7", f"{OBJECT}o.dupli_type = 'VERTS'", "o.instance_type == 'VERTS'"),
    Old(
        "2.7",
        f"{OBJECT}o.dupli_type = 'FACES'\no.use_dupli_faces_scale = True\no.dupli_faces_scale = 2",
        "o.use_instance_faces_scale and o.instance_faces_scale == 2",
    ),
    Old("2.7", f"{OBJECT}o.use_dupli_vertices_rotation = True", "o.use_instance_vertices_rotation"),
    Old(
        "2.7",
        f"{OBJECT}g = bpy.data.groups.new('g')\ne = bpy.data.objects.new('e', None)\ne.dupli_type = 'GROUP'\n"
        "e.dupli_group = g",
        "e.instance_type == 'COLLECTION' and e.instance_collection == g",
    ),
    Old("2.7", f"{OBJECT}x = [g.name for g in o.users_group]", "len(x) == 1"),
    Old(
        "2.7", f"{S}{OBJECT}s.objects.active = o\no.select = True", "bpy.context.active_object == o and o.select_get()"
    ),
    Old("2.7", f"{OBJECT}o.hide = True", "o.hide_viewport or o.hide_get()"),
    Old("2.7", f"{OBJECT}o.slow_parent_offset = 2\no.name = 'n'", "o.name == 'n'", "slow_parent_offset"),
    Old("2.7", f"{S}l = [i == 0 for i in range(20)]\ns.layers = l\n{OBJECT}o.layers = s.layers", "o.name in s.objects"),
    Old("2.7", f"{OBJECT}for i in range(20):\n    o.layers[i] = i == 1", "o"),
    Old("2.7", f"{S}s.layers[1] = True", "s"),
    Old(
        "2.7",
        f"{OBJECT}me = o.to_mesh(bpy.context.scene, apply_modifiers=True, settings='RENDER')\nn = len(me.vertices)",
        "n == 8",
    ),
    Old("2.7", f"{S}{OBJECT}me = bpy.data.meshes.new_from_object(s, o, True, 'PREVIEW')", "len(me.vertices) == 8"),
    Old(
        "2.7",
        f"{OBJECT}u = o.data.uv_textures.new('uv')\no.data.uv_textures['uv'].active = True",
        "'uv' in o.data.uv_layers",
    ),
    Old(
        "2.7",
        f"{OBJECT}v = o.data.vertex_colors.new('col')\nfor d in v.data: d.color = (1, 0, 0)",
        "tuple(v.data[0].color) == (1, 0, 0, 1)",
    ),
    Old("2.7", f"{OBJECT}o.data.show_double_sided = True", "o"),
    Old(
        "2.7",
        f"{S}{OBJECT}x = s.ray_cast((0, 0, 5), (0, 0, -1))\nhit, loc = x[0], x[1]",
        "hit and abs(loc.z - 1) < 1e-4",
    ),
    Old("2.7", f"{S}import bmesh\n{OBJECT}bm = bmesh.new()\nbm.from_object(o, s)", "len(bm.verts) == 8"),
    Old("2.7", f"{OBJECT}p = o.matrix_world * o.data.vertices[0].co", "tuple(p) == (-1, -1, -1)"),
    Old(
        "2.7",
        f"{OBJECT}import mathutils\nq = mathutils.Quaternion((1, 0, 0, 0))\nq *= mathutils.Quaternion((1, 0, 0, 0))",
        "q.w == 1",
    ),
    Old("2.7", "from mathutils import Matrix\nm = Matrix()\nm *= Matrix.Scale(2, 4)", "m[0][0] == 2"),
    Old("2.7", f"{S}s.cursor_location = (1, 2, 3)", "tuple(s.cursor.location) == (1, 2, 3)"),
    Old(
        "2.7",
        "bpy.context.space_data.cursor_location = (1, 0, 0)",
        "tuple(bpy.context.scene.cursor.location) == (1, 0, 0)",
    ),
    Old("2.7", f"{S}{OBJECT}b = s.object_bases[o.name]\nb.select = True", "o.select_get()"),
    Old("2.7", f"{S}s.frame_set(3)\ns.update()", "s.frame_current == 3"),
    Old(
        "2.7",
        "for a in bpy.context.screen.areas:\n    if a.type == 'VIEW_3D':\n        a.spaces[0].viewport_shade = 'MATERIAL'\nx = 1",
        "x == 1",
    ),
    Old(
        "2.7",
        "bpy.context.user_preferences.edit.keyframe_new_interpolation_type = 'LINEAR'",
        "bpy.context.preferences.edit.keyframe_new_interpolation_type == 'LINEAR'",
    ),
    Old("2.7", "bpy.context.user_preferences.system.use_scripts_auto_execute = True", "True"),
    Old("2.7", f"{S}s.tool_settings.proportional_edit = 'ENABLED'", "s.tool_settings.use_proportional_edit"),
    Old("2.7", f"{S}s.tool_settings.snap_element = 'VERTEX'", "'VERTEX' in s.tool_settings.snap_elements"),
    # 2.7: light, camera, world, material, render
    Old("2.7", "d = bpy.data.lamps.new('l', 'HEMI')\nd.energy = 1", "d.type == 'SUN'"),
    Old(
        "2.7",
        f"{L}l.shadow_method = 'RAY_SHADOW'\nl.shadow_ray_samples = 4\nl.shadow_soft_size = 0.5",
        "l.shadow_soft_size == 0.5",
    ),
    Old("2.7", f"{L}l.use_specular = False\nl.use_diffuse = False", "l.specular_factor == 0 and l.diffuse_factor == 0"),
    Old(
        "2.7",
        f"{L}l.use_nodes = True\ne = l.node_tree.nodes['Emission']\ne.inputs[1].default_value = 9",
        "l.node_tree.nodes['Emission'].inputs[1].default_value == 9",
    ),
    Old("2.7", f"{K}c.draw_size = 2\nc.dof_distance = 3", "c.display_size == 2 and c.dof.focus_distance == 3"),
    Old("2.7", f"{K}c.cycles.aperture_type = 'FSTOP'\nc.cycles.aperture_fstop = 2", "c.dof.aperture_fstop == 2"),
    Old(
        "2.7",
        f"{W}w.light_settings.use_ambient_occlusion = True\nw.light_settings.ao_factor = 0.4",
        "True",
        "ambient occlusion",
    ),
    Old(
        "2.7",
        f"{W}w.light_settings.use_environment_light = True\nw.light_settings.environment_color = 'SKY_COLOR'\n"
        "w.light_settings.gather_method = 'RAYTRACE'",
        "True",
    ),
    Old("2.7", f"{W}w.mist_settings.use_mist = True", "w.mist_settings.use_mist"),
    Old("2.7", f"{M}m.specular_intensity = 0.2\nm.mirror_color = (1, 1, 1)\nm.diffuse_intensity = 0.9", "True"),
    Old("2.7", f"{M}m.raytrace_transparency.fresnel = 1\nm.transparency_method = 'RAYTRACE'", "True"),
    Old("2.7", f"{M}m.halo.size = 0.2\nm.volume.density = 1", "True", "halos"),
    Old(
        "2.7",
        f"{M}tx = bpy.data.textures.new('t', 'CLOUDS')\nsl = m.texture_slots.add()\nsl.texture = tx\n"
        "sl.use_map_normal = True",
        "True",
        "texture",
    ),
    Old(
        "2.7",
        f"{M}tx = bpy.data.textures.new('t', 'CLOUDS')\nm.texture_slots.create(0)\n"
        "m.texture_slots[0].texture = tx\nm.texture_slots[0].scale = (2, 2, 2)",
        "True",
        "texture",
    ),
    Old(
        "2.7",
        f"{S}r = s.render\nr.use_textures = True\nr.use_shadows = True\nr.use_raytrace = True\n"
        "r.use_sss = True\nr.use_envmaps = False",
        "True",
    ),
    Old("2.7", f"{S}s.render.tile_x = 64\ns.render.tile_y = 64", "True"),
    Old(
        "2.7",
        f"{S}s.render.layers[0].use_pass_z = True\ns.render.layers['RenderLayer'].use_sky = True",
        "s.view_layers[0].use_pass_z",
    ),
    Old("2.7", f"{S}s.render.layers.active.name = 'A'", "s.view_layers[0].name == 'A'"),
    Old(
        "2.7",
        f"{S}s.cycles.film_transparent = True\ns.cycles.film_exposure = 2",
        "s.render.film_transparent and s.cycles.film_exposure == 2",
    ),
    Old(
        "2.7",
        f"{S}s.cycles.aa_samples = 8\ns.cycles.progressive = 'BRANCHED_PATH'\ns.cycles.samples = 12",
        "s.cycles.samples == 12",
    ),
    Old("2.7", f"{S}s.cycles.squared_samples = 1\ns.cycles.use_square_samples = True", "True"),
    Old(
        "2.7",
        f"{S}s.render.resolution_percentage = 50\ns.render.use_antialiasing = True\ns.render.pixel_filter_type = 'MITCHELL'",
        "s.render.resolution_percentage == 50",
    ),
    Old("2.7", f"{S}s.render.color_management = True\ns.render.use_color_management = True", "True"),
    Old("2.7", f"{S}s.game_settings.material_mode = 'GLSL'\nx = 1", "x == 1"),
    Old("2.7", f"{M}m.cycles.sample_as_light = True\nm.cycles.homogeneous_volume = True\nm.use_mist = 1", "True"),
    Old("2.7", f"{M}m.cycles.displacement_method = 'BOTH'", "m.displacement_method == 'BOTH'"),
    Old("2.7", f"{OBJECT}o.cycles.use_camera_cull = True\no.cycles_visibility.shadow = False", "not o.visible_shadow"),
    # 2.7: particles, physics, modifiers
    Old("2.7", f"{P}p.draw_method = 'RENDER'\np.use_render_emitter = False", "p.display_method == 'RENDER'"),
    Old("2.7", f"{P}p.render_type = 'OBJECT'\np.dupli_object = o", "p.instance_object == o"),
    Old(
        "2.7",
        f"{P}g = bpy.data.groups.new('g')\np.render_type = 'GROUP'\np.dupli_group = g",
        "p.render_type == 'COLLECTION' and p.instance_collection == g",
    ),
    Old(
        "2.7",
        f"{P}p.use_rotation_dupli = True\np.use_whole_group = True\np.use_scale_dupli = False",
        "p.use_rotation_instance and p.use_whole_collection",
    ),
    Old("2.7", f"{P}p.child_nbr = 5", "p.child_percent == 5"),
    Old(
        "2.7", f"{P}p.cycles.shape = 0.2\np.cycles.use_closetip = True", "abs(p.shape - 0.2) < 1e-4 and p.use_close_tip"
    ),
    Old(
        "2.7",
        f"{OBJECT}o.modifiers.new('s', 'SMOKE')\no.modifiers['s'].smoke_type = 'DOMAIN'\n"
        "o.modifiers['s'].domain_settings.resolution_max = 24",
        "o.modifiers['s'].domain_settings.resolution_max == 24",
    ),
    Old("2.7", f"{OBJECT}bpy.ops.object.modifier_add(type='FLUID_SIMULATION')\nx = 1", "x == 1"),
    Old(
        "2.7",
        f"{OBJECT}m = o.modifiers.new('b', 'BEVEL')\nm.use_only_vertices = True\nm.width = 0.3",
        "m.affect == 'VERTICES'",
    ),
    Old(
        "2.7",
        f"{OBJECT}m = o.modifiers.new('b', 'BOOLEAN')\nm.solver = 'CARVE'\nm.double_threshold = 0",
        "m.solver == 'FLOAT'",
    ),
    Old(
        "2.7",
        f"{OBJECT}m = o.modifiers.new('m', 'MIRROR')\nm.use_x = False; m.use_y = True\nm.use_mirror_merge = True",
        "list(m.use_axis)[:2] == [False, True]",
    ),
    Old(
        "2.7", f"{OBJECT}m = o.modifiers.new('d', 'DECIMATE')\nm.ratio = 0.5\nm.show_expanded = False", "m.ratio == 0.5"
    ),
    Old(
        "2.7",
        f"{OBJECT}m = o.modifiers.new('c', 'CLOTH')\nm.settings.structural_stiffness = 5\nm.settings.use_pin_cloth = True",
        "m.settings.tension_stiffness == 5",
    ),
    Old(
        "2.7",
        f"{OBJECT}m = o.modifiers.new('c', 'CLOTH')\nm.settings.spring_damping = 2\nm.settings.vel_damping = 0.5\n"
        "m.collision_settings.distance_repel = 0.1",
        "m.settings.tension_damping == 2",
    ),
    Old(
        "2.7",
        f"{OBJECT}m = o.modifiers.new('w', 'SHRINKWRAP')\nm.target = None\nm.use_keep_above_surface = True",
        "m.wrap_mode == 'ABOVE_SURFACE'",
    ),
    Old(
        "2.7",
        f"{OBJECT}c = o.constraints.new('TRACK_TO')\nc.track_axis = 'TRACK_NEGATIVE_Z'\nc.influence = 1",
        "c.influence == 1",
    ),
    Old(
        "2.7",
        "bpy.ops.object.text_add(); o = bpy.context.object\no.data.align = 'CENTER'",
        "o.data.align_x == 'CENTER'",
    ),
    Old("2.7", f"{S}s.render.image_settings.use_zbuffer = True", "True"),
    # 2.7: operators
    Old("2.7", f"{OBJECT}bpy.ops.transform.rotate(value=1.57, axis=(0, 0, 1))", "abs(o.rotation_euler.z) > 1.5"),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.transform.resize(value=(2, 2, 2), constraint_axis=(False, False, False), "
        "constraint_orientation='GLOBAL', mirror=False, proportional='DISABLED', proportional_edit_falloff='SMOOTH', "
        "proportional_size=1)",
        "o.scale.x == 2",
    ),
    Old(
        "2.7",
        f"{OBJECT}o.modifiers.new('s', 'SUBSURF')\nbpy.ops.object.modifier_apply(apply_as='DATA', modifier='s')",
        "len(o.data.vertices) > 8",
    ),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.object.group_add()\nbpy.ops.object.move_to_layer(layers=[i == 1 for i in range(20)])",
        "True",
    ),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.object.mode_set(mode='EDIT')\nbpy.ops.mesh.bevel(offset=0.1, vertex_only=True)\n"
        "bpy.ops.object.mode_set(mode='OBJECT')",
        "len(o.data.vertices) == 24",
    ),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.object.mode_set(mode='EDIT')\nbpy.ops.mesh.extrude_region_move(MESH_OT_extrude_region="
        "{'mirror': False}, TRANSFORM_OT_translate={'value': (0, 0, 1), 'constraint_orientation': 'NORMAL', "
        "'proportional': 'DISABLED', 'release_confirm': False})\nbpy.ops.object.mode_set(mode='OBJECT')",
        "len(o.data.vertices) >= 8",
    ),
    Old("2.7", "bpy.ops.wm.addon_enable(module='io_scene_obj')\nx = 1", "x == 1"),
    Old("2.7", f"{OBJECT}bpy.ops.view3d.viewnumpad(type='CAMERA')\nx = 1", "x == 1"),
    Old("2.7", "import bgl\nbgl.glEnable(bgl.GL_BLEND)\nx = 1", "x == 1", "bgl"),
    Old(
        "2.7",
        "import bmesh\nbm = bmesh.new()\nbmesh.ops.create_circle(bm, cap_ends=True, segments=8, diameter=2)\n"
        "bmesh.ops.create_icosphere(bm, subdivisions=1, diameter=1)",
        "len(bm.verts) > 8",
    ),
    Old(
        "2.7",
        "import bmesh\nbm = bmesh.new()\nbmesh.ops.create_grid(bm, x_segments=2, y_segments=2, size=1)\n"
        "bmesh.ops.delete(bm, geom=bm.faces[:], context=5)",
        "len(bm.faces) == 0",
    ),
    Old("2.7", "bpy.app.handlers.scene_update_post.append(lambda s: None)\nx = 1", "x == 1"),
    Old(
        "2.7",
        f"{S}s.unit_settings.system = 'METRIC'\ns.unit_settings.scale_length = 0.5\ns.render.use_sequencer_gl_preview = 1\n",
        "s.unit_settings.scale_length == 0.5",
    ),
    Old("2.7", f"{OBJECT}bpy.ops.group.create(name='g')", "'g' in bpy.data.collections"),
    Old("2.7", "bpy.ops.object.add(type='LAMP', location=(1, 2, 3))", "bpy.context.object.type == 'LIGHT'"),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.object.mode_set(mode='EDIT')\nbpy.ops.mesh.noise(factor=1)\nbpy.ops.mesh.select_random(percent=30)\n"
        "bpy.ops.object.mode_set(mode='OBJECT')",
        "o.mode == 'OBJECT'",
    ),
    # 2.8 → 3
    Old(
        "2.8",
        f"{S}e = s.eevee\ne.use_bloom = True\ne.bloom_intensity = 0.1\ne.bloom_color = (1, 1, 1)\ne.use_ssr = True\n"
        "e.ssr_quality = 1\ne.gtao_distance = 2\ne.use_soft_shadows = True\ne.shadow_cube_size = '1024'",
        "e.use_raytracing",
        "glow",
    ),
    Old(
        "2.8",
        f"{S}s.eevee.gi_cubemap_resolution = '512'\ns.eevee.gi_auto_bake = True\ns.eevee.use_volumetric_lights = True\n"
        "s.eevee.volumetric_tile_size = '4'",
        "s.eevee.volumetric_tile_size == '4'",
    ),
    Old(
        "2.8",
        "p = bpy.data.lightprobes.new('p', 'CUBEMAP')\np.influence_distance = 2\np.parallax_type = 'BOX'\n"
        "p.use_custom_parallax = True",
        "p.influence_distance == 2",
    ),
    Old("2.8", "bpy.ops.scene.light_cache_bake()\nx = 1", "x == 1", "light"),
    Old(
        "2.8",
        f"{M}m.blend_method = 'ADD'\nm.shadow_method = 'NONE'\nm.use_screen_refraction = True",
        "m.blend_method == 'BLEND'",
    ),
    Old(
        "2.8",
        f"{M}x = t.nodes.new('ShaderNodeTexMusgrave')\nx.musgrave_type = 'RIDGED_MULTIFRACTAL'\n"
        "x.inputs['Scale'].default_value = 5\nx.inputs['Dimension'].default_value = 1\n"
        "t.links.new(x.outputs['Fac'], b.inputs['Roughness'])",
        "x.noise_type == 'RIDGED_MULTIFRACTAL'",
    ),
    Old(
        "2.8",
        f"{M}x = t.nodes.new('ShaderNodeMapping')\nx.scale = (2, 2, 2)\nx.rotation = (0, 0, 1)\n"
        "x.vector_type = 'TEXTURE'",
        "tuple(x.inputs['Scale'].default_value) == (2, 2, 2)",
    ),
    Old(
        "2.8",
        f"{M}x = t.nodes.new('ShaderNodeMixRGB')\nx.blend_type = 'MULTIPLY'\nx.inputs['Fac'].default_value = 0.7\n"
        "x.inputs['Color1'].default_value = (1, 0, 0, 1)\nt.links.new(x.outputs['Color'], b.inputs['Base Color'])",
        "b.inputs['Base Color'].is_linked",
    ),
    Old("2.8", f"{M}x = t.nodes.new('ShaderNodeBsdfVelvet')\nx.inputs['Sigma'].default_value = 0.5", "x"),
    Old("2.8", f"{M}x = t.nodes.new('ShaderNodeBsdfHair')\nx.component = 'Transmission'", "x"),
    Old(
        "2.8",
        f"{M}x = t.nodes.new('ShaderNodeTexWave')\nx.wave_type = 'BANDS'\nx.inputs['Distortion'].default_value = 2\n"
        "t.links.new(x.outputs['Fac'], b.inputs['Metallic'])",
        "b.inputs['Metallic'].is_linked",
    ),
    Old(
        "2.8",
        f"{M}x = t.nodes.new('ShaderNodeTexSky')\nx.sky_type = 'NISHITA'\nx.sun_elevation = 0.2\nx.dust_density = 2\n"
        "x.air_density = 1\nx.altitude = 100",
        "abs(x.sun_elevation - 0.2) < 1e-4",
    ),
    Old("2.8", f"{M}x = t.nodes.new('ShaderNodeVertexColor')\nx.layer_name = 'Col'", "x.layer_name == 'Col'"),
    Old(
        "2.8",
        f"{M}b.subsurface_method = 'BURLEY'\nb.inputs['Subsurface Radius'].default_value = (1, 0.2, 0.1)\n"
        "b.inputs['Clearcoat Roughness'].default_value = 0.2\nb.inputs['Transmission Roughness'].default_value = 0.1",
        "abs(b.inputs['Coat Roughness'].default_value - 0.2) < 1e-4",
    ),
    Old("2.8", f"{OBJECT}o.data.use_auto_smooth = True\no.data.auto_smooth_angle = 0.5", "o"),
    Old("2.8", f"{OBJECT}o.data.calc_normals()\no.data.calc_normals_split()\no.data.free_normals_split()", "o"),
    Old(
        "2.8",
        f"{OBJECT}for e in o.data.edges: e.crease = 0.5\nx = o.data.attributes['crease_edge'].data[0].value",
        "abs(x - 0.5) < 1e-4",
    ),
    Old(
        "2.8",
        f"{OBJECT}for e in o.data.edges:\n    e.bevel_weight = 1.0",
        "o.data.attributes['bevel_weight_edge'].data[0].value == 1",
    ),
    Old(
        "2.8",
        f"{OBJECT}import bmesh\nbm = bmesh.new()\nbm.from_mesh(o.data)\ny = bm.edges.layers.crease.verify()\n"
        "for e in bm.edges: e[y] = 1.0\nbm.to_mesh(o.data)",
        "o.data.attributes['crease_edge'].data[0].value == 1",
    ),
    Old(
        "2.8",
        f"{OBJECT}import bmesh\nbm = bmesh.new()\nbm.from_mesh(o.data)\ny = bm.edges.layers.bevel_weight.new('BevelWeight')\n"
        "bm.edges.ensure_lookup_table()\nbm.edges[0][y] = 0.5",
        "abs(bm.edges[0][y] - 0.5) < 1e-6",
    ),
    Old(
        "2.8",
        f"{S}s.cycles.use_denoising = True\ns.cycles.tile_size = 256\ns.cycles.debug_use_spatial_splits = True\n"
        "s.render.use_save_buffers = True",
        "s.cycles.tile_size == 256",
    ),
    Old(
        "2.8",
        f"{S}s.view_layers[0].cycles.use_denoising = True\ns.view_layers[0].cycles.denoising_radius = 8",
        "s.view_layers[0].cycles.use_denoising",
    ),
    Old(
        "2.8",
        f"{S}s.render.use_instances = True\ns.render.simplify_gpencil = True\ns.render.use_simplify = True",
        "s.render.use_simplify",
    ),
    Old("2.8", "bpy.context.preferences.system.gl_texture_limit = 'CLAMP_OFF'\nx = 1", "x == 1"),
    Old(
        "2.8",
        f"{OBJECT}bpy.ops.object.shade_smooth(use_auto_smooth=True, auto_smooth_angle=0.5)",
        "o.data.polygons[0].use_smooth",
    ),
    Old(
        "2.8",
        f"{OBJECT}bpy.ops.transform.translate(value=(1, 0, 0), orient_matrix_type='GLOBAL', snap_align=False, "
        "snap_normal=(0, 0, 0), use_accurate=False)",
        "o.location.x == 1",
    ),
    Old("2.8", f"{OBJECT}ov = bpy.context.copy()\nov['object'] = o\nbpy.ops.object.shade_smooth(ov)", "o"),
    Old(
        "2.8",
        f"{OBJECT}ov = {{'object': o, 'active_object': o}}\no.modifiers.new('s', 'SUBSURF')\n"
        "bpy.ops.object.modifier_apply(ov, modifier='s')",
        "not o.modifiers",
    ),
    Old(
        "2.8",
        "bpy.ops.object.gpencil_add(type='EMPTY')\ng = bpy.context.object\nl = g.data.layers.new('L')\n"
        "f = l.frames.new(1)\nk = f.strokes.new()\nk.display_mode = '3DSPACE'\nk.points.add(2)\n"
        "k.points[1].co = (0, 0, 1)",
        "tuple(g.data.layers['L'].frames[0].drawing.strokes[0].points[1].position) == (0, 0, 1)",
    ),
    Old(
        "2.8",
        "g = bpy.data.grease_pencils.new('g')\no = bpy.data.objects.new('o', g)\nl = g.layers.new('a', set_active=True)\n"
        "l.info = 'b'\nl.line_change = 10\nl.tint_color = (1, 0, 0)",
        "l.name == 'b'",
    ),
    Old(
        "2.8",
        "bpy.ops.object.gpencil_add(type='STROKE')\ng = bpy.context.object\n"
        "md = g.grease_pencil_modifiers.new('n', 'GP_NOISE')\nmd.factor = 0.5",
        "g.modifiers['n'].factor == 0.5",
    ),
    Old(
        "2.8",
        "m = bpy.data.materials.new('g')\nbpy.data.materials.create_gpencil_data(m)\n"
        "m.grease_pencil.color = (1, 0, 0, 1)\nm.grease_pencil.show_fill = True",
        "m.grease_pencil.show_fill",
    ),
    # 3 → 4
    Old(
        "3",
        f"{G}t.inputs.new('NodeSocketGeometry', 'Geometry')\nt.outputs.new('NodeSocketGeometry', 'Geometry')\n"
        "i = t.inputs.new('NodeSocketFloat', 'Size')\ni.default_value = 2\ni.min_value = 0",
        "len(t.interface.items_tree) == 3 and t.interface.items_tree['Size'].default_value == 2",
    ),
    Old("3", f"{G}for i in t.inputs:\n    print(i.name)\nt.outputs.clear()\nx = len(t.inputs)", "x == 0"),
    Old(
        "3",
        f"{G}x = t.nodes.new('GeometryNodeInputMeshFaceNeighbors')\ny = t.nodes.new('GeometryNodeSeparateGeometry')\n"
        "z = t.nodes.new('FunctionNodeRotateEuler')\nz.space = 'LOCAL'",
        "x and y",
    ),
    Old("3", f"{G}x = t.nodes.new('GeometryNodeAttributeTransfer')", "True", "GeometryNodeAttributeTransfer"),
    Old(
        "3",
        f"{G}x = t.nodes.new('GeometryNodeDistributePointsOnFaces')\nx.distribute_method = 'POISSON'\n"
        "y = t.nodes.new('GeometryNodeInstanceOnPoints')\nt.links.new(x.outputs['Points'], y.inputs['Points'])\n"
        "x.inputs['Distance Min'].default_value = 0.3",
        "y.inputs['Points'].is_linked",
    ),
    Old(
        "3",
        f"{G}x = t.nodes.new('GeometryNodePointsToVolume')\nx.resolution_mode = 'VOXEL_SIZE'\n"
        "y = t.nodes.new('GeometryNodeMergeByDistance')\ny.mode = 'ALL'",
        "x and y",
    ),
    Old(
        "3",
        f"{G}x = t.nodes.new('GeometryNodeResampleCurve')\nx.mode = 'LENGTH'\nx.inputs['Length'].default_value = 0.2",
        "x.inputs['Mode'].default_value == 'Length'",
    ),
    Old(
        "3",
        f"{G}x = t.nodes.new('GeometryNodeSetShadeSmooth')\nx.domain = 'FACE'\nx.inputs['Shade Smooth'].default_value = True",
        "x.inputs['Shade Smooth'].default_value",
    ),
    Old("3", f"{G}x = t.nodes.new('FunctionNodeAlignEulerToVector')\nx.axis = 'Z'", "x.axis == 'Z'"),
    Old(
        "3",
        f"{G}x = t.nodes.new('ShaderNodeMath')\nx.operation = 'GREATER_THAN'\n"
        "y = t.nodes.new('FunctionNodeCompareFloats')\ny.operation = 'GREATER_THAN'",
        "y.operation == 'GREATER_THAN'",
    ),
    Old("3", f"{A}a.layers[1] = True\na.bones['b'].layers = [i == 3 for i in range(32)]", "True", "layers of bones"),
    Old("3", f"{A}for x in a.bones:\n    x.layers[2] = True\n    x.layers[0] = False", "True", "layers of bones"),
    Old(
        "3",
        f"{A}g = o.pose.bone_groups.new(name='G')\ng.color_set = 'THEME01'\no.pose.bones['b'].bone_group = g",
        "True",
    ),
    Old("3", f"{A}o.pose.bones['b'].custom_shape_scale = 2", "o.pose.bones['b'].custom_shape_scale_xyz.x == 2"),
    Old("3", f"{A}a.bones['b'].select = True", "o", "PoseBone.select"),
    Old("3", f"{A}a.edit_bones\na.bones['b'].use_inherit_scale = False", "a.bones['b'].inherit_scale == 'NONE'"),
    Old("3", f"{OBJECT}o.face_maps.new(name='f')\nf = o.face_maps['f']\nf.add([0])", "o"),
    Old(
        "3",
        f"{S}s.view_settings.view_transform = 'Filmic'\ns.view_settings.look = 'High Contrast'",
        "s.view_settings.look.endswith('High Contrast')",
    ),
    Old("3", f"{S}s.display_settings.display_device = 'None'\ns.sequencer_colorspace_settings.name = 'Linear'", "True"),
    Old(
        "3",
        "i = bpy.data.images.new('i', 8, 8)\ni.colorspace_settings.name = 'Linear'\ni.use_alpha = False\n",
        "i.colorspace_settings.name == 'Linear Rec.709'",
    ),
    Old(
        "3",
        f"{OBJECT}bpy.ops.export_scene.obj(filepath='/tmp/x.obj', use_selection=True, use_materials=False, "
        "axis_forward='-Z', axis_up='Y', global_scale=2, keep_vertex_order=True, path_mode='COPY')",
        "o",
    ),
    Old(
        "3",
        f"{OBJECT}bpy.ops.mesh.customdata_bevel_weight_edge_add()\nbpy.ops.object.paths_calculate(start_frame=1, end_frame=2)\n",
        "o",
    ),
    Old(
        "3",
        f"{L}l.use_contact_shadow = True\nl.contact_shadow_distance = 1\nl.shadow_buffer_bias = 1\nl.cycles.cast_shadow = False\n"
        "l.cutoff_distance = 3",
        "not l.use_shadow",
    ),
    # 4 → 5
    Old(
        "4",
        f"{S}s.use_nodes = True\nt = s.node_tree\nt.nodes.clear()\nr = t.nodes.new('CompositorNodeRLayers')\n"
        "g = t.nodes.new('CompositorNodeGlare')\ng.glare_type = 'FOG_GLOW'\ng.quality = 'HIGH'\ng.threshold = 0.5\n"
        "g.size = 7\ng.mix = 0\nc = t.nodes.new('CompositorNodeComposite')\n"
        "t.links.new(r.outputs['Image'], g.inputs['Image'])\nt.links.new(g.outputs['Image'], c.inputs['Image'])",
        "c.inputs[0].is_linked and g.inputs['Threshold'].default_value == 0.5",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeBlur')\nx.use_relative = True\nx.filter_type = 'GAUSS'\nx.size_x = 5\nx.size_y = 3\n"
        "x.factor_x = 10",
        "tuple(x.inputs['Size'].default_value) == (5, 3)",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeColorBalance')\nx.correction_method = 'LIFT_GAMMA_GAIN'\nx.lift = (1, 0.9, 0.9)\n"
        "x.gain = (1, 1, 0.9)",
        "abs(x.inputs['Color Gain'].default_value[2] - 0.9) < 1e-4",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeLensdist')\nx.use_projector = False\nx.use_fit = True\n"
        "x.inputs['Distort'].default_value = 0.1\nx.inputs['Dispersion'].default_value = 0.02",
        "abs(x.inputs['Distortion'].default_value - 0.1) < 1e-4 and x.inputs['Fit'].default_value",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeEllipseMask')\nx.mask_width = 0.8\nx.mask_height = 0.7\nx.x = 0.5\nx.rotation = 0.1",
        "abs(x.inputs['Size'].default_value[0] - 0.8) < 1e-4",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeMixRGB')\nx.blend_type = 'MULTIPLY'\nx.use_clamp = True\n"
        "x.inputs[0].default_value = 0.4\nx.inputs['Color2'].default_value = (1, 0, 0, 1)",
        "x.blend_type == 'MULTIPLY'",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeMapValue')\nx.offset = [-5]\nx.size = [0.1]\nx.use_min = True\nx.min = [0]\n"
        "x.use_max = True\nx.max = [1]",
        "x",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeOutputFile')\nx.base_path = '/tmp/out'\nx.file_slots[0].path = 'img'\n"
        "x.file_slots.new('depth')\nx.format.file_format = 'PNG'",
        "x.directory == '/tmp/out'",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeBrightContrast')\nx.inputs['Bright'].default_value = 2\n"
        "y = t.nodes.new('CompositorNodeHueSat')\ny.inputs['Fac'].default_value = 0.5\ny.color_saturation = 1.1",
        "x.inputs[1].default_value == 2",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeAlphaOver')\nx.use_premultiply = True\nx.premul = 0\n"
        "y = t.nodes.new('CompositorNodeGamma')\ny.inputs['Gamma'].default_value = 2",
        "x and y",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeTonemap')\nx.tonemap_type = 'RH_SIMPLE'\nx.key = 0.2\n"
        "y = t.nodes.new('CompositorNodeSunBeams')\ny.source = (0.5, 0.5)\ny.ray_length = 0.3",
        "abs(x.inputs['Key'].default_value - 0.2) < 1e-4",
    ),
    Old(
        "4",
        f"{S}s.use_nodes = True\nfor n in s.node_tree.nodes:\n    s.node_tree.nodes.remove(n)",
        "s.compositing_node_group",
    ),
    Old(
        "4",
        f"{S}s.use_nodes = True\nv = s.node_tree.nodes.new('CompositorNodeViewer')\nv.use_alpha = True\n"
        "s.node_tree.use_opencl = True\ns.node_tree.chunk_size = '32'",
        "v",
    ),
    Old(
        "4",
        f"{OBJECT}o.keyframe_insert('location', frame=1)\nfor c in o.animation_data.action.fcurves:\n"
        "    for k in c.keyframe_points:\n        k.interpolation = 'LINEAR'\n    c.modifiers.new('CYCLES')",
        "o",
    ),
    Old(
        "4",
        f"{OBJECT}o.keyframe_insert('location', frame=1)\na = o.animation_data.action\nf = a.fcurves.find('location', index=1)\n"
        "a.fcurves.remove(f)\nn = len(a.fcurves)",
        "n == 2",
    ),
    Old(
        "4",
        f"{OBJECT}o.keyframe_insert('location', frame=1)\na = o.animation_data.action\ng = a.groups.new('G')\n"
        "a.id_root = 'OBJECT'\nx = [g.name for g in a.groups]",
        "'G' in x",
    ),
    Old(
        "4",
        f"{S}q = s.sequence_editor_create()\nx = q.sequences.new_effect(name='t', type='TEXT', channel=1, frame_start=1, "
        "frame_end=9)\nx.text = 'hi'\nn = len(q.sequences_all)",
        "n == 1 and x.text == 'hi'",
    ),
    Old(
        "4",
        f"{S}q = s.sequence_editor_create()\nx = q.strips.new_effect('c', 'COLOR', 1, 1, frame_end=20)\nx.color = (1, 0, 0)",
        "x.frame_final_duration == 19",
    ),
    Old(
        "4",
        f"{S}s.eevee.use_gtao = True\ns.eevee.gtao_distance = 1\ns.eevee.taa_render_samples = 16",
        "s.eevee.taa_render_samples == 16",
    ),
    Old(
        "4",
        f"{S}s.render.engine = 'BLENDER_EEVEE_NEXT'\ns.eevee.ray_tracing_options.sample_clamp = 5\n"
        "s.eevee.use_shadow_high_bitdepth = True",
        "s.render.engine == 'BLENDER_EEVEE'",
    ),
    Old(
        "4",
        f"{S}s.render.image_settings.file_format = 'FFMPEG'\ns.render.ffmpeg.format = 'MPEG4'\n"
        "s.render.ffmpeg.codec = 'H264'\ns.render.ffmpeg.constant_rate_factor = 'MEDIUM'",
        "s.render.ffmpeg.codec == 'H264'",
    ),
    Old(
        "4",
        f"{S}s.render.image_settings.file_format = 'OPEN_EXR_MULTILAYER'",
        "s.render.image_settings.media_type == 'MULTI_LAYER_IMAGE'",
    ),
    Old("4", f"{S}c = s.tool_settings.unified_paint_settings\nc.size = 30", "True"),
    Old(
        "4",
        f"{M}x = t.nodes.new('ShaderNodeTexNoise')\nx.inputs['Scale'].default_value = 3\n"
        "y = t.nodes.new('ShaderNodeBump')\nt.links.new(x.outputs['Fac'], y.inputs['Height'])",
        "y.inputs['Height'].is_linked",
    ),
    Old(
        "4",
        f"{OBJECT}m = o.modifiers.new('b', 'BOOLEAN')\nm.solver = 'FAST'\nm.operation = 'DIFFERENCE'",
        "m.solver == 'FLOAT'",
    ),
    Old(
        "4",
        f"{A}c = a.collections.new('G')\nc.assign(a.bones['b'])\na.bones['b'].hide = True\nx = a.bones['b'].hide",
        "'b' in c.bones",
    ),
    # a second set, written after the first was patched
    Old(
        "2.7",
        f"{OBJECT}import bpy_extras\nfrom bpy_extras.object_utils import object_data_add\n"
        "x = object_data_add(bpy.context, bpy.data.meshes.new('m')).object",
        "x.type == 'MESH'",
    ),
    Old(
        "2.7",
        "from mathutils import noise, Vector\nv = noise.fractal(Vector((1, 2, 3)), 1.0, 2.0, 4, noise.types.STDPERLIN)",
        "isinstance(v, float)",
    ),
    Old(
        "2.7", "from mathutils import noise\nv = noise.noise((1, 2, 3), noise.types.NEWPERLIN)", "isinstance(v, float)"
    ),
    Old("2.7", f"{OBJECT}v = o.data.vertices[0].co * o.matrix_world", "len(v) == 3"),
    Old(
        "2.7",
        f"{OBJECT}o.matrix_world = o.matrix_world * __import__('mathutils').Matrix.Scale(2, 4)",
        "o.matrix_world[0][0] == 2",
    ),
    Old("2.7", f"{OBJECT}x = o.closest_point_on_mesh((5, 0, 0))[1]", "abs(x[0] - 1) < 1e-4"),
    Old("2.7", f"{OBJECT}bpy.context.scene.update()\nx = o.ray_cast((0, 0, 5), (0, 0, -5))", "x[0]"),
    Old(
        "2.7",
        f"{OBJECT}o.vertex_groups.new('v')\no.vertex_groups['v'].add([0], 1.0, 'REPLACE')",
        "'v' in o.vertex_groups",
    ),
    Old(
        "2.7",
        f"{OBJECT}o.shape_key_add('Basis')\nk = o.shape_key_add('K', False)",
        "len(o.data.shape_keys.key_blocks) == 2",
    ),
    Old("2.7", f"{OBJECT}for f in o.data.tessfaces: n = f.normal\nx = len(o.data.tessfaces)", "x >= 6"),
    Old("2.7", f"{OBJECT}o.data.update(calc_edges=True, calc_tessface=True)", "o"),
    Old("2.7", f"{OBJECT}o.data.uv_textures[0].data[0].image = None", "o"),
    Old(
        "2.7",
        "c = bpy.data.curves.new('c', 'CURVE')\nc.dimensions = '3D'\nc.use_fill_deform = True\nc.show_handles = False\n"
        "s = c.splines.new('BSPLINE')\ns.points[0].co = (0, 0, 0)",
        "len(c.splines) == 1",
    ),
    Old(
        "2.7",
        f"{S}s.render.use_file_extension = True\ns.render.stamp_font_size = 12\ns.render.use_stamp_strip_meta = True",
        "s.render.stamp_font_size == 12",
    ),
    Old(
        "2.7",
        f"{S}s.render.bake_type = 'AO'\ns.render.use_bake_normalize = True\ns.render.use_bake_clear = False",
        "True",
    ),
    Old(
        "2.7",
        f"{S}s.render.simplify_subdivision = 2\ns.render.simplify_ao_sss = 1\ns.render.simplify_shadow_samples = 4",
        "s.render.simplify_subdivision == 2",
    ),
    Old(
        "2.7",
        f"{S}w = bpy.data.worlds.new('w')\ns.world = w\nw.use_nodes = True\nw.use_sky_blend = True\n"
        "w.horizon_color = (0.1, 0.2, 0.3)\nw.zenith_color = (0, 0, 0)\nw.ambient_color = (0, 0, 0)\nw.exposure = 0.5",
        "abs(w.color[1] - 0.2) < 1e-4",
    ),
    Old(
        "2.7",
        f"{W}w.cycles.sample_as_light = True\nw.cycles.sample_map_resolution = 512\nw.cycles_visibility.camera = False",
        "w.cycles.sample_map_resolution == 512",
    ),
    Old(
        "2.7",
        f"{M}m.use_shadeless = True\nm.use_transparency = True\nm.alpha = 0.5\nm.translucency = 0.2\nm.use_cast_shadows = 0",
        "b.inputs['Alpha'].default_value == 0.5",
    ),
    Old("2.7", f"{M}m.subsurface_scattering.use = True\nm.subsurface_scattering.color = (1, 0, 0)", "True"),
    Old("2.7", f"{M}m.type = 'VOLUME'\nm.volume.density = 0.1\nm.volume.emission = 1\nm.strand.root_size = 2", "True"),
    Old("2.7", f"{M}x = m.texture_slots[0]\nif x: x.texture.noise_scale = 2\ny = 1", "y == 1"),
    Old("2.7", f"{M}for x in m.texture_slots:\n    if x is not None: x.use = False\ny = 1", "y == 1"),
    Old("2.7", "x = bpy.data.textures.new('t', 'VOXEL_DATA')\nx.voxel_data.file_format = 'SMOKE'\ny = 1", "y == 1"),
    Old(
        "2.7",
        "x = bpy.data.textures.new('t', 'IMAGE')\nx.use_mipmap = False\nx.filter_probes = 4\nx.use_normal_map = True",
        "x.use_normal_map",
    ),
    Old(
        "2.7",
        f"{L}l.distance = 30\nl.use_sphere = True\nl.falloff_type = 'INVERSE_LINEAR'\nl.linear_attenuation = 1\n"
        "l.shadow_color = (0, 0, 0)\nl.use_shadow_layer = False",
        "l",
        "falloff",
    ),
    Old(
        "2.7",
        "l = bpy.data.lights.new('l', 'SUN')\nl.sky.use_sky = True\nl.sky.atmosphere_turbidity = 3\nl.shadow_method = 'NOSHADOW'",
        "l",
    ),
    Old(
        "2.7",
        f"{K}c.type = 'PERSP'\nc.show_guide = {{'CENTER'}}\nc.gpu_dof.fstop = 2\nc.cycles.panorama_type = 'EQUIRECTANGULAR'",
        "c.dof.aperture_fstop == 2",
    ),
    Old("2.7", f"{K}c.dof_object = bpy.data.objects.new('f', None)\nc.cycles.aperture_size = 0.1", "c.dof.use_dof"),
    Old(
        "2.7",
        f"{P}p.use_advanced_hair = True\np.draw_step = 3\np.hair_step = 5\np.use_simplify = True\np.billboard_tilt = 1",
        "p.hair_step == 5",
    ),
    Old(
        "2.7",
        f"{P}p.render_type = 'BILLBOARD'\np.draw_color = 'MATERIAL'\np.draw_size = 0.2",
        "p.display_color == 'MATERIAL'",
    ),
    Old(
        "2.7",
        f"{P}p.type = 'HAIR'\np.cycles.root_width = 0.5\np.cycles.tip_width = 0.1",
        "p.root_radius == 0.5",
    ),
    Old(
        "2.7",
        f"{OBJECT}m = o.modifiers.new('f', 'FLUID_SIMULATION')\nm.settings.type = 'DOMAIN'\nm.settings.resolution = 40\n"
        "m.settings.viscosity_base = 2",
        "m.domain_settings.resolution_max == 40",
    ),
    Old(
        "2.7",
        f"{OBJECT}m = o.modifiers.new('s', 'SMOKE')\nm.smoke_type = 'FLOW'\nm.flow_settings.smoke_flow_type = 'FIRE'\n"
        "m.flow_settings.density = 2",
        "m.flow_settings.flow_type == 'FIRE'",
    ),
    Old(
        "2.7",
        f"{OBJECT}m = o.modifiers.new('s', 'SUBSURF')\nm.levels = 2\nm.use_subsurf_uv = False\nm.use_opensubdiv = True",
        "m.levels == 2",
    ),
    Old(
        "2.7",
        f"{OBJECT}m = o.modifiers.new('m', 'MULTIRES')\nm.subdivision_type = 'SIMPLE'\nm.use_subsurf_uv = True",
        "m",
    ),
    Old(
        "2.7",
        f"{S}bpy.ops.rigidbody.world_add()\ns.rigidbody_world.steps_per_second = 240\ns.rigidbody_world.group = None",
        "s.rigidbody_world.substeps_per_frame == 10",
    ),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.rigidbody.object_add()\no.rigid_body.collision_groups[0] = True",
        "o.rigid_body.collision_collections[0]",
    ),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.object.select_pattern(pattern='C*')\nbpy.ops.object.select_same_group(group='g')\nx = 1",
        "x == 1",
    ),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.view3d.snap_cursor_to_center()\nbpy.ops.view3d.snap_selected_to_cursor()",
        "o.location.length == 0",
    ),
    Old("2.7", "bpy.ops.view3d.layers(nr=1, extend=False)\nbpy.ops.view3d.toggle_render()\nx = 1", "x == 1"),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.object.lod_add()\nbpy.ops.object.game_property_new(type='FLOAT', name='h')\n"
        "bpy.ops.logic.sensor_add(type='ALWAYS')\nx = 1",
        "x == 1",
    ),
    Old("2.7", f"{OBJECT}bpy.ops.object.bake_image()\nx = 1", "x == 1"),
    Old("2.7", f"{OBJECT}bpy.ops.anim.keyframe_insert_menu(type='Location')", "o.animation_data"),
    Old(
        "2.7",
        f"{OBJECT}bpy.context.area.type = 'GRAPH_EDITOR'\nbpy.ops.graph.interpolation_type(type='LINEAR')\nx = 1",
        "x == 1",
    ),
    Old(
        "2.7",
        f"{OBJECT}for a in bpy.context.window.screen.areas:\n    if a.type == 'VIEW_3D':\n        v = a.spaces.active\n"
        "        v.show_relationship_lines = False\n        v.use_matcap = True\n        v.region_3d.view_perspective = 'CAMERA'\nx = 1",
        "x == 1",
    ),
    Old("2.7", "bpy.types.INFO_MT_mesh_add.append(lambda s, c: None)\nx = 1", "x == 1"),
    Old("2.7", "bpy.utils.register_module(__name__)\nx = 1", "x == 1", "register_module"),
    Old("2.7", "import bge\nc = bge.logic.getCurrentController()\no = c.owner\nx = 1", "x == 1", "bge"),
    Old("2.7", "from bgl import *\nx = 1", "x == 1"),
    Old("2.7", f"{S}s.objects.active = None\ns.camera = None\nx = 1", "x == 1"),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.object.mode_set(mode='EDIT')\nbpy.ops.mesh.select_all(action='TOGGLE')\n"
        "bpy.ops.mesh.extrude_faces_move(TRANSFORM_OT_shrink_fatten={'value': 0.1, 'use_even_offset': True, 'mirror': False, "
        "'proportional': 'DISABLED'})\nbpy.ops.object.mode_set(mode='OBJECT')",
        "o.mode == 'OBJECT'",
    ),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.transform.translate(value=(0, 0, 2), constraint_axis=(False, False, True), "
        "constraint_orientation='GLOBAL', gpencil_strokes=False, texture_space=False, remove_on_cancel=False, release_confirm=True)",
        "o.location.z == 2",
    ),
    Old(
        "2.7",
        f"{OBJECT}bpy.ops.object.mode_set(mode='EDIT')\nbpy.ops.uv.smart_project(angle_limit=66, island_margin=0, "
        "user_area_weight=0, use_aspect=True, stretch_to_bounds=True)\nbpy.ops.object.mode_set(mode='OBJECT')",
        "o.mode == 'OBJECT'",
    ),
    Old(
        "2.7",
        "bpy.ops.curve.primitive_bezier_circle_add(view_align=False, enter_editmode=False, layers=(True,) * 20)\n"
        "bpy.ops.surface.primitive_nurbs_surface_sphere_add(view_align=False)",
        "bpy.context.object.type == 'SURFACE'",
    ),
    Old(
        "2.8",
        f"{S}s.view_layers['View Layer'].use_pass_mist = True\ns.view_layers[0].use_pass_normal = True",
        "s.view_layers[0].use_pass_mist",
    ),
    Old(
        "2.8",
        f"{S}v = s.view_layers[0]\nv.eevee.use_pass_bloom = True\nv.eevee.use_pass_volume_scatter = True\n"
        "v.use_pass_ambient_occlusion = True",
        "v.use_pass_ambient_occlusion",
    ),
    Old("2.8", "c = bpy.data.collections['Collection']\nc.hide_viewport = True", "True"),
    Old(
        "2.8",
        f"{S}s.cycles.use_progressive_refine = True\ns.cycles.min_light_bounces = 2\ns.cycles.tile_order = 'CENTER'\n"
        "s.cycles.use_tile_size = True\ns.cycles.feature_set = 'SUPPORTED'",
        "s.cycles.min_light_bounces == 2",
    ),
    Old(
        "2.8",
        f"{S}s.eevee.use_taa_reprojection = True\ns.eevee.shadow_method = 'ESM'\ns.eevee.light_threshold = 0.01\n"
        "s.eevee.sss_samples = 7\ns.eevee.use_overscan = True",
        "s.eevee.use_overscan",
    ),
    Old(
        "2.8",
        f"{L}l.use_shadow = True\nl.shadow_buffer_samples = 4\nl.shadow_buffer_soft = 3\nl.use_custom_distance = True",
        "l.use_custom_distance",
    ),
    Old(
        "2.8",
        f"{M}x = t.nodes.new('ShaderNodeBsdfPrincipled')\nx.distribution = 'GGX'\nx.inputs['Subsurface'].default_value = 0.3\n"
        "x.inputs['Sheen'].default_value = 0.2\nx.inputs['Emission'].default_value = (1, 1, 1, 1)",
        "x",
    ),
    Old(
        "2.8",
        f"{M}x = t.nodes.new('ShaderNodeSubsurfaceScattering')\nx.falloff = 'CUBIC'\nx.inputs['Sharpness'].default_value = 0.2",
        "x.falloff == 'BURLEY'",
    ),
    Old(
        "2.8",
        f"{M}x = t.nodes.new('ShaderNodeHueSaturation')\nx.inputs['Fac'].default_value = 0.5\n"
        "y = t.nodes.new('ShaderNodeInvert')\ny.inputs['Fac'].default_value = 0.2",
        "abs(y.inputs[0].default_value - 0.2) < 1e-4",
    ),
    Old(
        "2.8",
        "import bmesh\nbm = bmesh.new()\nbmesh.ops.create_uvsphere(bm, u_segments=8, v_segments=4, diameter=1)\n"
        "bmesh.ops.bevel(bm, geom=bm.edges[:], offset=0.01, segments=1, vertex_only=False)",
        "len(bm.verts) > 26",
    ),
    Old(
        "2.8",
        f"{OBJECT}o.vertex_groups.new(name='g')\no.data.vertex_colors.new(name='c')\nbpy.ops.mesh.vertex_color_add()",
        "len(o.data.color_attributes) == 2",
    ),
    Old("2.8", f"{OBJECT}o.data.sculpt_vertex_colors\nbpy.ops.mesh.sculpt_vertex_color_add()", "o"),
    Old("2.8", f"{OBJECT}o.cycles.is_shadow_catcher = True\no.cycles.is_holdout = False", "o.is_shadow_catcher"),
    Old(
        "2.8",
        f"{OBJECT}bpy.ops.object.convert(target='MESH')\nbpy.ops.object.proxy_make()\nx = o.proxy\n",
        "x is None or x",
    ),
    Old(
        "2.8",
        "g = bpy.data.grease_pencils.new('g')\nl = g.layers.new('l')\nf = l.frames.new(0)\ns = f.strokes.new()\n"
        "s.points.add(count=3)\ns.line_width = 50\ns.start_cap_mode = 'FLAT'\nfor i, p in enumerate(s.points):\n"
        "    p.co = (i, 0, 0)\n    p.pressure = 1\n    p.strength = 1\ng.pixel_factor = 2\ng.stroke_depth_order = '3D'\ng.zdepth_offset = 0",
        "f.drawing.strokes[0].points[2].position.x == 2",
    ),
    Old(
        "2.8",
        "bpy.ops.object.gpencil_add(type='MONKEY')\no = bpy.context.object\nbpy.ops.object.gpencil_modifier_add(type='GP_THICK')\n"
        "o.grease_pencil_modifiers[-1].thickness_factor = 2",
        "len(o.modifiers) == 1",
    ),
    Old(
        "3",
        f"{G}x = t.nodes.new('GeometryNodeCaptureAttribute')\nx.data_type = 'FLOAT_VECTOR'\nx.domain = 'FACE'\n"
        "y = x.inputs['Value']\nz = x.outputs['Attribute']",
        "y and z",
    ),
    Old(
        "3",
        f"{G}x = t.nodes.new('GeometryNodeTransform')\nx.mode = 'COMPONENTS'\ny = t.nodes.new('GeometryNodeRaycast')\n"
        "y.mapping = 'NEAREST'\nz = t.nodes.new('GeometryNodeScaleElements')\nz.scale_mode = 'UNIFORM'",
        "y.inputs['Interpolation'].default_value == 'Nearest'",
    ),
    Old(
        "3",
        f"{G}x = t.nodes.new('GeometryNodeFilletCurve')\nx.mode = 'POLY'\nx.inputs['Count'].default_value = 4\n"
        "y = t.nodes.new('GeometryNodeTriangulate')\ny.quad_method = 'BEAUTY'\ny.ngon_method = 'BEAUTY'",
        "x.inputs['Mode'].default_value == 'Poly'",
    ),
    Old(
        "3",
        f"{G}x = t.nodes.new('GeometryNodeSubdivisionSurface')\nx.uv_smooth = 'PRESERVE_BOUNDARIES'\nx.boundary_smooth = 'ALL'",
        "x",
    ),
    Old("3", f"{G}x = t.nodes.new('FunctionNodeRandomFloat')\nx.inputs['Min'].default_value = 0.5", "x.inputs['Min']"),
    Old(
        "3",
        f"{G}x = t.nodes.new('GeometryNodePointDistribute')\nx.inputs['Density Max'].default_value = 5\n"
        "y = t.nodes.new('GeometryNodePointInstance')\nt.links.new(x.outputs['Geometry'], y.inputs['Geometry'])",
        "y",
    ),
    Old(
        "3",
        f"{OBJECT}m = o.modifiers.new('g', 'NODES')\nm.simulation_bake_directory = '/tmp'\nm.show_viewport = True",
        "m.show_viewport",
    ),
    Old(
        "3",
        f"{A}bpy.ops.object.mode_set(mode='EDIT')\ne = a.edit_bones['b']\ne.layers[3] = True\ne.use_inherit_scale = False\n"
        "e.bbone_curveiny = 0.2\nbpy.ops.object.mode_set(mode='OBJECT')",
        "a.bones['b'].inherit_scale == 'NONE'",
    ),
    Old("3", f"{A}o.pose.bone_groups.active_index = 0\no.pose.bone_groups['G'].color_set = 'X'\nx = 1", "x == 1"),
    Old(
        "3",
        f"{A}bpy.ops.object.mode_set(mode='POSE')\nbpy.ops.pose.group_add()\nbpy.ops.pose.bone_layers(layers=[True])\n"
        "bpy.ops.object.mode_set(mode='OBJECT')",
        "o.mode == 'OBJECT'",
    ),
    Old(
        "3",
        f"{A}a.show_group_colors = True\na.layers_protected[0] = True\na.use_auto_ik = True\na.show_names = True",
        "a.show_names",
    ),
    Old("3", "bpy.ops.object.load_reference_image(filepath='/tmp/none.png')\nx = 1", "x == 1"),
    Old(
        "3",
        "p = bpy.data.lightprobes.new('p', 'GRID')\np.grid_resolution_x = 4\np.falloff = 0.2\np.clip_start = 0.1",
        "p",
    ),
    Old(
        "4",
        f"{S}s.use_nodes = True\nt = s.node_tree\nr = t.nodes['Render Layers']\nc = t.nodes['Composite']\n"
        "v = t.nodes.new('CompositorNodeBlur')\nt.links.new(r.outputs['Image'], v.inputs['Image'])\n"
        "t.links.new(v.outputs['Image'], c.inputs['Image'])",
        "c.inputs['Image'].is_linked",
    ),
    Old(
        "4",
        f"{S}s.use_nodes = True\nt = s.node_tree\nr = t.nodes.get('Render Layers')\nc = t.nodes.get('Composite')\n"
        "t.links.new(r.outputs['Image'], c.inputs['Image'])",
        "len(t.links) == 1",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeDilateErode')\nx.mode = 'FEATHER'\nx.distance = 3\n"
        "y = t.nodes.new('CompositorNodeScale')\ny.space = 'RENDER_SIZE'\ny.frame_method = 'FIT'",
        "x.inputs['Size'].default_value == 3",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeFilter')\nx.filter_type = 'SHARPEN'\ny = t.nodes.new('CompositorNodeFlip')\n"
        "y.axis = 'XY'\nz = t.nodes.new('CompositorNodeSetAlpha')\nz.mode = 'REPLACE_ALPHA'",
        "x.inputs['Type'].default_value == 'Box Sharpen'",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeColorCorrection')\nx.master_saturation = 1.2\nx.highlights_gain = 1.1\n"
        "x.red = True\nx.midtones_start = 0.2",
        "abs(x.inputs[2].default_value - 1.2) < 1e-4 and abs(x.inputs[10].default_value - 1.1) < 1e-4",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeDBlur')\nx.iterations = 3\nx.zoom = 0.1\nx.center_x = 0.5\nx.use_wrap = True\n"
        "y = t.nodes.new('CompositorNodeDefocus')\ny.use_preview = False\ny.threshold = 1\ny.f_stop = 4",
        "y.f_stop == 4",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeGlare')\nx.glare_type = 'BLOOM'\nx.streaks = 5\nx.fade = 0.8\nx.use_rotate_45 = True\n"
        "x.color_modulation = 0.2\nx.angle_offset = 0.3",
        "x.inputs['Streaks'].default_value == 5",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeIDMask')\nx.index = 3\nx.use_antialiasing = True\n"
        "y = t.nodes.new('CompositorNodeZcombine')\ny.use_alpha = True\ny.use_antialias_z = False",
        "x.inputs['Index'].default_value == 3",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeVecBlur')\nx.samples = 8\nx.factor = 0.5\nx.use_curved = True\n"
        "y = t.nodes.new('CompositorNodeBokehImage')\ny.flaps = 6\ny.angle = 0.1",
        "y.inputs['Flaps'].default_value == 6",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeDenoise')\nx.use_hdr = True\nx.prefilter = 'ACCURATE'\n"
        "y = t.nodes.new('CompositorNodeTime')\ny.frame_start = 2\ny.frame_end = 30",
        "y.inputs[0].default_value == 2",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeKuwahara')\nx.variation = 'ANISOTROPIC'\nx.sharpness = 0.4\nx.uniformity = 3\n"
        "x.eccentricity = 1",
        "x.inputs['Uniformity'].default_value == 3",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeSepRGBA')\ny = t.nodes.new('CompositorNodeCombRGBA')\n"
        "t.links.new(x.outputs['R'], y.inputs['G'])\nt.links.new(x.outputs['A'], y.inputs['A'])",
        "len(t.links) == 2",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeValToRGB')\nx.color_ramp.elements[0].position = 0.2\ny = t.nodes.new('CompositorNodeMath')\n"
        "y.operation = 'MULTIPLY'\nt.links.new(x.outputs['Image'], y.inputs[0])",
        "y.inputs[0].is_linked",
    ),
    Old(
        "4",
        f"{C}x = t.nodes.new('CompositorNodeCurveRGB')\nx.mapping.initialize()\nc = x.mapping.curves[3]\nc.extend = 'EXTRAPOLATED'",
        "x",
    ),
    Old(
        "4",
        f"{OBJECT}a = bpy.data.actions.new('A')\no.animation_data_create().action = a\nf = a.fcurves.new('location', index=2)\n"
        "f.keyframe_points.insert(1, 5)",
        "o.animation_data.action_slot",
    ),
    Old(
        "4",
        f"{OBJECT}o.animation_data_create()\no.animation_data.action = bpy.data.actions.new('A')\n"
        "f = o.animation_data.action.fcurves.new(data_path='scale', index=0)\nf.keyframe_points.add(2)",
        "len(f.keyframe_points) == 2",
    ),
    Old(
        "4",
        f"{OBJECT}o.keyframe_insert('scale', frame=1)\nif o.animation_data and o.animation_data.action:\n"
        "    for f in o.animation_data.action.fcurves:\n        f.extrapolation = 'LINEAR'\n    o.animation_data.action.fcurves.update()",
        "o",
    ),
    Old(
        "4",
        f"{M}m.node_tree.animation_data_create()\nb.inputs['Roughness'].keyframe_insert('default_value', frame=1)\n"
        "x = len(m.node_tree.animation_data.action.fcurves)",
        "x == 1",
    ),
    Old(
        "4",
        f"{S}s.sequence_editor_create()\ns.sequence_editor.show_cache = True\ns.sequence_editor.use_cache_raw = False",
        "True",
    ),
    Old("4", f"{S}b = s.render.bake\nb.use_pass_ambient_occlusion = True\nb.margin = 4", "b.margin == 4"),
    Old(
        "4",
        "bpy.context.preferences.view.show_developer_ui = True\nbpy.context.preferences.experimental.use_new_hair_type = True\nx = 1",
        "x == 1",
    ),
    Old(
        "4",
        f"{M}m.lightprobe_volume_single_sided = True\nm.use_sss_translucency = True\nm.show_transparent_back = False\n"
        "m.refraction_depth = 0.1",
        "m",
    ),
]


@pytest.fixture(scope="module")
def last() -> list[tuple[str, str, str]]:
    """Every script patched until it runs and holds, or nothing helps: its text, the error, and the fixes' reasons."""
    blender = needs("blender")
    codes, said, whys = [f"import bpy\n{old.code}\n" for old in OLD], ["?"] * len(OLD), [""] * len(OLD)
    open_ = list(range(len(OLD)))
    for _ in range(16):
        found = dict(zip(open_, advised(blender, [codes[n] for n in open_]), strict=True))
        for n, advice in found.items():
            whys[n] += "".join(fix.why for fix in advice.patches) if advice.said else ""
            said[n] = advice.said
        changed = {n: patched(codes[n], advice.patches) for n, advice in found.items() if advice.said}
        open_ = [n for n, code in changed.items() if code is not None]
        for n in open_:
            codes[n] = changed[n] or ""
        if not open_:
            break
    ends = [f"{code}\nassert {old.holds}, 'does not hold'\n" for code, old in zip(codes, OLD, strict=True)]
    held = [each.said for each in advised(blender, ends)]
    return list(zip(codes, [s or h for s, h in zip(said, held, strict=True)], whys, strict=True))


@pytest.mark.parametrize("number", range(len(OLD)), ids=[old.name for old in OLD])
def test_it_runs_and_did_what_it_says(number: int, last: list[tuple[str, str, str]]) -> None:
    code, said, whys = last[number]
    assert said == "", code
    assert OLD[number].lost in whys
    assert not [why for why in whys.splitlines() if "leave it out" in why and ":" not in why]
