# change: Principled Specular -> Specular IOR Level (4.0); also: Transmission
# holds: round(bpy.data.materials['Glass'].node_tree.nodes['Principled BSDF'].inputs['Transmission Weight'].default_value, 2) == 1.0
import bpy


def make_material(name, color, roughness=0.5, specular=0.5, transmission=0.0):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes.get('Principled BSDF')
    bsdf.inputs['Base Color'].default_value = color
    bsdf.inputs['Roughness'].default_value = roughness
    bsdf.inputs['Specular'].default_value = specular
    bsdf.inputs['Transmission'].default_value = transmission
    return mat


glass = make_material('Glass', (0.9, 0.95, 1, 1), roughness=0.0, transmission=1.0)
wood = make_material('Wood', (0.3, 0.15, 0.05, 1), specular=0.2)

bpy.ops.mesh.primitive_cylinder_add(radius=0.5, depth=1.5, location=(0, 0, 1))
bpy.context.object.data.materials.append(glass)
bpy.ops.mesh.primitive_cube_add(size=4, location=(0, 0, -1.8))
bpy.context.object.data.materials.append(wood)
