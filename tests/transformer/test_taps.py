import pytest
import torch

from tests.transformer.oracles import close, ids, rand, rng, shaken
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.core.taps import Recorder, ablate, compose, no_tap, patch, prefix

CONFIG = TransformerConfig(vocab_size=20, d_model=12, n_heads=3, n_encoder_layers=2, n_decoder_layers=2)
SRC, TGT = ids(2, 6, vocab=20), ids(2, 4, vocab=20, seed=1)


@pytest.fixture(scope="module")
def model():
    return shaken(Transformer(CONFIG, rng()))


def tensors(output):
    return [output.logits, *output.attention.encoder, *output.attention.decoder, *output.attention.cross]


def same(a, b):
    return all(torch.equal(x, y) for x, y in zip(tensors(a), tensors(b), strict=True))


def test_every_path_and_every_shape(model):
    seen = Recorder()
    model(SRC, TGT, tap=seen)
    B, S, T, H, D, d_k, F, V = 2, 6, 4, 3, 12, 4, 48, 20
    expected: dict[str, tuple[int, ...]] = {"logits": (B, T, V)}

    def attention(path, T, S):
        expected.update({f"{path}.q": (B, H, T, d_k), f"{path}.k": (B, H, S, d_k), f"{path}.v": (B, H, S, d_k)})
        expected.update({f"{path}.{name}": (B, H, T, S) for name in ("scores", "scaled", "weights")})
        expected.update({f"{path}.heads": (B, H, T, d_k), f"{path}.out": (B, T, D)})

    for stack, n in (("encoder", S), ("decoder", T)):
        expected.update({f"{stack}.{name}": (B, n, D) for name in ("embedded", "positioned", "out")})
        for i in range(2):
            path = f"{stack}.{i}"
            expected.update({f"{path}.residual_{name}": (B, n, D) for name in ("in", "mid", "out")})
            attention(f"{path}.self_attn", n, n)
            if stack == "decoder":
                expected[f"{path}.residual_self"] = (B, n, D)
                attention(f"{path}.cross_attn", n, S)
            expected.update({f"{path}.feed_forward.hidden": (B, n, F), f"{path}.feed_forward.out": (B, n, D)})
    assert {path: tuple(tensor.shape) for path, tensor in seen.items()} == expected


def test_a_bias_adds_a_path():
    seen = Recorder("biased")
    alibi = TransformerConfig(vocab_size=20, d_model=12, n_heads=3, positions="alibi")
    DecoderModel(alibi, rng())(TGT, tap=seen)
    assert list(seen) == ["decoder.0.self_attn.biased", "decoder.1.self_attn.biased"]


def test_recording_changes_nothing(model):
    seen = Recorder()
    recorded, plain = model(SRC, TGT, tap=seen), model(SRC, TGT)
    assert same(recorded, plain)
    assert torch.equal(seen["logits"], plain.logits)
    for i in range(2):
        assert torch.equal(seen[f"encoder.{i}.self_attn.weights"], plain.attention.encoder[i])
        assert torch.equal(seen[f"decoder.{i}.self_attn.weights"], plain.attention.decoder[i])
        assert torch.equal(seen[f"decoder.{i}.cross_attn.weights"], plain.attention.cross[i])


def test_a_recording_holds_no_graph_but_the_model_goes_on_with_it(model):
    seen = Recorder()
    logits = model(SRC, TGT, tap=seen).logits
    assert logits.requires_grad
    assert not any(tensor.requires_grad for tensor in seen.values())


def test_a_recorder_keeps_the_names_it_is_given(model):
    seen = Recorder("weights", "logits")
    model(SRC, TGT, tap=seen)
    assert len(seen) == 2 + 2 + 2 + 1
    assert {path.rpartition(".")[2] for path in seen} == {"weights", "logits"}


@pytest.mark.parametrize(
    "path", ["encoder.0.self_attn", "encoder.1.self_attn", "decoder.1.self_attn", "decoder.0.cross_attn"]
)
@pytest.mark.parametrize("head", [0, 2])
def test_ablating_a_head_is_zeroing_its_columns_of_w_o(path, head):
    model = shaken(Transformer(CONFIG, rng()))
    whole, ablated = model(SRC, TGT), model(SRC, TGT, tap=ablate(path, head))
    assert not torch.allclose(whole.logits, ablated.logits)
    stack, layer, attn = path.split(".")
    w_o = getattr(getattr(model, stack).layers[int(layer)], attn).w_o
    with torch.no_grad():
        w_o.weight[:, head * 4 : (head + 1) * 4] = 0  # the bias stays
    assert same(model(SRC, TGT), ablated)


def test_the_weights_of_a_silenced_head_are_still_returned(model):
    ablated = model(SRC, TGT, tap=ablate("encoder.0.self_attn", 1))
    assert torch.equal(ablated.attention.encoder[0], model(SRC, TGT).attention.encoder[0])


@pytest.mark.parametrize("head", [3, -1, 17])
def test_there_is_no_such_head(model, head):
    with pytest.raises(IndexError, match=f"encoder.0.self_attn has heads 0 to 2; there is no head {head}"):
        model(SRC, TGT, tap=ablate("encoder.0.self_attn", head))


def test_a_silenced_head_sends_no_nan_on():
    heads = torch.full((1, 2, 3, 4), torch.nan)
    heads[:, 1] = 1.0
    assert ablate("a", 0)("a.heads", heads)[:, 0].eq(0).all()


def test_a_patch_takes_the_place_of_a_tensor(model):
    uniform = torch.full((2, 3, 6, 6), 1 / 6, dtype=torch.float64)
    seen = Recorder()
    output = model(SRC, TGT, tap=compose(patch("encoder.0.self_attn.weights", uniform), seen))
    assert torch.equal(output.attention.encoder[0], uniform)
    mean = seen["encoder.0.self_attn.v"].mean(2, keepdim=True).expand(-1, -1, 6, -1)
    close(seen["encoder.0.self_attn.heads"], mean)


def test_patching_a_recording_back_changes_nothing(model):
    seen = Recorder()
    plain = model(SRC, TGT, tap=seen)
    assert same(model(SRC, TGT, tap=compose(*(patch(path, tensor) for path, tensor in seen.items()))), plain)


@pytest.mark.parametrize("point", ["positioned", "0.residual_in", "0.residual_out", "1.residual_mid", "out"])
def test_the_stream_of_another_sentence_gives_the_answer_to_it(model, point):
    # From each of these points on, everything the encoder says is decided by the tensor there.
    other, seen = ids(2, 6, vocab=20, seed=9), Recorder()
    expected = model(other, TGT, tap=seen)
    patched = model(SRC, TGT, tap=patch(f"encoder.{point}", seen[f"encoder.{point}"]))
    assert torch.equal(patched.logits, expected.logits)
    assert not torch.allclose(patched.logits, model(SRC, TGT).logits)


def test_a_patch_of_the_wrong_shape_is_a_sentence(model):
    with pytest.raises(ValueError, match=r"logits has shape \(2, 4, 20\); the patch has \(1, 4, 20\)"):
        model(SRC, TGT, tap=patch("logits", rand(1, 4, 20)))


@pytest.mark.parametrize(
    ("tap", "message"),
    [
        (
            ablate("encoder.9.self_attn", head=0),
            "no 'encoder.9.self_attn.heads' to change; near it are encoder.1.self_",
        ),
        (ablate("decoder.9.cross_attn", 0), "no 'decoder.9.cross_attn.heads' to change; near it are decoder.1.cross_"),
        (patch("encoder.0.self_atn.q", rand(1)), "near it are encoder.0.self_attn.q"),
        (patch("logit", rand(1)), "no 'logit' to change"),
        (compose(Recorder(), compose(ablate("nowhere", 99), no_tap)), "no 'nowhere.heads' to change"),
    ],
)
def test_an_intervention_that_met_nothing_is_an_error(model, tap, message):
    with pytest.raises(InputError, match=message):
        model(SRC, TGT, tap=tap)


def test_an_intervention_is_looked_for_in_every_kind_of_model():
    for kind, path in ((EncoderModel, "decoder.0.self_attn"), (DecoderModel, "encoder.0.self_attn")):
        with pytest.raises(InputError, match="near it are"):
            kind(CONFIG, rng())(SRC, tap=ablate(path, 0))


def test_encode_and_decode_leave_each_other_their_interventions(model):
    for path in ("encoder.0.self_attn", "decoder.1.cross_attn"):
        tap = ablate(path, 1)
        memory, _ = model.encode(SRC, tap=tap)
        logits, *_ = model.decode(TGT, memory, tap=tap)
        assert torch.equal(logits, model(SRC, TGT, tap=tap).logits)
    with pytest.raises(InputError, match=r"encoder\.7"):
        model.encode(SRC, tap=ablate("encoder.7.self_attn", 1))
    with pytest.raises(InputError, match=r"decoder\.7"):
        model.decode(TGT, memory, tap=ablate("decoder.7.self_attn", 1))


def test_what_one_call_met_does_not_count_for_another(model):
    tap = ablate("decoder.0.cross_attn", 0)  # one tap, two models: only one of them has the path
    model(SRC, TGT, tap=tap)
    with pytest.raises(InputError):
        DecoderModel(CONFIG, rng())(SRC, tap=tap)
    model(SRC, TGT, tap=tap)


def test_a_stack_of_recordings(model):
    seen = Recorder()
    output = model(SRC, TGT, tap=seen)
    assert torch.equal(seen.stack("encoder.self_attn.weights"), torch.stack(output.attention.encoder))
    assert torch.equal(seen.stack("cross_attn.weights"), torch.stack(output.attention.cross))
    assert seen.stack("cross_attn.q").shape == (2, 2, 3, 4, 4)
    with pytest.raises(InputError, match=r"recorded in decoder and encoder; ask for 'decoder.self_attn.q'"):
        seen.stack("self_attn.q")
    with pytest.raises(InputError, match=r"no layer has recorded 'self_attn\.qs'; near it are"):
        seen.stack("self_attn.qs")
    with pytest.raises(InputError, match="no layer has recorded 'q'"):
        Recorder().stack("q")


def test_layers_are_stacked_in_the_order_of_their_numbers():
    seen = Recorder("out")
    deep = TransformerConfig(vocab_size=20, d_model=4, n_heads=1, n_decoder_layers=11)
    DecoderModel(deep, rng())(TGT, tap=seen)
    assert torch.equal(seen.stack("self_attn.out")[10], seen["decoder.10.self_attn.out"])
    assert torch.equal(seen.stack("self_attn.out")[2], seen["decoder.2.self_attn.out"])


def test_a_chain_goes_from_left_to_right():
    double, plus_one = (lambda name, x: 2 * x), (lambda name, x: x + 1)
    assert compose(double, plus_one)("any", torch.tensor(3)) == 7
    assert compose(plus_one, double)("any", torch.tensor(3)) == 8
    assert compose()("any", torch.tensor(3)) == 3


def test_a_prefix_adds_to_the_path():
    paths = []

    def tap(name, tensor):
        paths.append(name)
        return tensor

    prefix("0", prefix("encoder", tap))("q", torch.zeros(1))
    prefix("decoder", compose(tap))("out", torch.zeros(1))
    assert paths == ["encoder.0.q", "decoder.out"]
    assert prefix("x", no_tap) is no_tap
    x = torch.zeros(1)
    assert no_tap("x", x) is x


def test_gradients_reach_a_patch(model):
    value = rand(2, 6, 12).requires_grad_()
    model(SRC, TGT, tap=patch("encoder.out", value)).logits.sum().backward()
    assert value.grad.any()
    model.zero_grad()


@pytest.mark.parametrize("kind", [EncoderModel, DecoderModel])
def test_single_stacks_name_their_paths_too(kind):
    seen = Recorder("weights", "logits")
    kind(CONFIG, rng())(SRC, tap=seen)
    stack = "encoder" if kind is EncoderModel else "decoder"
    assert list(seen) == [f"{stack}.0.self_attn.weights", f"{stack}.1.self_attn.weights", "logits"]


def test_a_recorder_says_what_is_near_a_name_that_it_never_saw():
    seen = Recorder()
    seen("encoder.0.self_attn.scores", torch.zeros(1))
    with pytest.raises(
        KeyError, match=r"nothing was recorded at 'encoder\.0\.scores'; near it are encoder\.0\.self_attn"
    ):
        seen["encoder.0.scores"]
