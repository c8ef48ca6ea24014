"""Where prompt, seed and size go in a ComfyUI workflow: as the file says, or up the links from its samplers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from image_servers import comfy_workflow

from redraft.errors import ConfigError
from redraft.painting.base import ImageRequest
from redraft.studios.image.backends.workflow import Filled, Workflow, read_workflow

Json = dict[str, Any]
REQUEST = ImageRequest(prompt="a lighthouse", seed=7, width=640, height=384)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "workflow.json"


def read(file: Path, graph: Any) -> Workflow:
    file.write_text(json.dumps(graph), encoding="utf-8")
    return read_workflow(file)


def filled(file: Path, graph: Any) -> Filled:
    return read(file, graph).filled(REQUEST)


def inputs(result: Filled, node: str) -> Json:
    graph: Any = result.graph
    return graph[node]["inputs"]


def flux() -> Json:
    """Advanced sampling, as the examples for Flux have it: guider, noise and sampler are nodes of their own."""
    return {
        "5": {"class_type": "EmptySD3LatentImage", "inputs": {"width": 1024, "height": 1024, "batch_size": 1}},
        "6": {"class_type": "CLIPTextEncode", "inputs": {"text": "a cake", "clip": ["11", 0]}},
        "11": {"class_type": "DualCLIPLoader", "inputs": {"clip_name1": "t5xxl.safetensors"}},
        "12": {"class_type": "UNETLoader", "inputs": {"unet_name": "flux1-dev.safetensors"}},
        "13": {
            "class_type": "SamplerCustomAdvanced",
            "inputs": {"noise": ["25", 0], "guider": ["22", 0], "sampler": ["16", 0], "latent_image": ["5", 0]},
        },
        "16": {"class_type": "KSamplerSelect", "inputs": {"sampler_name": "euler"}},
        "22": {"class_type": "BasicGuider", "inputs": {"model": ["12", 0], "conditioning": ["26", 0]}},
        "25": {"class_type": "RandomNoise", "inputs": {"noise_seed": 219670278747233}},
        "26": {"class_type": "FluxGuidance", "inputs": {"guidance": 3.5, "conditioning": ["6", 0]}},
    }


def two_passes() -> Json:
    """A second sampler refines an enlarged latent; the positive text passes through a ControlNet."""
    graph = comfy_workflow()
    graph["10"] = {
        "class_type": "LatentUpscale",
        "inputs": {"samples": ["3", 0], "width": 1152, "height": 1152, "crop": "disabled"},
    }
    sampler = graph["3"]["inputs"]
    graph["11"] = {"class_type": "KSampler", "inputs": {**sampler, "seed": 1, "latent_image": ["10", 0]}}
    graph["12"] = {
        "class_type": "ControlNetApplyAdvanced",
        "inputs": {"positive": ["6", 0], "negative": ["7", 0], "strength": 1},
    }
    for name in ("3", "11"):
        graph[name]["inputs"] |= {"positive": ["12", 0], "negative": ["12", 1]}
    return graph


class TestFound:
    """Without placeholders, by the links."""

    def test_the_first_example(self, file: Path) -> None:
        result = filled(file, comfy_workflow())
        assert inputs(result, "6")["text"] == "a lighthouse"
        assert inputs(result, "7")["text"] == "text, watermark"
        assert inputs(result, "3")["seed"] == 7
        assert (inputs(result, "5")["width"], inputs(result, "5")["height"]) == (640, 384)
        assert (result.seed, result.sized) == (7, True)

    def test_nothing_else_changes(self, file: Path) -> None:
        result = filled(file, comfy_workflow())
        expected = comfy_workflow()
        expected["6"]["inputs"]["text"] = "a lighthouse"
        expected["3"]["inputs"]["seed"] = 7
        expected["5"]["inputs"] |= {"width": 640, "height": 384}
        assert result.graph == expected

    def test_the_advanced_sampler(self, file: Path) -> None:
        result = filled(file, flux())
        assert inputs(result, "6")["text"] == "a lighthouse"
        assert inputs(result, "25")["noise_seed"] == 7
        assert inputs(result, "5")["width"] == 640

    def test_two_passes_with_one_text(self, file: Path) -> None:
        result = filled(file, two_passes())
        assert inputs(result, "6")["text"] == "a lighthouse"
        assert inputs(result, "7")["text"] == "text, watermark"
        assert [inputs(result, name)["seed"] for name in ("3", "11")] == [7, 7]
        assert inputs(result, "5")["width"] == 640
        assert inputs(result, "10")["width"] == 1152

    def test_an_encoder_with_two_texts_gets_the_prompt_in_both(self, file: Path) -> None:
        graph = comfy_workflow()
        graph["6"] = {
            "class_type": "CLIPTextEncodeSDXL",
            "inputs": {"text_g": "a", "text_l": "b", "width": 4096, "height": 4096, "clip": ["4", 1]},
        }
        result = filled(file, graph)
        assert (inputs(result, "6")["text_g"], inputs(result, "6")["text_l"]) == ("a lighthouse", "a lighthouse")
        assert inputs(result, "6")["width"] == 4096

    def test_values_that_are_nodes_of_their_own(self, file: Path) -> None:
        graph = comfy_workflow()
        graph["20"] = {"class_type": "PrimitiveStringMultiline", "inputs": {"value": "a bottle"}}
        graph["21"] = {"class_type": "PrimitiveInt", "inputs": {"value": 3, "control_after_generate": "fixed"}}
        graph["6"]["inputs"]["text"] = ["20", 0]
        graph["3"]["inputs"]["seed"] = ["21", 0]
        result = filled(file, graph)
        assert inputs(result, "20")["value"] == "a lighthouse"
        assert inputs(result, "21")["value"] == 7

    def test_a_picture_to_start_from_has_no_size_to_set(self, file: Path) -> None:
        graph = comfy_workflow()
        graph["5"] = {"class_type": "VAEEncode", "inputs": {"pixels": ["30", 0], "vae": ["4", 2]}}
        graph["30"] = {"class_type": "LoadImage", "inputs": {"image": "example.png"}}
        result = filled(file, graph)
        assert (result.sized, result.seed) == (False, 7)

    def test_a_circle_of_links_ends(self, file: Path) -> None:
        graph = comfy_workflow()
        graph["31"] = {"class_type": "ConditioningSetArea", "inputs": {"conditioning": ["32", 0]}}
        graph["32"] = {"class_type": "ConditioningSetArea", "inputs": {"conditioning": ["31", 0]}}
        graph["3"]["inputs"]["positive"] = ["31", 0]
        with pytest.raises(ConfigError, match="no place for the prompt"):
            read(file, graph)

    def test_several_texts_are_named_and_none_is_guessed(self, file: Path) -> None:
        graph = comfy_workflow()
        graph["40"] = {"class_type": "CLIPTextEncode", "inputs": {"text": "oil on canvas", "clip": ["4", 1]}}
        graph["41"] = {
            "class_type": "ConditioningCombine",
            "inputs": {"conditioning_1": ["6", 0], "conditioning_2": ["40", 0]},
        }
        graph["3"]["inputs"]["positive"] = ["41", 0]
        with pytest.raises(ConfigError) as error:
            read(file, graph)
        assert "40 (CLIPTextEncode: 'oil on canvas'); 6 (CLIPTextEncode: 'a bottle')" in str(error.value)
        assert "Write {{prompt}} into the one" in str(error.value)

    def test_several_sizes_are_named_and_none_is_guessed(self, file: Path) -> None:
        graph = comfy_workflow()
        graph["50"] = {"class_type": "EmptyLatentImage", "inputs": {"width": 256, "height": 256, "batch_size": 1}}
        graph["51"] = {"class_type": "KSampler", "inputs": {**graph["3"]["inputs"], "latent_image": ["50", 0]}}
        with pytest.raises(ConfigError, match=r"several sizes: 5 \(EmptyLatentImage: 512 × 512\); 50 "):
            read(file, graph)

    def test_a_graph_without_a_sampler(self, file: Path) -> None:
        with pytest.raises(ConfigError, match=r"Write \{\{prompt\}\} where it goes"):
            read(file, {"1": {"class_type": "LoadImage", "inputs": {"image": "a.png"}}})


class TestPlaceholders:
    """What the file says."""

    def test_a_placeholder_alone_becomes_the_value_with_its_type(self, file: Path) -> None:
        node = {"a": "{{prompt}}", "b": "{{ seed }}", "c": ["{{width}}", {"d": " {{height}} "}]}
        result = filled(file, {"1": {"class_type": "AnyNode", "inputs": node}})
        assert inputs(result, "1") == {"a": "a lighthouse", "b": 7, "c": [640, {"d": 384}]}
        assert (result.seed, result.sized) == (7, True)

    def test_within_a_text_it_becomes_text(self, file: Path) -> None:
        node = {"text": "oil, {{prompt}}, {{width}} wide", "name": "run_{{seed}}"}
        result = filled(file, {"1": {"class_type": "AnyNode", "inputs": node}})
        assert inputs(result, "1") == {"text": "oil, a lighthouse, 640 wide", "name": "run_7"}

    def test_a_prompt_is_never_read_for_placeholders(self, file: Path) -> None:
        request = REQUEST.model_copy(update={"prompt": 'draw {{seed}} "and" \\1 {{nonsense}}'})
        node = {"text": "x {{prompt}}", "other": "{{prompt}}"}
        result = read(file, {"1": {"class_type": "AnyNode", "inputs": node}}).filled(request)
        assert inputs(result, "1") == {
            "text": 'x draw {{seed}} "and" \\1 {{nonsense}}',
            "other": 'draw {{seed}} "and" \\1 {{nonsense}}',
        }

    def test_a_placeholder_goes_before_the_links_and_only_for_its_own_value(self, file: Path) -> None:
        graph = comfy_workflow()
        graph["7"]["inputs"]["text"] = "{{prompt}}"
        result = filled(file, graph)
        assert (inputs(result, "7")["text"], inputs(result, "6")["text"]) == ("a lighthouse", "a bottle")
        assert inputs(result, "3")["seed"] == 7

    def test_a_width_without_a_height_is_no_size(self, file: Path) -> None:
        graph = comfy_workflow()
        graph["5"]["inputs"]["width"] = "{{width}}"
        result = filled(file, graph)
        assert (inputs(result, "5")["width"], inputs(result, "5")["height"], result.sized) == (640, 512, False)

    def test_one_that_is_unknown_is_named_with_what_was_meant(self, file: Path) -> None:
        with pytest.raises(ConfigError, match=r"placeholder \{\{promt\}\}\. Did you mean \{\{prompt\}\}\?"):
            read(file, {"1": {"class_type": "AnyNode", "inputs": {"text": "{{promt}}"}}})

    @given(st.integers(-(2**80), 2**80))
    def test_every_seed_is_one_that_comfyui_takes(self, seed: int) -> None:
        graph: Any = {"1": {"class_type": "AnyNode", "inputs": {"seed": "{{seed}}", "text": "{{prompt}}"}}}
        workflow = Workflow(graph, (), (), (), frozenset({"seed", "prompt"}))
        sent = workflow.filled(REQUEST.model_copy(update={"seed": seed})).seed
        assert sent is not None
        assert 0 <= sent < 2**64
        assert (sent - seed) % 2**64 == 0

    @pytest.mark.slow
    @given(st.text())
    def test_any_prompt_arrives_as_it_is_and_leaves_the_workflow_alone(self, prompt: str) -> None:
        graph: Any = {"1": {"class_type": "AnyNode", "inputs": {"text": "{{prompt}}", "more": "<{{prompt}}>"}}}
        workflow = Workflow(graph, (), (), (), frozenset({"prompt"}))
        result = workflow.filled(REQUEST.model_copy(update={"prompt": prompt}))
        assert inputs(result, "1") == {"text": prompt, "more": f"<{prompt}>"}
        assert graph["1"]["inputs"] == {"text": "{{prompt}}", "more": "<{{prompt}}>"}


class TestRefused:
    """A file that is not a workflow in API format is refused with what to do."""

    def test_the_editors_own_form(self, file: Path) -> None:
        editor = {
            "last_node_id": 9,
            "nodes": [{"id": 3, "type": "KSampler"}],
            "links": [[1, 4, 0, 3, 0]],
            "version": 0.4,
        }
        with pytest.raises(ConfigError, match=r"in the editor's format.*Export \(API\).*Save \(API Format\)"):
            read(file, editor)

    def test_a_whole_request(self, file: Path) -> None:
        with pytest.raises(ConfigError, match='Keep only what it has under "prompt"'):
            read(file, {"prompt": comfy_workflow(), "client_id": "x"})

    @pytest.mark.parametrize("other", [[], "text", 7, None, {}])
    def test_other_json(self, file: Path, other: Any) -> None:
        with pytest.raises(ConfigError, match=r"(is not a JSON object|has no nodes).*Export \(API\)"):
            read(file, other)

    @pytest.mark.parametrize("node", [7, {}, {"class_type": "X"}, {"class_type": 3, "inputs": {}}, {"inputs": {}}])
    def test_what_is_no_node_is_named(self, file: Path, node: Any) -> None:
        with pytest.raises(ConfigError, match="'extra', which is not a node"):
            read(file, {**comfy_workflow(), "extra": node})

    @pytest.mark.parametrize("text", ["", "{", "{'a': 1}", '{"a": NaN}', "[" * 100_000])
    def test_what_is_no_json(self, file: Path, text: str) -> None:
        file.write_text(text, encoding="utf-8")
        with pytest.raises(ConfigError, match="is not JSON"):
            read_workflow(file)

    def test_a_picture(self, file: Path) -> None:
        file.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
        with pytest.raises(ConfigError, match="is not JSON"):
            read_workflow(file)

    def test_a_file_that_is_not_there(self, file: Path) -> None:
        with pytest.raises(ConfigError, match=f"{file} cannot be read: No such file"):
            read_workflow(file)

    def test_a_file_with_a_byte_order_mark_is_read(self, file: Path) -> None:
        file.write_text(json.dumps(comfy_workflow()), encoding="utf-8-sig")
        assert read_workflow(file).prompt


def test_links_into_nowhere_are_no_error_of_ours(file: Path) -> None:
    """The server knows its nodes, and says what is wrong with them."""
    graph = comfy_workflow()
    graph["6"]["inputs"]["clip"] = ["99", 0]
    graph["3"]["inputs"]["model"] = ["4", 0, 1]
    assert inputs(filled(file, graph), "6")["text"] == "a lighthouse"
