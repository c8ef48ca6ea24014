"""Words that GLSL and the contract bring to every program, and names of other dialects."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["ARITIES", "CONTRACT", "GLSL_TYPES", "LEGACY", "QUALIFIERS", "RESERVED", "known_word"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


GLSL_TYPES = _words(
    "void bool int uint float double vec2 vec3 vec4 ivec2 ivec3 ivec4 uvec2 uvec3 uvec4 bvec2 bvec3 bvec4 dvec2 dvec3 "
    "dvec4 mat2 mat3 mat4 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 sampler1D sampler2D sampler3D "
    "samplerCube sampler2DRect samplerBuffer sampler1DShadow sampler2DShadow samplerCubeShadow sampler1DArray "
    "sampler2DArray sampler1DArrayShadow sampler2DArrayShadow sampler2DRectShadow sampler2DMS sampler2DMSArray "
    "isampler1D isampler2D isampler3D isamplerCube isampler2DArray usampler1D usampler2D usampler3D usamplerCube "
    "usampler2DArray isampler1DArray usampler1DArray isamplerBuffer usamplerBuffer isampler2DRect "
    "usampler2DRect"
)
QUALIFIERS = _words(
    "const uniform in out inout attribute varying centroid flat smooth noperspective invariant highp mediump lowp "
    "precise layout precision"
)
RESERVED = QUALIFIERS | _words(
    "if else for while do return break continue discard switch case default struct true false"
)
CONTRACT = _words("u_resolution u_time u_mouse u_seed v_uv f_color main")
"""The names that a shader of this project is given, and the one that it is to have."""

_ARITIES = """
1 sin cos tan asin acos sinh cosh tanh asinh acosh atanh radians degrees exp log exp2 log2 sqrt inversesqrt abs sign
1 floor trunc round roundEven ceil fract isnan isinf length normalize any all not transpose inverse determinant dFdx
1 dFdy fwidth floatBitsToInt floatBitsToUint intBitsToFloat uintBitsToFloat noise1 noise2 noise3 noise4 ftransform
2 pow mod min max step distance dot cross reflect outerProduct lessThan lessThanEqual greaterThan greaterThanEqual
2 equal notEqual matrixCompMult modf texelFetchBuffer
3 clamp mix smoothstep faceforward refract textureLod texelFetch textureOffset textureProjLod fma
1-2 atan
2-3 texture textureProj texture1D texture2D texture3D textureCube texture2DProj texture1DProj shadow1D shadow2D
1-2 textureSize
4 textureGrad textureLodOffset
"""


def _table() -> dict[str, tuple[int, int]]:
    """Name → fewest and most arguments."""
    table: dict[str, tuple[int, int]] = {}
    for line in _ARITIES.split("\n"):
        head, *names = line.split() or [""]
        low, _, high = head.partition("-")
        table.update((name, (int(low), int(high or low))) for name in names)
    return table


ARITIES: Mapping[str, tuple[int, int]] = _table()
"""GLSL's own functions with the fewest and the most arguments they take."""

LEGACY: Mapping[str, tuple[str, ...]] = {
    "gl_FragColor": ("f_color",),
    "gl_FragData": ("f_color",),
    "fragColor": ("f_color",),
    "FragColor": ("f_color",),
    "outColor": ("f_color",),
    "fragCoord": ("gl_FragCoord", "."),
    "iTime": ("u_time",),
    "iGlobalTime": ("u_time",),
    "time": ("u_time",),
    "iResolution": ("u_resolution",),
    "resolution": ("u_resolution",),
    "iMouse": ("u_mouse",),
    "mouse": ("u_mouse",),
    "vUv": ("v_uv",),
    "uv": ("v_uv",),
    "texture1D": ("texture",),
    "texture2D": ("texture",),
    "texture3D": ("texture",),
    "textureCube": ("texture",),
    "texture2DLod": ("textureLod",),
    "texture2DLodEXT": ("textureLod",),
    "texture2DProj": ("textureProj",),
    "tex2D": ("texture",),
    "lerp": ("mix",),
    "frac": ("fract",),
    "fmod": ("mod",),
    "atan2": ("atan",),
    "rsqrt": ("inversesqrt",),
    "ddx": ("dFdx",),
    "ddy": ("dFdy",),
    "float2": ("vec2",),
    "float3": ("vec3",),
    "float4": ("vec4",),
    "half": ("float",),
    "half3": ("vec3",),
    "half4": ("vec4",),
    "int2": ("ivec2",),
    "int3": ("ivec3",),
    "int4": ("ivec4",),
    "bool2": ("bvec2",),
    "bool3": ("bvec3",),
    "float2x2": ("mat2",),
    "float3x3": ("mat3",),
    "float4x4": ("mat4",),
    "varying": ("in",),
    "attribute": ("in",),
}
"""Names of older GLSL, WebGL 1, Shadertoy and HLSL, with what stands in their place here."""


def known_word(word: str) -> bool:
    """Return whether a word is the language's own, or the contract's."""
    return word in GLSL_TYPES or word in RESERVED or word in CONTRACT or word in ARITIES or word.startswith("gl_")
