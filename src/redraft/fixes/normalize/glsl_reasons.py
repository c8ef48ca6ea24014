"""Categories of shader compiler messages, whichever compiler wrote them.

One list of rules over the words after place and name are taken off. Their order is part of them: the special before
the general.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

GLSL_CATEGORIES: Mapping[str, str] = {
    "array_index_range": "an index beyond the end of an array, vector or matrix",
    "array_size": "an array without the size it needs, or sized where it must not be",
    "bad_argument": "an argument of a built-in function that is not of the kind it must be",
    "condition_type": "a condition that is not a single bool, or for a switch not an integer",
    "constant_required": "something only known at run time where a constant is needed",
    "constructor_arguments": "a constructor with too few, too many or the wrong components",
    "default_argument": "a parameter's default value that is not possible",
    "entry_point": "no main function, or one of the wrong form",
    "error_directive": "an #error of the shader's own",
    "extension_required": "something that needs an #extension line",
    "function_overload": "overloads of a function that differ where they must not",
    "image_format": "an image of the wrong format or access",
    "incompatible_types": "a value of another type than what it is assigned to",
    "index_type": "an index that is not an integer",
    "interface_block": "a block of uniforms, inputs or outputs that is not allowed so",
    "interface_type": "a type that an input or output cannot have, or not without flat",
    "invalid_swizzle": "components that a vector does not have, or of two naming sets",
    "layout_qualifier": "a layout(...) that is unknown, impossible or missing",
    "length_method": "length() on something without a length",
    "malformed_literal": "a number that cannot be read, or is too large",
    "misplaced_jump": "break, continue, discard or a case label where it cannot stand",
    "missing_initializer": "a const without a value",
    "missing_return": "a function that ends without returning its value",
    "name_too_long": "a name longer than allowed",
    "no_matching_function": "a call of a function that does not exist, or not with such arguments",
    "no_such_field": "a field that a value does not have",
    "not_assignable": "assigning to what cannot be changed",
    "not_callable": "a call of something that is not a function",
    "not_indexable": "an index on something that has no elements",
    "output_conflict": "two kinds of output written in one shader",
    "opaque_type": "a sampler, image or counter where none is allowed",
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
"""The meaning of each category of a `glsl:` key, in one line."""

REASON_LIMIT = 200
"""Characters of a complaint that are read; after them come types, spelled out."""

_RULES = r"""
malformed_literal     in escape sequence|invalid (?:digit|number|escape|octal)|integeroverflow
syntax_error          ^syntax error|^expected\b|parse error|unexpectedcharacter
operator_mismatch     ^wrong operand
incompatible_types    cannot convert from
error_directive       ^#error\b|errordirective
entry_point           ^main\(\) must
entry_point           missing (?:entry point|main)|lacks `main|entry point cannot|^function cannot take any parameter
recursion             \brecurs
name_too_long         \bname (?:is )?too long|identifier .{0,40}too long
malformed_literal     literal .{0,20}\b(?:big|long|large|out of range)|\bliteral (?:needs|digit)|digit .{0,30}literal
unsupported_feature   ^operator .{1,20} is reserved|\bunsupported version|version .{0,30}not supported
unsupported_feature   ^glsl .{1,40} is not supported
unsupported_feature   shading language (?:profile|version)|bad profile|\bin glsl(?: es)? \d
unsupported_feature   glsl(?: es)? [\d.]{3,5} required
reserved_name         \breserved\b|\bnames .{0,40}cannot be (?:un|re)defined
reserved_name         can't be \(un\)defined|re-?defining pre-?defined
preprocessor          \bmacros?\b|\bdirective\b|#\s?(?:endif|else|elif|if|include)|preprocessor|conditional block
preprocessor          mismatched statements|^bad expression|can't evaluate expression|^division by|nesting depth
preprocessor          ^#version|statement must appear first|must occur first in|include <.{1,200}> not found
preprocessor          in comment$
preprocessor          missing after extension name|^unexpected #
no_matching_function  function not supported in this version|does not support sampler|global function \w+ is
no_matching_function  does not define the global function
undeclared_identifier does not define the global (?:type|variable)|global variable \w+ is (?:rem|dep)
extension_required    extension (?:not requested|not supported|'_' unsupported)|all extensions$
extension_required    extension behavior|behavior (?:not|for)|extension name not|requires .{0,9}#extension
extension_required    \bextension .{0,40}must be enabled
wrong_stage           in this stage|may not be declared in the (?:fragment|vertex)\b
wrong_stage           may only appear in an? (?:fragment|vertex|geometry)
wrong_stage           only (?:allowed |valid |available )?in (?:a |the )?(?:fragment|vertex|geometry)
unsupported_feature   not supported (?:for|with|in|by)\b|requires .{0,9}(?:#version|glsl)|not ?(?:yet )?implemented
unsupported_feature   allowed when (?:generating|using)|cannot be used with \S+ enabled|supported in glsl|in glsl \d
function_overload     overloaded functions? (?:must|declaration)|same return type|doesn't match prototype
constant_required     case label must be a constant
incompatible_types    type mismatch with switch
misplaced_jump        \blabels\b|duplicate (?:label|case)
misplaced_jump        \b(?:break|continue|discard|case|default)`? (?:statement|label|may|is used|outside|must be)
missing_return        does not return a value|no return statement|`return` expression none\b
return_type           `?return['`]? (?:with|expression)|cannot convert return|function's return type
return_type           function return is
return_type           \breturn a value|returns? .{0,30}incompatible
default_argument      default (?:parameter|value)
no_matching_function  no matching|no function|unknown function|function name expected|function syntax on
no_matching_function  can't find function|compatible overloaded|\bambiguous\b|in function call|no overload
no_matching_function  incompatible type for parameter|call (?:of|to) undeclared|call a non-function
not_callable          subroutine call expected|not a function
not_assignable        l-?value|lhs position|in the left hand side|read-?only variable|valid destination
not_assignable        value cannot be passed for|cannot (?:assign|modify)|assignment to (?:a )?(?:const|uniform|input)
not_assignable        destination address
not_assignable        (?:assignment to|references a) (?:pre|post)-(?:inc|dec)rement
output_conflict       writes to both
no_such_field         no such field|not (?:a )?member of|no field named|cannot access field|unknown ?field
no_such_field         lookup field
no_such_field         field selection requires|does not apply to this type|on scalar expr|operator on texture type
invalid_swizzle       swizzle|vector (?:field|component)
unsupported_feature   extension or glsl
constant_required     must be (?:an? )?(?:compile-time |integral )?constant|^needs a literal integer
redefinition          redeclared with different|used before its first redeclaration
qualifier             qualifiers? .{0,60}must (?:come|appear)|may be applied to structure members
qualifier             declared at global scope|^cannot use '_' at global|both input and output
function_overload     don't match prototype
layout_qualifier      \blayout\b|\blocations?\b|\bbinding\b|\bxfb|transformfeedback|\bstride\b|\bpacking\b|\boffset\s
layout_qualifier      blend equation|input_attachment|offsets? at|same offset|id already used|standalone qualifier
layout_qualifier      cannot contradict block \(|declare a default|cannot specify|buffer is too large|available \d+ c
layout_qualifier      can only be used with std|component overflow|^default qualifier requires|explicit index may
operator_mismatch     does not operate on '|operands?\b|\boperator\b|^can't use with|incompatibleoper
operator_mismatch     ^(?:lhs|rhs|left hand side|right hand side) |operation \w+ can't work|size mismatch|mismatching
array_size            implicitly sized|explicitly sized|have a declared size|must be (?:re)?declared with a size
array_size            outermost (?:array )?dimension|unsized array|must be sized
array_size            size required|^array size (?:must be (?:[>is]|a pos)|cannot)|array size cannot be
operator_mismatch     comparisons forbidden
incompatible_types    cannot convert parameter|implicitly convert \S+ to|non-matching|incompatible types?
incompatible_types    cannot be assigned to|dimension mismatch|not convertible
incompatible_types    implicit (?:cast|narrowing)|doesn't match the (?:variable )?type
constructor_arguments construct|^too many arguments|data in type|cannot convert a (?:string|sampler)
constructor_arguments number of (?:structure|matrix)|vector size|type error in .{1,10} constr|initializer.list type
void_type             \bvoid\b
bad_argument          ^first argument must|must be an? (?:interpolant|shader input)
missing_initializer   must be initiali[sz]ed
constant_required     \bconstant\b|non-constant|literal integer|runtime-expression
length_method         does not operate on this type|\bmethod\b
value_out_of_range    ^value is out of range|must be (?:positive|less than|\d+, )
array_index_range     (?:index|accessing).{0,40}(?:out of|bounds|must be [<>])|index is negative
condition_type        condition must be
index_type            integer expression|index must be|accessing with index|^invalid index
not_indexable         left of .{1,9} is not of type|dereference non-array|cannot index|invalidsubaccess
condition_type        switch.{0,40}integer
condition_type        boolean expression|\bcondition\b.{0,30}\bbool
redefinition          \bre-?(?:defin|declar)|already (?:has a body|declared|defined)|conflicts with previous
redefinition          ^cannot change|already taken|previously defined|conflicts with non-function
image_format          ^format qualifier
image_format          \bimage formats?|image with format|format requires|apply to (?:.{1,20} )?images
qualifier             must be at global scope|cannot be marked invariant|^interpolation qualifier '_'
interface_type        cannot (?:be|contain) (?:a )?(?:bool|structure|any structs)|qualified (?:as|with) '?flat|'flat'
interface_type        not allowed as input
interface_type        (?:output|input|attribute) cannot have (?:type|struct)|varying variable|cannot contain a double
interface_type        cannot be a matrix
interface_block       \bmember\b.{0,40} block|\bblock (?:name|contains)|as blocks|interface blocks?|structure or block
interface_block       instance name|embedded structure
qualifier             ^cannot use .{0,90} in a default qualifier
precision             \bprecision\b
opaque_type           \bsampler\w{0,20}\b|\bopaque\b|\batomic_uints?\b
qualifier             \bqualifiers?\b|\bqualified\b|an output$|nested scope|can only apply to|structure members
qualifier             can'?t? ?'const'
qualifier             on block or structure
syntax_error          syntax error|unexpected (?:token|end)|invalid ?(?:token|character)|endoffile|escape character
undeclared_identifier undeclared|undefined variable|unknown ?(?:variable|type|identifier)|not previously declared
"""
"""Category and expression, a line each. The first that fits counts."""


def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = (line.split(maxsplit=1) for line in _RULES.strip().splitlines())
    return tuple((category, re.compile(pattern)) for category, pattern in rows)


_COMPILED = _compiled()

_LAYOUT_WORDS = re.compile(
    r"(?:location|binding|component|index|offset|align|set|xfb|constant_id|buffer_reference|stream|max_vertices|"
    r"invocations|local_size|early_fragment|blend|layout|input_attachment|push_constant|depth_|origin_upper_left)"
)
_NAME = re.compile(r"[`'\"](?!(?:const|flat|in|main|return|void)['\"])\w{1,100}['\"]")
"""A quoted name. It is the writer's, and its letters say nothing of the kind of complaint."""
_TYPE_LAYOUT = re.compile(r"layout\( [^)]{0,300}\)")
"""Of a type spelled out: not what the complaint is about."""


_CONSTRUCTORS = ("constructor",)
_BY_TOKEN = {
    "#error": "error_directive",
    "scalar swizzle": "no_such_field",
    "non-constant initializer": "constant_required",
}
"""Names that glslang puts first. It words the last two as a matter of versions, other compilers as plain errors."""


@lru_cache(maxsize=1024)
def category_of(reason: str, token: str = "") -> str:
    """The category of a complaint; empty where its words are of no known kind.

    Args:
        reason: the words, without place, severity and the leading name.
        token: that name, or sign, or feature, as the compiler put it.
    """
    if token in _BY_TOKEN:
        return _BY_TOKEN[token]
    text = _NAME.sub("'_'", _TYPE_LAYOUT.sub("", reason[:REASON_LIMIT].lower())).strip()
    if text == "qualifier":
        return category_of(token)
    if text == "dimension mismatch" and token not in ("=", "assign"):
        return "operator_mismatch"
    found = next((category for category, pattern in _COMPILED if pattern.search(text)), "")
    if found == "incompatible_types" and token in _CONSTRUCTORS:
        return "constructor_arguments"
    return "layout_qualifier" if found in ("", "qualifier") and _LAYOUT_WORDS.match(token) else found
