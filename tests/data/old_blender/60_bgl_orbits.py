# Blender 2.80
# Draw orbit lines in the viewport with bgl + gpu, panel in the N sidebar
import bpy
import bgl
import gpu
from gpu_extras.batch import batch_for_shader
from math import sin, cos, pi

PLANETS = [(1.8, 0.2), (3.0, 0.35), (4.4, 0.28)]
shader = gpu.shader.from_builtin('3D_UNIFORM_COLOR')


def circle(r, n=64):
    return [(r * cos(2 * pi * i / n), r * sin(2 * pi * i / n), 0) for i in range(n + 1)]


def draw_orbits():
    k = bpy.context.scene.orbit_scale
    bgl.glEnable(bgl.GL_BLEND)
    bgl.glEnable(bgl.GL_LINE_SMOOTH)
    bgl.glLineWidth(2)
    shader.bind()
    shader.uniform_float("color", (1, 0.8, 0.2, 0.6))
    for r, _ in PLANETS:
        batch_for_shader(shader, 'LINE_STRIP', {"pos": circle(r * k)}).draw(shader)
    bgl.glLineWidth(1)
    bgl.glDisable(bgl.GL_LINE_SMOOTH)
    bgl.glDisable(bgl.GL_BLEND)


class SCENE_OT_build_orbits(bpy.types.Operator):
    bl_idname = "scene.build_orbits"
    bl_label = "Build Orbits"

    def execute(self, context):
        bpy.ops.object.select_all(action='SELECT')
        bpy.ops.object.delete()
        k = context.scene.orbit_scale
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.8)
        for i, (r, size) in enumerate(PLANETS):
            bpy.ops.mesh.primitive_uv_sphere_add(radius=size, location=(r * k * cos(i * 2), r * k * sin(i * 2), 0))
            context.object.color = (0.2, 0.3 * i, 0.8, 1)
        bpy.ops.object.light_add(type='POINT', location=(0, 0, 3))
        context.object.data.energy = 500
        bpy.ops.object.camera_add(location=(0, -12, 7), rotation=(1.04, 0, 0))
        context.scene.camera = context.object
        return {'FINISHED'}


class VIEW3D_PT_orbits(bpy.types.Panel):
    bl_label = "Orbits"
    bl_space_type = 'VIEW_3D'
    bl_region_type = 'UI'
    bl_category = "Orbits"

    def draw(self, context):
        self.layout.prop(context.scene, "orbit_scale")
        self.layout.operator("scene.build_orbits")


if __name__ == "__main__":
    bpy.types.Scene.orbit_scale = bpy.props.FloatProperty(name="Scale", default=1.0, min=0.1)
    bpy.utils.register_class(SCENE_OT_build_orbits)
    bpy.utils.register_class(VIEW3D_PT_orbits)
    bpy.context.scene["orbit_scale"] = 1.2    # set without triggering updates
    bpy.types.SpaceView3D.draw_handler_add(draw_orbits, (), 'WINDOW', 'POST_VIEW')
    bpy.ops.scene.build_orbits()
