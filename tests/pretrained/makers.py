"""Tiny published models, as the library transformers saves them: what the tests read."""

import json
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import torch
import transformers
from safetensors.numpy import save
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

TEXTS = [
    "The animal didn't cross the street because it was too tired.",
    "The animal didn't cross the street because it was too wide!",
    "Él corrió 1,234 kilómetros; 東京 is far — and so is the café.",
    "for i in range(10):\n\tprint(i)   # three spaces",
] * 3
BART_SPECIALS = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
BERT_SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def word_piece() -> Tokenizer:
    """BERT's kind."""
    made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    made.train_from_iterator(TEXTS, trainers.WordPieceTrainer(vocab_size=150, special_tokens=BERT_SPECIALS))
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, made.token_to_id(name)) for name in ("[CLS]", "[SEP]")],
    )
    made.enable_truncation(8)  # as MiniLM's: neither is to have an effect
    made.enable_padding(length=8)
    return made


def byte_level() -> Tokenizer:
    """GPT-2's kind: no byte is unknown."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.ByteLevel(trim_offsets=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=["<|endoftext|>"], initial_alphabet=alphabet)
    made.train_from_iterator(TEXTS, trainer)
    return made


def framed() -> Tokenizer:
    """BART's kind: as GPT-2's, between <s> and </s>."""
    made = byte_level()
    made.add_special_tokens(BART_SPECIALS)
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[(name, made.token_to_id(name)) for name in ("<s>", "</s>")],
    )
    return made


def unigram() -> Tokenizer:
    """T5's kind: "▁" for a space, </s> at the end."""
    return _unigram(["<pad>", "</s>", "<unk>"], "$A </s>", "$A </s> $B </s>")


def framed_unigram() -> Tokenizer:
    """XLM-R's kind: as T5's, between <s> and </s>."""
    return _unigram(BART_SPECIALS, "<s> $A </s>", "<s> $A </s> </s> $B </s>")


def _unigram(specials: list[str], single: str, pair: str) -> Tokenizer:
    made = Tokenizer(models.Unigram())
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(" ", " ")])
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=specials, unk_token="<unk>")
    made.train_from_iterator(TEXTS, trainer)
    frame = [(name, made.token_to_id(name)) for name in ("<s>", "</s>") if name in specials]
    made.post_processor = processors.TemplateProcessing(single=single, pair=pair, special_tokens=frame)
    return made


KINDS = {
    "bert": (
        word_piece,
        {
            "unk_token": "[UNK]",
            "pad_token": "[PAD]",
            "cls_token": "[CLS]",
            "sep_token": "[SEP]",
            "mask_token": "[MASK]",
        },
    ),
    "gpt2": (byte_level, {"bos_token": "<|endoftext|>", "eos_token": "<|endoftext|>", "unk_token": "<|endoftext|>"}),
    "bart": (
        framed,
        {
            "bos_token": "<s>",
            "eos_token": "</s>",
            "pad_token": "<pad>",
            "unk_token": "<unk>",
            "mask_token": "<mask>",
            "cls_token": "<s>",
            "sep_token": "</s>",
        },
    ),
    "t5": (unigram, {"eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}),
}


@cache
def tokenizer_folder(kind: str) -> Path:
    """A folder with such a tokenizer, as transformers saves it."""
    folder = Path(mkdtemp(prefix=f"tokenizer-{kind}-"))
    make, specials = KINDS[kind]
    transformers.PreTrainedTokenizerFast(tokenizer_object=make(), **specials).save_pretrained(folder)
    return folder


FAMILIES = {  # the kind of tokenizer that each family of texts has
    "bert": word_piece,
    "distilbert": word_piece,
    "roberta": framed,
    "bart": framed,
    "gpt2": byte_level,
    "qwen2": byte_level,
    "qwen3": byte_level,
    "gpt_neox": byte_level,
    "llama": byte_level,
    "mistral": byte_level,
    "t5": unigram,
    "mt5": unigram,
    "xlm-roberta": framed_unigram,
    "camembert": framed_unigram,
}
FILLING_IN = ("bert", "distilbert", "roberta", "bart", "xlm-roberta", "camembert")  # those that have a mask
OLDER = ("bert", "distilbert", "roberta", "bart", "gpt2")  # those that are read without tokenizer.json


@cache
def bare_folder(family: str, *, older: bool = False) -> Path:
    """A folder with such a tokenizer that does not name its special tokens, as many a published one does not.

    older  with vocab.txt, or with vocab.json and merges.txt, in place of tokenizer.json
    """
    folder = Path(mkdtemp(prefix=f"bare-{family}-"))
    made = FAMILIES[family]()
    plan = json.loads(made.to_str())
    vocabulary = made.get_vocab(with_added_tokens=True)
    if not older:
        made.save(str(folder / "tokenizer.json"))
    elif plan["model"]["type"] == "WordPiece":
        (folder / "vocab.txt").write_text(
            "".join(f"{token}\n" for token in sorted(vocabulary, key=vocabulary.__getitem__))
        )
    else:
        (folder / "vocab.json").write_text(json.dumps(vocabulary))
        merges = "\n".join(" ".join(pair) for pair in plan["model"]["merges"])
        (folder / "merges.txt").write_text(f"#version: 0.2\n{merges}\n")
    (folder / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": True, "model_max_length": 512}))
    (folder / "config.json").write_text(json.dumps({"model_type": family}))
    return folder


@cache
def bert_folder() -> Path:
    """A whole model: BERT with 2 layers of 2 heads."""
    return _model_folder(
        "bert",
        lambda size: transformers.BertModel(
            transformers.BertConfig(
                vocab_size=size,
                hidden_size=16,
                num_hidden_layers=2,
                num_attention_heads=2,
                intermediate_size=24,
                max_position_embeddings=40,
                pad_token_id=0,
            )
        ),
    )


@cache
def gpt2_folder() -> Path:
    """A whole model: GPT-2 with 2 layers of 2 heads."""
    return _model_folder(
        "gpt2",
        lambda size: transformers.GPT2LMHeadModel(
            transformers.GPT2Config(
                vocab_size=size, n_embd=16, n_layer=2, n_head=2, n_positions=40, bos_token_id=0, eos_token_id=0
            )
        ),
    )


@cache
def t5_folder() -> Path:
    """A whole model: T5, which reads with 2 layers and writes with 3, of 2 heads each."""
    return _model_folder(
        "t5",
        lambda size: transformers.T5ForConditionalGeneration(
            transformers.T5Config(
                vocab_size=size, d_model=16, d_kv=8, d_ff=24, num_layers=2, num_decoder_layers=3, num_heads=2
            )
        ),
    )


@cache
def bart_folder() -> Path:
    """A whole model: BART, which reads with 3 layers and writes with 2, of 2 heads each, at most 40 tokens."""
    return _model_folder(
        "bart",
        lambda size: transformers.BartForConditionalGeneration(
            transformers.BartConfig(
                vocab_size=size,
                d_model=16,
                encoder_layers=3,
                decoder_layers=2,
                encoder_attention_heads=2,
                decoder_attention_heads=2,
                encoder_ffn_dim=24,
                decoder_ffn_dim=24,
                max_position_embeddings=40,
                init_std=0.5,
                bos_token_id=size - 5,
                pad_token_id=size - 4,
                eos_token_id=size - 3,
                decoder_start_token_id=size - 3,
            )
        ),
    )


@cache
def bare_model_folder(family: str) -> Path:
    """A whole model that fills in what is hidden, and whose folder does not name its special tokens."""
    folder = copied(bare_folder(family), Path(mkdtemp(prefix=f"model-bare-{family}-")))
    vocabulary = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab()
    pad = vocabulary[{"bert": "[PAD]", "distilbert": "[PAD]"}.get(family, "<pad>")]
    sizes = {"vocab_size": len(vocabulary), "pad_token_id": pad, "max_position_embeddings": pad + 41}
    wide = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}
    torch.manual_seed(0)
    if family == "distilbert":
        config = transformers.DistilBertConfig(**sizes, dim=16, n_layers=2, n_heads=2, hidden_dim=24)
    else:
        config = transformers.AutoConfig.for_model(family, **sizes, **wide)
    transformers.AutoModelForMaskedLM.from_config(config).eval().save_pretrained(folder)
    return folder


@cache
def vit_folder() -> Path:
    """A whole model that reads images of 8 x 8 pixels: ViT with 2 layers of 2 heads, and three classes."""
    folder = Path(mkdtemp(prefix="model-vit-"))
    torch.manual_seed(0)
    transformers.ViTForImageClassification(
        transformers.ViTConfig(
            image_size=8,
            patch_size=4,
            hidden_size=16,
            num_hidden_layers=2,
            num_attention_heads=2,
            intermediate_size=24,
            id2label={0: "cat", 1: "dog\u202e", 2: "sea  lion"},
        )
    ).eval().save_pretrained(folder)
    return folder


def _model_folder(kind: str, make: Any) -> Path:
    folder = Path(mkdtemp(prefix=f"model-{kind}-"))
    source = tokenizer_folder(kind)
    for file in source.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    size = Tokenizer.from_file(str(source / "tokenizer.json")).get_vocab_size()
    torch.manual_seed(0)
    make(size).eval().save_pretrained(folder)
    return folder


def copied(folder: Path, target: Path) -> Path:
    """A copy of a folder, to be spoilt."""
    target.mkdir(parents=True, exist_ok=True)
    for file in folder.iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    return target


def changed(folder: Path, **settings: Any) -> Path:
    """The folder with other settings in its config.json; None takes one out."""
    config = json.loads((folder / "config.json").read_text()) | settings
    (folder / "config.json").write_text(json.dumps({name: value for name, value in config.items() if value != ...}))
    return folder


def packed_header(facts: Any, data: bytes = b"") -> bytes:
    """A file of safetensors with this header, whatever it says."""
    header = facts if isinstance(facts, bytes) else json.dumps(facts).encode()
    return len(header).to_bytes(8, "little") + header + data


def small_weights() -> bytes:
    return save({"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.ones(2, np.float16)})
