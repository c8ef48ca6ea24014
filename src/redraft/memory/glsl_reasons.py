"""What a shader compiler's words mean: the category of a complaint, whichever compiler made it.

One list of rules over the words after place and name are taken off. Their order is part of them: the special before
the general.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["GLSL_CATEGORIES", "category_of"]

GLSL_CATEGORIES: Mapping[str, str] = {
    "array_index_range": "an index beyond the end of an array, vector or matrix",
    "array_size": "an array without the size it needs, or sized where it must not be",
    "bad_argument": "an argument of a built-in function that is not of the kind it must be",
    "condition_type": "a condition that is no single bool",
    "constant_required": "something only known at run time where a constant is needed",
    "constructor_arguments": "a constructor with too few, too many or the wrong components",
    "default_argument": "a parameter's default value that is not possible",
    "entry_point": "no main function, or one of the wrong form",
    "error_directive": "an #error of the shader's own",
    "extension_required": "something that needs an #extension line",
    "function_overload": "overloads of a function that differ where they must not",
    "image_format": "an image of the wrong format or access",
    "incompatible_types": "a value of another type than what it is assigned to",
    "index_type": "an index that is no integer",
    "interface_block": "a block of uniforms, inputs or outputs that is not allowed so",
    "interface_type": "a type that an input or output cannot have, or not without flat",
    "invalid_swizzle": "components that a vector does not have, or of two naming sets",
    "layout_qualifier": "a layout(...) that is unknown, impossible or missing",
    "length_method": "length() where there is none",
    "malformed_literal": "a number that cannot be read, or is too large",
    "misplaced_jump": "break, continue, case or discard where it cannot stand",
    "missing_initializer": "a const without a value",
    "missing_return": "a function that ends without returning its value",
    "name_too_long": "a name longer than allowed",
    "no_matching_function": "a call of a function that does not exist, or not with such arguments",
    "no_such_field": "a field that a value does not have",
    "not_assignable": "assigning to what cannot be changed",
    "not_callable": "a call of something that is no function",
    "not_indexable": "an index on something that has no elements",
    "opaque_type": "a sampler, image or counter where there can be none",
    "operator_mismatch": "operands that the operator does not take together",
    "precision": "a missing or impossible precision",
    "preprocessor": "a # line or a macro that is wrong",
    "qualifier": "a qualifier that cannot stand there",
    "recursion": "a function that calls itself",
    "redefinition": "a name that is declared twice, or once more but otherwise",
    "reserved_name": "a name that the language keeps for itself",
    "return_type": "a return without a value, or with one of the wrong type",
    "syntax_error": "a sign missing or too many",
    "undeclared_identifier": "a name that is not declared",
    "unsupported_feature": "something that this version of the language does not have",
    "value_out_of_range": "a number outside of what is allowed there",
    "void_type": "void where a value is needed",
    "wrong_stage": "something that this kind of shader does not have",
}
"""What each category of a `glsl:` key means, in one line."""

_RULES: tuple[tuple[str, str], ...] = (
    ("syntax_error", r"unexpectedcharacter"),
    ("error_directive", r"^#error\b|errordirective"),
    ("entry_point", r"missing (?:entry point|main)|lacks `main|entry point cannot|^function cannot take any parameter"),
    ("recursion", r"\brecurs"),
    ("name_too_long", r"\bname (?:is )?too long|identifier .{0,40}too long"),
    ("malformed_literal", r"literal .{0,20}\b(?:big|long|large|range)|\bliteral (?:needs|digit)|digit .{0,30}literal"),
    ("malformed_literal", r"invalid (?:digit|number|escape)|in escape sequence|integeroverflow|invalid octal"),
    ("unsupported_feature", r"^operator .{1,20} is reserved|\bunsupported version|version .{0,30}not supported"),
    ("reserved_name", r"\breserved\b|can't be \(un\)defined|re-?defining pre-?defined"),
    ("preprocessor", r"\bmacros?\b|\bdirective\b|#\s?(?:endif|else|elif|if|include)|preprocessor|conditional block"),
    ("preprocessor", r"mismatched statements|^bad expression|can't evaluate expression|^division by|nesting depth"),
    ("preprocessor", r"missing after extension name|^unexpected #"),
    ("no_matching_function", r"function not supported in this version|does not support sampler|global function \w+ is"),
    ("no_matching_function", r"does not define the global function"),
    ("undeclared_identifier", r"does not define the global (?:type|variable)|global variable \w+ is (?:rem|dep)"),
    ("extension_required", r"extension not requested|requires .{0,9}#extension|\bextension .{0,40}must be enabled"),
    (
        "wrong_stage",
        r"in this stage\b|only (?:allowed |valid |available )?in (?:a |the )?(?:fragment|vertex|geometry|compute)",
    ),
    (
        "unsupported_feature",
        r"not supported (?:for|with|in|by)\b|requires .{0,9}(?:#version|glsl)|not (?:yet )?implemented",
    ),
    (
        "unsupported_feature",
        r"allowed when (?:generating|using)|cannot be used with \S+ enabled|supported in glsl|in glsl \d",
    ),
    ("function_overload", r"overloaded functions? (?:must|declaration)|same return type|doesn't match prototype"),
    ("misplaced_jump", r"\b(?:break|continue|case|default|discard)\b.{0,40}\b(?:only|outside|inside)\b"),
    ("missing_return", r"does not return a value|no return statement|`return` expression none\b"),
    (
        "return_type",
        r"`?return['`]? (?:with|expression)|cannot convert return|function's return type|function return is",
    ),
    ("return_type", r"\breturn a value|returns? .{0,30}incompatible"),
    ("default_argument", r"default (?:parameter|value)"),
    ("no_matching_function", r"no matching|no function|unknown function|function name expected|function syntax on"),
    ("no_matching_function", r"can't find function|compatible overloaded|\bambiguous\b|in function call|no overload"),
    ("no_matching_function", r"incompatible type for parameter|call (?:of|to) undeclared|call a non-function"),
    ("not_callable", r"subroutine call expected|not a function"),
    (
        "not_assignable",
        r"l-?value|lhs position|in the left hand side|read-?only variable|valid destination|destination addr",
    ),
    (
        "not_assignable",
        r"value cannot be passed for|cannot (?:assign|modify)|assignment to (?:a )?(?:const|uniform|input)",
    ),
    (
        "no_such_field",
        r"no such field|not (?:a )?member of|no field named|cannot access field|unknown ?field|lookup field",
    ),
    ("no_such_field", r"field selection requires|does not apply to this type|on scalar expr|operator on texture type"),
    ("invalid_swizzle", r"swizzle|vector (?:field|component)"),
    (
        "layout_qualifier",
        r"\blayout\b|\blocations?\b|\bbinding\b|\bxfb|transformfeedback|\bstride\b|\bpacking\b|\boffset ",
    ),
    (
        "layout_qualifier",
        r"blend equation|input_attachment|offsets? at|same offset|id already used|standalone qualifier",
    ),
    (
        "layout_qualifier",
        r"cannot contradict block \(|declare a default|cannot specify|buffer is too large|available \d+ c",
    ),
    (
        "operator_mismatch",
        r"wrong operand|does not operate on '|operands?\b|\boperator\b|^can't use with|incompatibleoper",
    ),
    (
        "operator_mismatch",
        r"^(?:lhs|rhs|left hand side|right hand side) |operation \w+ can't work|size mismatch|mismatching",
    ),
    (
        "array_size",
        r"must be (?:re)?declared with a size|outermost dimension|unsized array|must be sized|size required",
    ),
    (
        "incompatible_types",
        r"cannot convert from|non-matching|incompatible types?|cannot be assigned to|dimension mismatch",
    ),
    ("incompatible_types", r"implicit (?:cast|narrowing)|doesn't match the (?:variable )?type|not convertible"),
    ("constructor_arguments", r"construct|^too many arguments|data in type|cannot convert a string"),
    ("void_type", r"\bvoid\b"),
    ("bad_argument", r"^first argument must|must be an? (?:interpolant|shader input)"),
    ("missing_initializer", r"must be initiali[sz]ed"),
    ("constant_required", r"\bconstant\b|non-constant|literal integer|runtime-expression"),
    ("length_method", r"does not operate on this type|\bmethod\b"),
    ("value_out_of_range", r"^value is out of range|must be (?:positive|less than|\d+, )"),
    ("array_index_range", r"(?:index|accessing).{0,40}(?:out of|bounds|must be [<>])|index is negative"),
    ("index_type", r"integer expression|index must be|accessing with index|^invalid index"),
    ("not_indexable", r"left of .{1,9} is not of type|dereference non-array|cannot index|invalidsubaccess"),
    ("condition_type", r"boolean expression|\bcondition\b.{0,30}\bbool"),
    (
        "redefinition",
        r"\bre-?(?:defin|declar)|already (?:has a body|declared|defined)|conflicts with previous|^cannot change",
    ),
    ("image_format", r"\bimage formats?|image with format|format requires"),
    (
        "interface_type",
        r"cannot (?:be|contain) (?:a )?(?:bool|structure|any structs)|qualified (?:as|with) '?flat|'flat'",
    ),
    ("interface_type", r"not allowed as input"),
    (
        "interface_block",
        r"\bmember\b.{0,20} block|\bblock (?:name|contains)|as blocks|structure or block|instance name",
    ),
    ("opaque_type", r"\bsampler\w*\b|\bopaque\b|\batomic_uints?\b"),
    (
        "qualifier",
        r"\bqualifiers?\b|\bqualified\b|an output$|nested scope|only apply to 'in'|structure members|can'?t? ?'const'",
    ),
    ("precision", r"\bprecision\b"),
    (
        "syntax_error",
        r"syntax error|parse error|unexpected (?:token|end)|^expected\b|invalid ?(?:token|character)|endoffile",
    ),
    ("syntax_error", r"escape character"),
    (
        "undeclared_identifier",
        r"undeclared|undefined variable|unknown ?(?:variable|type|identifier)|not previously declared",
    ),
)
_COMPILED = tuple((category, re.compile(pattern)) for category, pattern in _RULES)

_LAYOUT_WORDS = re.compile(
    r"(?:location|binding|component|index|offset|align|set|xfb|constant_id|buffer_reference|stream|max_vertices|"
    r"invocations|local_size|early_fragment|layout|input_attachment|push_constant|depth_|origin_upper_left)"
)


def category_of(reason: str, token: str = "") -> str:
    """The category of a complaint; empty where its words are of no known kind.

    Args:
        reason: the words, without place, severity and the leading name.
        token: that name, or sign, or feature, as the compiler put it.
    """
    if token == "#error":
        return "error_directive"
    if token == "scalar swizzle":  # glslang's words for a component of a float are about versions
        return "no_such_field"
    text = reason[:2_000].lower().strip()
    if text == "dimension mismatch" and token not in ("=", "assign"):
        return "operator_mismatch"
    for category, pattern in _COMPILED:
        if pattern.search(text):
            return category
    if _LAYOUT_WORDS.match(token):
        return "layout_qualifier"
    return category_of(token) if text == "qualifier" else ""
