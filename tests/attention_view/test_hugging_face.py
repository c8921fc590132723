"""show() with what models of the library transformers return, and with what its sentences say to give instead."""

import re
from typing import Any

import numpy as np
import pytest
import torch
import transformers as hf

from attention_view import show
from tests.pretrained.oracles import PAD, V

SIZE: dict[str, Any] = {
    "vocab_size": V,
    "hidden_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 3,
    "intermediate_size": 16,
    "pad_token_id": PAD,
    "bos_token_id": 0,
    "eos_token_id": 2,
}
T5: dict[str, Any] = {
    "vocab_size": V,
    "d_model": 24,
    "d_kv": 8,
    "d_ff": 16,
    "num_layers": 2,
    "num_heads": 3,
    "decoder_start_token_id": PAD,
    "pad_token_id": PAD,
    "eos_token_id": 2,
}
TEXT = torch.tensor([[5, 7, 11, 4, 9]])


def made(model: type, config: Any) -> Any:
    torch.manual_seed(0)
    return model._from_config(config, attn_implementation="eager").eval()


def bert() -> Any:
    return made(hf.BertModel, hf.BertConfig(**SIZE))


def llama() -> Any:
    return made(hf.LlamaForCausalLM, hf.LlamaConfig(**SIZE, num_key_value_heads=3, initializer_range=0.5))


def t5() -> Any:
    return made(hf.T5ForConditionalGeneration, hf.T5Config(**T5))


def generated(model: Any, ids: torch.Tensor, **more: Any) -> Any:
    how = {"max_new_tokens": 5, "min_new_tokens": 5, "do_sample": False, **more}
    return model.generate(ids, **how, output_attentions=True, return_dict_in_generate=True)


def refusal(*given: Any, **named: Any) -> str:
    with pytest.raises(ValueError, match=r"^(attention|decoder|cross): ") as caught:
        show(*given, **named)
    return str(caught.value)


def drawn(attention: Any, *tokens: Any) -> np.ndarray:
    return np.asarray(show(attention, *tokens).pictures["attention"].weights)


def of_text(layers: Any, n: int = 0) -> np.ndarray:
    """The weights (L, H, T, S) of one text of a batch."""
    return torch.stack([layer[n] for layer in layers]).detach().numpy()


def test_all_that_a_model_returned_is_answered_with_its_field() -> None:
    outputs = bert()(TEXT, output_attentions=True)
    said = refusal(outputs)
    assert said.endswith("give its field outputs.attentions")
    np.testing.assert_array_equal(drawn(outputs.attentions), of_text(outputs.attentions))
    outputs = t5()(TEXT, decoder_input_ids=TEXT[:, :3], output_attentions=True)
    call = refusal(outputs).split("give its fields: ")[1]
    shown = eval(call, {"show": show, "outputs": outputs})
    assert list(shown.pictures) == ["encoder", "decoder", "cross"]
    np.testing.assert_array_equal(np.asarray(shown.pictures["cross"].weights), of_text(outputs.cross_attentions))
    assert 'attn_implementation="eager"' in refusal(bert()(TEXT))


def test_a_layer_of_a_batch_is_not_taken_for_layers() -> None:
    outputs = bert()(TEXT.repeat(3, 1) + torch.arange(3)[:, None], output_attentions=True)
    attention = outputs.attentions[1]
    said = refusal(attention)
    assert "may be 3 layers, or one layer of a batch of 3 texts" in said
    np.testing.assert_array_equal(drawn(attention[0]), attention[:1].detach())
    np.testing.assert_array_equal(drawn(list(attention)), attention.detach())
    np.testing.assert_array_equal(drawn(attention[:1]), attention[:1].detach())
    (cure,) = re.findall(r"for example (\[.*\])", refusal(outputs.attentions))
    cured = eval(cure, {"attentions": outputs.attentions})
    np.testing.assert_array_equal(drawn(cured), of_text(outputs.attentions))


@pytest.mark.slow
def test_a_generation_is_drawn_with_all_its_tokens() -> None:
    model = llama()
    outputs = generated(model, TEXT)
    ids = outputs.sequences[0]
    tokens = [str(int(id)) for id in ids]
    picture = show(outputs.attentions, tokens).pictures["attention"]
    assert picture.queries == picture.keys == tuple(tokens[:-1])
    forward = model(ids[None, :-1], output_attentions=True)
    np.testing.assert_allclose(np.asarray(picture.weights), of_text(forward.attentions), atol=1e-4)


@pytest.mark.slow
def test_a_text_of_a_batch_and_the_beam_that_won_are_what_the_sentence_says() -> None:
    model = llama()
    outputs = generated(model, torch.cat([TEXT, TEXT + 1]))
    one, _ = re.findall(r"is (\[\[.*?\])(?:;|$)", refusal(outputs.attentions))
    forward = model(outputs.sequences[:1, :-1], output_attentions=True)
    np.testing.assert_allclose(drawn(eval(one, {"outputs": outputs})), of_text(forward.attentions), atol=1e-4)

    outputs = generated(model, TEXT, num_beams=4)
    one, won = re.findall(r"is (\[\[.*?\])(?:;|$)", refusal(outputs.attentions))
    forward = of_text(model(outputs.sequences[:, :-1], output_attentions=True).attentions)
    tokens = [str(int(id)) for id in outputs.sequences[0]]
    np.testing.assert_allclose(drawn(eval(won, {"outputs": outputs}), tokens), forward, atol=1e-4)
    assert np.abs(drawn(eval(one, {"outputs": outputs})) - forward).max() > 1e-3, "here beams changed places"


@pytest.mark.slow
def test_a_generation_of_an_encoder_and_decoder_has_its_own_fields() -> None:
    model = t5()
    outputs = generated(model, TEXT, num_beams=3)
    _, won = re.findall(r"is (\[\[.*?\])(?:;|$)", refusal(cross=outputs.cross_attentions))
    assert "outputs.decoder_attentions" in refusal(decoder=outputs.decoder_attentions)
    tokens = [str(int(id)) for id in outputs.sequences[0]]
    shown = show(cross=eval(won, {"outputs": outputs}), target=tokens, source=list("abcde"))
    forward = model(TEXT, decoder_input_ids=outputs.sequences[:, :-1], output_attentions=True)
    np.testing.assert_allclose(
        np.asarray(shown.pictures["cross"].weights), of_text(forward.cross_attentions), atol=1e-4
    )
    assert shown.pictures["cross"].queries == tuple(tokens[:-1])


@pytest.mark.slow
def test_an_attention_sink_is_not_taken_for_dropout() -> None:
    config = hf.GptOssConfig(**SIZE, num_key_value_heads=3, head_dim=8, num_local_experts=2, num_experts_per_tok=1)
    outputs = made(hf.GptOssModel, config)(TEXT, output_attentions=True)
    with pytest.warns(UserWarning, match="The rest goes to no token: to an attention sink, where the model has one"):
        show(outputs.attentions)
    dropped = made(hf.BertModel, hf.BertConfig(**SIZE, attention_probs_dropout_prob=0.5)).train()
    with pytest.warns(UserWarning, match="Was the model in training mode, with dropout"):
        show(dropped(TEXT, output_attentions=True).attentions)
