# Blender 4.2
"""
Star tubes with geometry nodes.
Uses the 4.x interface API (node_group.interface.new_socket) instead of group.inputs.new.
"""
import bpy


def link(tree, a, out, b, inp):
    tree.links.new(a.outputs[out], b.inputs[inp])


def build_tree():
    tree = bpy.data.node_groups.new("Star Tube", "GeometryNodeTree")
    tree.is_modifier = True
    face = tree.interface
    face.new_socket(name="Geometry", in_out='OUTPUT', socket_type='NodeSocketGeometry')
    pts = face.new_socket(name="Points", in_out='INPUT', socket_type='NodeSocketInt')
    pts.default_value, pts.min_value = 6, 3
    rad = face.new_socket(name="Thickness", in_out='INPUT', socket_type='NodeSocketFloat')
    rad.default_value = 0.1
    rad.subtype = 'DISTANCE'
    panel = face.new_panel(name="Look")
    face.new_socket(name="Material", in_out='INPUT', socket_type='NodeSocketMaterial', parent=panel)

    N = tree.nodes.new
    gin, gout = N("NodeGroupInput"), N("NodeGroupOutput")
    star = N("GeometryNodeCurveStar")
    star.inputs["Inner Radius"].default_value = 0.7
    star.inputs["Outer Radius"].default_value = 1.6
    fillet = N("GeometryNodeFilletCurve")
    fillet.mode = 'POLY'
    fillet.inputs["Count"].default_value = 8
    fillet.inputs["Radius"].default_value = 0.2
    resample = N("GeometryNodeResampleCurve")
    resample.mode = 'LENGTH'
    resample.inputs["Length"].default_value = 0.05
    circle = N("GeometryNodeCurvePrimitiveCircle")
    circle.mode = 'RADIUS'
    sweep = N("GeometryNodeCurveToMesh")
    merge = N("GeometryNodeMergeByDistance")
    merge.mode = 'ALL'
    setmat = N("GeometryNodeSetMaterial")
    smooth = N("GeometryNodeSetShadeSmooth")

    link(tree, gin, "Points", star, "Points")
    link(tree, gin, "Thickness", circle, "Radius")
    link(tree, gin, "Material", setmat, "Material")
    link(tree, star, "Curve", fillet, "Curve")
    link(tree, fillet, "Curve", resample, "Curve")
    link(tree, resample, "Curve", sweep, "Curve")
    link(tree, circle, "Curve", sweep, "Profile Curve")
    link(tree, sweep, "Mesh", merge, "Geometry")
    link(tree, merge, "Geometry", setmat, "Geometry")
    link(tree, setmat, "Geometry", smooth, "Geometry")
    link(tree, smooth, "Geometry", gout, "Geometry")
    return tree


bpy.ops.wm.read_factory_settings(use_empty=True)
tree = build_tree()
for i, col in enumerate([(0.9, 0.1, 0.1, 1), (0.1, 0.7, 0.2, 1), (0.1, 0.2, 0.9, 1)]):
    m = bpy.data.materials.new(f"Tube{i}")
    m.use_nodes = True
    m.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = col
    ob = bpy.data.objects.new(f"Star{i}", bpy.data.meshes.new(f"Star{i}"))
    ob.location = ((i - 1) * 3.6, 0, 0)
    bpy.context.collection.objects.link(ob)
    mod = ob.modifiers.new("Star Tube", 'NODES')
    mod.node_group = tree
    mod["Socket_1"] = 5 + i
    mod["Socket_2"] = 0.08 + 0.06 * i
    mod["Socket_4"] = m

bpy.ops.object.light_add(type='SUN', location=(0, 0, 5), rotation=(0.5, 0.3, 0))
bpy.ops.object.camera_add(location=(0, 0, 15))
bpy.context.scene.camera = bpy.context.object
