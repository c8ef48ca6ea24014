"""Names that mean the same in everybody's shader: GLSL's own, old ones, and those of Shadertoy and HLSL.

Only such a name may become the detail of a key; a writer's own name says nothing to the next writer.
"""

from __future__ import annotations

import re

__all__ = ["CONSTRUCTOR", "is_function", "is_universal"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CONSTRUCTOR = re.compile(
    r"\b(?:bool|u?int|float|double|[biud]?vec[234]|d?mat[234](?:x[234])?)(?=\s{0,9}(?:\[\s{0,9}\d{0,9}\s{0,9}\]\s{0,9})?\()"
)
"""A call of a scalar, vector or matrix type."""

_FUNCTIONS = _words(
    "radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log exp2 log2 sqrt "
    "inversesqrt abs sign floor trunc round roundEven ceil fract mod modf min max clamp mix step smoothstep "
    "isnan isinf "
    "floatBitsToInt floatBitsToUint intBitsToFloat uintBitsToFloat fma frexp ldexp length distance dot cross normalize "
    "ftransform faceforward reflect refract matrixCompMult outerProduct transpose determinant inverse lessThan "
    "lessThanEqual greaterThan greaterThanEqual equal notEqual any all not uaddCarry usubBorrow umulExtended "
    "imulExtended bitfieldExtract bitfieldInsert bitfieldReverse bitCount findLSB findMSB dFdx dFdy fwidth dFdxFine "
    "dFdyFine fwidthFine dFdxCoarse dFdyCoarse fwidthCoarse noise1 noise2 noise3 noise4 EmitVertex EndPrimitive "
    "barrier memoryBarrier memoryBarrierAtomicCounter memoryBarrierBuffer memoryBarrierShared memoryBarrierImage "
    "groupMemoryBarrier controlBarrier controlBarrierArrive controlBarrierWait subpassLoad"
)
_FAMILIES = re.compile(
    r"(?:texture|texelFetch)(?:[123]D|Cube)?(?:Rect|Array|MS)?(?:Proj|Lod|LOD|Grad|Gather|Offsets?|Size|Samples|Query|"
    r"Levels|Buffer|Clamp|Fetch)*(?:ARB|EXT|NV|AMD|OES)?|"
    r"shadow(?:[12]D|Cube)(?:Rect)?(?:Proj|Lod|Grad)*(?:ARB|EXT)?|"
    r"interpolateAt(?:Centroid|Sample|Offset|Vertex)\w{0,9}|"
    r"(?:un)?pack(?:[SU]norm|Half|Double|U?[Ii]nt|Float)\w{1,9}|"
    r"image(?:Load|Store|Size|Samples|Atomic[A-Z]\w{1,20})|atomic(?:Counter\w{0,20}|[A-Z][a-z]{1,9}\w{0,9})|"
    r"(?:any|all)(?:Invocations?|Equal)?(?:ARB|EXT)|allInvocationsEqual\w{0,5}|subgroup[A-Z]\w{2,40}"
)
_FOREIGN_FUNCTIONS = _words(
    "lerp frac fmod saturate rsqrt atan2 mul ddx ddy tex1D tex2D tex3D texCUBE tex2Dlod tex2Dproj tex2Dbias tex2Dgrad "
    "sincos clip log10 rcp mad fabs fmin fmax powf sqrtf sinf cosf mainImage"
)
_FOREIGN = _words(
    "iTime iGlobalTime iTimeDelta iFrame iFrameRate iResolution iMouse iDate iSampleRate iChannel0 iChannel1 iChannel2 "
    "iChannel3 iChannelTime iChannelResolution fragCoord fragColor varying attribute terminateInvocation"
)
_FOREIGN_TYPES = re.compile(
    r"(?:float|half|fixed|double|int|uint|bool|min16float)[1-4](?:x[1-4])?|half|fixed|[fiu]?(?:32|16)|"
    r"vec[234][fiu]|mat[234]x[234]f|SamplerState|Texture2D|Sampler2D"
)


def is_function(name: str) -> bool:
    """Whether a name is a function of GLSL, of any version, or one that other shading languages have."""
    return name in _FUNCTIONS or name in _FOREIGN_FUNCTIONS or _FAMILIES.fullmatch(name) is not None


def is_universal(name: str) -> bool:
    """Whether a name is the language's, an older version's, Shadertoy's or HLSL's, and not the writer's own."""
    if not (name.isidentifier() and name.isascii()):
        return False
    foreign = name in _FOREIGN or _FOREIGN_TYPES.fullmatch(name) is not None
    return foreign or name.startswith("gl_") or is_function(name)
