"""Deep links over every view of every page, and a digest of what each one shows.

    python -m tests.pages.stored_links            # writes stored_links.json anew: when a page is to show something else
    python -m tests.pages.stored_links why masks  # the same for the links of these pages

The digest holds what a visitor sees and nothing of how the code is laid out: the numbers of every figure and of every
component, the words, the controls and their values, and the address that the visit ends with. It has no keys, no
component names, no source code and no line numbers, and it does not know in which container an element stands:
elements of one kind are listed in the order of the page. Links to the pages before and after are not compared.
"""

import base64
import hashlib
import json
import math
import os
import re
import sys
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch
from urllib.parse import quote, urlencode

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.pages.driver import open_page

_WORDS_ALONE = (".search", ".word_list", ".carry", ".sentence_words")  # components
ROOT = Path(__file__).parents[2]
STORED = Path(__file__).with_suffix(".json")
RTOL, ATOL = 1e-4, 1e-5  # what is smaller is rounding, which differs from processor to processor
# The pages before and after, as lab/frame/foot.py names them.
FOOT = re.compile(r"(\d+\. [^→]*|Attention Lab|Next: \*\*[^→]*|The end of the way: [^→]*) → ")
MAX_STORED = 64  # letters of a text that are stored for the reader; the hash is of all of it
SHORT = (",", ":")
PACKED = ("table", "x", "q", "keys", "values")  # of a component: what it is sent as the bytes of float32 in base64
MAX_NUMBERS = 6  # that are stored as they are; of more there are sums and samples


# ---- the links -----------------------------------------------------------------------------------------------------


class Link(NamedTuple):
    """A page and the parameters of its address."""

    page: str
    query: dict[str, str]

    @property
    def address(self) -> str:
        """The link as it stands in the address bar."""
        return f"/{self.page}" + (f"?{urlencode(self.query, quote_via=quote)}" if self.query else "")

    @property
    def name(self) -> str:
        """The link for readers: not encoded, and cut where it is long."""
        plain = f"/{self.page}?" + "&".join(f"{key}={value}" for key, value in self.query.items())
        plain = plain.rstrip("?").encode("unicode_escape").decode()
        return plain if len(plain) <= 150 else f"{plain[:140]}… {_hash(self.address)}"


def _link(page: str, /, **query: object) -> Link:
    """A link; a dict among the parameters is a list of settings within one, as `a` has it."""
    return Link(
        page, {key: urlencode(value) if isinstance(value, dict) else str(value) for key, value in query.items()}
    )


STORIES, REVIEWS, RANDOM = "trained on stories", "trained on reviews", "random weights"
SIX = "one two three four five six"
BANK = "I went to the bank to sit by the river"
LONG = " ".join(f"word{n}" for n in range(130))
TOO_LONG = "a very long text, " * 400
REVIEW = "nothing about the room was bad"
PAINTED = "6.gy4A-fA"  # 6 x 6: see pages/masks/components/mask_brush/code.py
MATRIX = "1,0,0,0;0,-2.5,0,0;3,0,1,0.5"

LINKS: tuple[Link, ...] = (
    # The first page.
    _link(""),
    _link("", size="tiny", map_d_ff=4096, map_batch=8, map_source=23),
    _link("", size="the paper's", map_heads=16, map_encoder_layers=2, map_decoder_layers=9, map_target=1),
    _link("", map_d_model=7, map_batch=-1, size="huge", map_vocabulary=30000),
    *(_link("", front_model=one) for one in ("English to French", "MiniLM, recorded", REVIEWS, "trained on shapes")),
    # Embeddings: five parts.
    _link("embeddings"),
    _link("embeddings", emb_merges=20, emb_step=7, text="The lowest river, naïve 😀"),
    _link("embeddings", emb_tokeniser="words", text="the king saw a dragon"),
    _link("embeddings", emb_tokeniser="characters", text=TOO_LONG, emb_learn="a b c"),
    _link("embeddings", text=""),
    _link("embeddings", emb_part="One-hot × W_e", d_model=9, emb_token=2, emb_ids="shuffled", seed=4),
    _link("embeddings", emb_part="One-hot × W_e", text=BANK, d_model=16, a={"d_model": 16, "seed": 3, "text": SIX}),
    _link("embeddings", emb_part="Similarity"),
    _link(
        "embeddings", emb_part="Similarity", weights=REVIEWS, emb_words="of the sentence", text=REVIEW, emb_figure="map"
    ),
    _link(
        "embeddings",
        emb_part="Similarity",
        weights=RANDOM,
        text=BANK,
        emb_figure="spread",
        emb_near="river",
        emb_tokeniser="words",
        d_model=8,
        a={"weights": RANDOM, "text": BANK, "emb_tokeniser": "words"},
    ),
    _link("embeddings", emb_part="Scale", emb_init="N(0, 1)", emb_scale="as they are", d_model=128, a="usual"),
    _link("embeddings", emb_part="What learns", emb_output="W_e again", emb_source="one table", text=BANK),
    _link("embeddings", emb_part="Look up", emb_learns="true"),
    _link("embeddings", emb_part="Nowhere", emb_tokeniser="pieces", emb_merges=3),
    # Positions: eight views.
    _link("positions"),
    _link("positions", pos_view="Shuffle", positions="ALiBi", model="Decoder", pos_order="5-4-3-2-1-0", text=SIX),
    _link("positions", pos_view="Shuffle", text="a b c d e f g h i j k l m n", pos_order="1-1", seed=101),
    _link("positions", pos_view="Shuffle", text=""),
    _link("positions", pos_view="Waves", d_model=15, pos_length=100, base=100, pos_pair=2),
    _link("positions", pos_view="Waves", d_model=24, pos_length=48, a={"d_model": 24, "base": 10}),
    _link("positions", pos_view="Sum", positions="learned", pos_amount=0.5, pos_batch=3, d_model=12, text=SIX, seed=7),
    _link("positions", pos_view="Distance", pos_anchor=9, pos_length=32, d_model=32, a="base=100&d_model=32"),
    _link("positions", pos_view="Clocks", pos_clocks_n=4, base=1000, pos_at=3, pos_offset=2),
    _link("positions", pos_view="Schemes", pos_tokens=12, pos_head=2, seed=5),
    _link("positions", pos_view="Schemes", pos_scheme="learned", pos_rows=16, pos_used=9),
    _link("positions", pos_view="Schemes", pos_scheme="rotary", pos_clocks_n=3, base=100),
    _link("positions", pos_view="Schemes", pos_scheme="T5 relative", heads=3, pos_max_distance=32, pos_tokens=48),
    _link("positions", pos_view="Schemes", pos_scheme="ALiBi", heads=12, pos_tokens=16, a="heads=12"),
    _link("positions", pos_view="Look back", positions="rotary", pos_back=5, pos_dk=16, pos_sharp=32, base=100),
    _link("positions", pos_view="Look back", positions="none", pos_back=13, pos_dk=5),
    _link("positions", pos_view="Too far", pos_trained=16, pos_times=4, pos_max_distance=20),
    # Attention: five ways.
    _link("attention"),
    _link("attention", att_q=MATRIX, mask="causal", att_k="1,2;3"),
    _link("attention", att_on="random numbers", seed=9, a="att_on=random+numbers&seed=2"),
    _link("attention", att_way="Mix of values", att_on="random numbers", mask="causal"),
    _link("attention", att_on="a sentence", att_head=2, mask="causal", text=BANK, seed=1),
    _link("attention", att_on="a sentence", text=LONG),
    _link("attention", weights="trained on reviews", text="the soup was not good"),
    _link("attention", att_on="a sentence", text="", mask="window"),
    _link("attention", att_way="Softmax", att_axis="queries", att_t=0.25, att_add=50, att_query="q2"),
    _link(
        "attention",
        att_way="Softmax",
        att_on="a sentence",
        text=SIX,
        att_query="3 three",
        mask="causal",
        a={"att_on": "a sentence", "text": SIX, "att_t": "4.0", "att_axis": "rows"},
    ),
    _link("attention", att_way="Mix of values", att_query="q3", att_plane="3 and 4", att_v=MATRIX),
    _link("attention", att_way="Saturation", att_dk=256, seed=3, a="att_scaling=divided+by+√d_k&seed=3"),
    _link("attention", att_way="Guess the row", att_puzzle=17),
    _link("attention", att_way="Guess the row", att_puzzle=31),
    # Heads: every way to look closer, trained weights, two benches, and what a link cannot have.
    _link("heads"),
    _link("heads", model="Decoder", positions="ALiBi", layers=1),
    _link(
        "heads",
        d_model=48,
        heads=6,
        kv_heads=2,
        layers=2,
        positions="rotary",
        base=100,
        scores="not divided",
        norm="after (post)",
        activation="GELU",
        seed=3,
        text=SIX,
        mask="window",
        span=2,
        layer=1,
        head=4,
    ),
    _link("heads", d_model=15, heads=4, kv_heads=7, layers=99, mask="causal", model="encoder", text=BANK),
    _link("heads", text=LONG, heads=8, layers=6, layer=2, head=5),
    _link("heads", text=TOO_LONG, layers=4, heads=4, d_model=8, layer=3, head=1),
    _link("heads", text=""),
    _link("heads", text="alone", positions="none", mask="padding", span=1),
    _link("heads", weights=STORIES, text="tom lost a green key in the forest. he told anna about the dragon"),
    _link("heads", weights=REVIEWS, closer="unplug", text=REVIEW),
    _link("heads", weights="your own", seed="x"),
    _link("heads", closer="unplug", text=SIX, layers=2),
    _link("heads", closer="edges", text=BANK, model="Decoder", mask="causal prefix", positions="T5 relative"),
    _link("heads", closer="output", d_model=12, heads=3, text=SIX),
    _link("heads", closer="two places", closer_share=80),
    _link("heads", closer="subspace", text=BANK, positions="learned"),
    _link("heads", closer="likeness", weights=STORIES),
    _link("heads", closer="rollout", closer_layer=1, mask="window", span=2, text=BANK),
    _link(
        "heads", text=SIX, heads=2, positions="none", a={"text": SIX, "heads": 2, "positions": "ALiBi", "d_model": 5}
    ),
    _link("heads", a={"weights": STORIES, "text": "mia found a red ball"}, text=SIX, layers=1, unheard="of"),
    # Masks: six views.
    _link("masks"),
    _link("masks", mask="painted", painted=PAINTED, text=SIX, masks_true="may not"),
    _link("masks", mask="painted", painted="no mask", text=LONG),
    _link("masks", mask="causal window", span=2, text=SIX, a={"text": SIX, "mask": "window", "span": 2}),
    _link(
        "masks", masks_view="Leaks", text=SIX, masks_edit=4, masks_word="seven eight", layers=2, mask="causal prefix"
    ),
    _link("masks", masks_view="Blocked rows", masks_allowed=2, masks_precision="float16", text=BANK),
    _link("masks", masks_view="Three attentions", masks_pads=4, masks_which="Cross", target="le chat", text=SIX),
    _link("masks", masks_view="Three attentions", masks_which="Decoder self", text=SIX),
    _link("masks", masks_view="Three attentions"),
    _link("masks", masks_view="Wiring", wire_keys="decoder", text=SIX),
    _link("masks", masks_view="Three attentions", masks_which="Encoder self", masks_pads=0, target=""),
    _link("masks", masks_view="Batches", masks_padding="off", model="Decoder", text=BANK, a="usual"),
    _link("masks", masks_view="Batches", text=SIX),
    _link("masks", masks_batch="true", masks_padding="on", masks_reader="a writer of stories"),
    # Blocks: nine parts.
    _link("blocks"),
    _link("blocks", blocks_step="attention", weights=REVIEWS, text=REVIEW),
    _link(
        "blocks",
        weights=RANDOM,
        text=SIX,
        d_model=24,
        heads=3,
        layers=3,
        blocks_layer=2,
        norm="after (post)",
        a={"weights": RANDOM, "text": SIX, "d_model": 24, "heads": 3, "layers": 3, "seed": 1},
    ),
    _link("blocks", blocks_part="Layer norm", weights=RANDOM, text=BANK, blocks_company=4, layers=2, blocks_layer=5),
    _link("blocks", blocks_part="Feed-forward", weights=RANDOM, text=SIX, blocks_ff=8, d_model=16, activation="GELU"),
    _link("blocks", blocks_part="Feed-forward", weights=RANDOM, text=SIX, blocks_view="The bend"),
    _link(
        "blocks", blocks_part="Feed-forward", weights=RANDOM, text=SIX, blocks_view="Without the bend", blocks_mix=20
    ),
    _link("blocks", blocks_part="Residual stream", weights=STORIES, blocks_stream="Read-out"),
    _link(
        "blocks",
        blocks_part="Residual stream",
        weights=RANDOM,
        blocks_token="4 four",
        text=SIX,
        blocks_stream="Size of each push",
    ),
    _link("blocks", blocks_part="Residual stream", weights=RANDOM, text=BANK, blocks_stream="The way", a="usual"),
    _link("blocks", blocks_part="Pull a plug", weights=REVIEWS, blocks_plug="Attention", text=REVIEW),
    _link(
        "blocks",
        blocks_part="Pull a plug",
        weights=RANDOM,
        text=SIX,
        blocks_plug="Norm",
        layers=4,
        blocks_look="Size of the stream",
    ),
    _link("blocks", blocks_part="Pull a plug", weights=STORIES, blocks_plug="Residual"),
    _link("blocks", blocks_part="Ablation", weights=RANDOM, text=SIX, blocks_look="How alike words are"),
    _link(
        "blocks",
        blocks_part="Pull a plug",
        weights=RANDOM,
        text=SIX,
        blocks_plug="Feed-forward",
        layers=4,
        blocks_look="Last map",
        a={"weights": RANDOM, "text": SIX, "blocks_plug": "Attention", "layers": 4},
    ),
    _link("blocks", blocks_part="Depth", text="one two", d_model=8, heads=2),
    _link("blocks", blocks_part="Depth", text="one two", d_model=8, heads=2, blocks_measure="Size of the stream"),
    _link(
        "blocks",
        blocks_part="Depth",
        text="one two",
        d_model=8,
        heads=2,
        blocks_measure="How alike words are",
        norm="after (post)",
    ),
    _link("blocks", blocks_part="Is it linear?", text=SIX, blocks_mix=30),
    _link("blocks", blocks_part="Dropout", text=SIX, blocks_p=50, blocks_where="embedding", blocks_draws=10),
    _link("blocks", blocks_part="Dropout", text=SIX, blocks_mode="evaluation", blocks_draw=7, a="blocks_p=90"),
    _link("blocks", blocks_part="Ledger", blocks_batch=3, blocks_width=64, blocks_heads=4, blocks_dff=100),
    # Why: three views. What is measured is measured on a button's press, so nothing here depends on a clock.
    _link("why"),
    _link("why", why_n=20, why_k=4, why_sees="a window"),
    _link("why", why_view="What does it cost?", why_length=4096, why_d=128, why_heads=2, why_k=7),
    _link("why", why_view="How long does it take?", why_d=1024, why_heads=16),
    _link("why", why_view="All heads at once", why_d=32, why_heads=8),
    # Live: the stored films and what stands below them.
    _link("live"),
    _link("live", live_film="Sort, recorded", live_below="Vectors", live_task="Sort"),
    _link("live", live_film="Reverse, recorded", live_below="Longer texts"),
    _link("live", live_film="English to French, recorded", live_below="Keep the model", live_task="Addition"),
    _link("live", live_film="Stories, recorded"),
    _link("generation", gen_model="Short tales"),
    _link("live", live_film="Short stories, recorded", live_task="Stories", live_schedule="Noam", live_steps=400),
    _link("live", live_film="Sentiment of a review, recorded", live_task="Your own text", live_level="byte pairs"),
    _link("live", live_film="your training", live_d_model=24, live_heads=7, live_compare="sinusoidal | ALiBi"),
    _link(
        "live",
        live_compare="A pinned, B is what you choose now",
        live_seed=3,
        live_a={"task": "Reverse", "d_model": 16, "heads": 3, "seed": 1},
    ),
    # Translation: four views, and what led to the others.
    _link("translation"),
    _link("translation", english="The little dragon eats the quantum cake", thread_layer=1, thread_word=2),
    _link("translation", english=""),
    _link("translation", english="The cat is a dog " * 30, translator="mine"),
    _link("translation", translation_view="Step by step", english="I am not happy"),
    _link("translation", translation_view="All heads", translation_kind="Decoder self", tr_head=3),
    _link("translation", translation_view="All heads", translation_kind="Encoder self", tr_layer=1),
    _link("translation", translation_view="All heads", english="I am not happy"),
    _link("translation", translation_view="Beam search", english="The cat is a dog", beam_width=2, beam_alpha=0.0),
    _link("translation", translation_view="Change a word", edit_place=2, edit_word="big", edit_layer=0, edit_head=2),
    _link("translation", translation_view="In context", follow=2, edit_word="dog"),
    _link(
        "translation",
        translation_view="Pull a plug",
        translation_plug="one head",
        plug_side="cross-attention",
        plug_layer=1,
        plug_head=0,
    ),
    _link("translation", translation_view="Pull a plug", translation_plug="positions", english="I am not happy"),
    _link("translation", translation_view="Pull a plug", translation_plug="none"),
    _link("translation", translation_view="Pull a plug", english="They see a little dog behind the school"),
    _link("translation", translation_view="Pull a plug", translation_plug="where to look"),
    _link("translation", translation_view="Pull a plug", translation_plug="the mask in training"),
    _link("translation", translation_view="Padding", translation_pads=5, translation_mask="off"),
    _link("translation", translation_view="Fewer sentences", sentences=500),
    _link("translation", translation_view="Step by step", english="little", beam_width=3, beam_alpha=0.0),
    _link("translation", translation_view="Change a word", graft="true", follow=2),
    # Generation: four views. The last one trains when it is first opened, which is refused here: see visit().
    _link("generation"),
    _link(
        "generation",
        gen_text="tom lost a green key",
        gen_tree="12-40-0.17",
        gen_at=1,
        gen_temperature=0.5,
        gen_top_k=5,
        gen_seed=3,
    ),
    _link("generation", gen_text="the quantum fox", gen_tree="99999", gen_top_p=7),
    _link("generation", gen_view="The cache", gen_text="ben got a blue bell as a present.", gen_read=4),
    _link("generation", gen_view="From vector to logits", gen_token="he"),
    _link("generation", gen_view="Without the mask"),
    _link("generation", gen_text="tom lost a green key", gen_hundred="true", gen_logits="true", gen_right=1.3),
    _link("generation", gen_view="Bet", gen_story=2, gen_bets="10.40.10.20.10.10-5.5.5.75.5.5"),
    # Puzzles: the list, one that is open on its page, and links of when they were views with a proof.
    _link("challenges", challenge="One head less"),
    _link("challenges"),
    _link("challenges", challenge="The owner", proof_owner="/heads?weights=trained+on+stories&layer=1&head=1"),
    # One look: models before training and by name, and views by the names that they have now.
    _link("", weights=STORIES),
    _link("", weights="untrained", text="two words"),
    _link("heads", weights=STORIES, state="before training"),
    _link("heads", closer="All heads"),
    _link("heads", closer="All heads", closer_together="true", weights=STORIES, layer=1, head=1),
    _link("heads", closer="Ablation", weights=REVIEWS, text="although the view was lovely, i do not like the place"),
    _link("heads", closer="Edges", weights=REVIEWS),
    _link("attention", weights=STORIES, att_step="weights"),
    _link("attention", att_way="Guess"),
    _link("masks", weights=REVIEWS, masks_view="Leaks"),
    _link("masks", masks_view="Wiring", masks_which="Encoder self", masks_pads=0),
    _link("positions", pos_view="The code", d_model=32),
    _link("positions", pos_view="Sines and cosines", pos_length=24),
    _link("positions", pos_view="What they can do"),
    _link("positions", pos_view="What they can do", pos_trained=16),
    _link("positions", pos_added="true", pos_amount=0.5),
    _link("blocks", blocks_part="One layer", blocks_step="feed-forward"),
    _link("blocks", blocks_part="Ablation", state="before training"),
    _link("live", live_task="Brackets", live_film="before training"),
    _link("translation", translation_view="Try", translator_before="true"),
    # Pretrained: what a server shows that has no published model; and what later models changed.
    _link("pretrained"),
    _link("pretrained", weights="MiniLM, recorded", recorded="What is “it”? The street was too wide", layer=0, head=2),
    _link(
        "pretrained",
        weights=STORIES,
        text="tom lost a green key in the forest",
        layer=1,
        head=3,
        a={"weights": STORIES, "text": "tom lost a green ball in the forest"},
    ),
    _link("pretrained", pretrained_view="Unplug", weights=STORIES, unplug_layer=0, unplug_head="head 1"),
    _link("pretrained", pretrained_view="Unplug", weights="GPT-5, pretrained", unplug_layer=9),
    _link(
        "heads",
        weights="untrained",
        text=SIX,
        norm_kind="RMSNorm",
        gate="gated",
        activation="SiLU",
        positions="rotary",
        rotary_share=0.5,
        biases="nowhere",
        model="Decoder",
    ),
    _link("blocks", blocks_part="Residual stream", weights="untrained", text=SIX, sublayers="side by side", d_k=8),
    # Models at a step of their training, and whole texts.
    _link("translation", translator_step=160),
    _link("generation", gen_step=100),
    _link("generation", gen_view="100 whole texts", gen_step=140, gen_left=1.0),
    _link("generation", gen_model="Repeat"),
    _link("live", live_film="Repeat, recorded"),
    _link("pretrained", pretrained_view="Models"),
    _link("pretrained", pretrained_view="Your tensors"),
    _link("pretrained", pretrained_view="Patching", weights=STORIES, patch_head="0·2"),
    _link("pretrained", pretrained_view="Which head?", head_light="Attribute", study_head="0·1"),
    _link("pretrained", pretrained_view="Which head?", head_light="Repetition"),
    _link("pretrained", pretrained_view="Which head?", head_light="Grammar", weights="trained to translate"),
    _link("pretrained", pretrained_view="Lens"),
    _link("pretrained", pretrained_view="Bring a model", bring_file="true"),
    # The museum of bugs.
    _link("bugs"),
    _link("bugs", bugs_exhibit="Shares over 100%", bugs_instrument="Row sums", bugs_line="cured"),
    _link("bugs", bugs_exhibit="One pad, all NaN", bugs_instrument="Look for NaN"),
    _link("bugs", bugs_exhibit="A leak elsewhere", bugs_instrument="Change a token"),
    _link("bugs", bugs_exhibit="Better than possible", bugs_instrument="Loss on words"),
    _link("bugs", bugs_exhibit="The wrong drawer", bugs_instrument="Weights", bugs_line="mended"),
    # Fine-tuning.
    _link("finetuning"),
    _link("finetuning", fine_curve="loss", fine_rank=8),
    _link("finetuning", text="mia: i found a red hat in the park. tom: hello."),
    _link("finetuning", fine_moved="true", fine_matrix="layer 0 W_q"),
    _link("finetuning", fine_view="BERT’s way", fine_classifier="true", fine_reader="word counts", fine_reviews=64),
    _link("finetuning", fine_view="What moved", fine_rank=1, fine_matrix="layer 1 W_o"),
    _link("finetuning", fine_view="What was forgotten", fine_way="LoRA", fine_text="talks"),
    *(_link("finetuning", fine_view=view) for view in ("BERT’s way", "Its classifier")),
    # Pictures, and what is not language.
    *(_link("vision", vision_view=view) for view in ("Where it looks", "Cut into patches", "Shuffle the patches")),
    _link("vision", vision_view="Cut into patches", vision_moved=4, vision_order=2),
    *(
        _link("vision", vision_model=model)
        for model in ("shapes, patches of 8", "shapes, read from the mean", "shapes, no positions")
    ),
    *(_link("beyond", beyond_view=view) for view in ("Brackets in code", "Where it fails", "What is a token?")),
    _link("beyond", beyond_fails="true", beyond_by="depth", head="layer 0, head 1"),
    _link("blocks", blocks_part="Modern blocks"),
    _link("blocks", blocks_part="Modern blocks", blocks_experts="true", blocks_router="before training"),
    _link("blocks", weights=STORIES, blocks_linear="true", blocks_shapes="true", blocks_at=1),
    _link("blocks", blocks_dropout="true", blocks_mode="evaluation", weights=RANDOM, text=SIX),
    _link("blocks", blocks_part="Experts"),
    _link("generation", gen_model="Brackets in code"),
    _link("generation", gen_model="Short stories, with experts"),
    *(_link("live", live_film=f"{task}, recorded") for task in ("Brackets in code", "French to English")),
    *(_link("live", live_film=f"{task}, recorded") for task in ("Copy", "Brackets", "Addition")),
    *(_link("generation", gen_model=task) for task in ("Brackets", "Addition")),
    _link("live", live_film="Short stories, with experts, recorded"),
    *(_link("live", live_attention=name) for name in ("window", "dilated", "global + local", "block-sparse", "linear")),
    _link("why", why_view="How far back can it remember?"),
    _link("why", why_view="Does bigger help?"),
    _link("why", why_view="Draw it first"),
    _link("why", why_view="Draw it first", why_draw="how far it remembers"),
    _link("why", why_view="What does it cost?", why_by="timed"),
    _link("why", why_recall="true", why_kept="four names", why_heard="before training"),
    _link("why", why_view="What does it cost?", why_bigger="true", why_scale="stories"),
    _link("live", live_below="Draw the loss"),
    _link("live", live_task="Pictures"),
    _link("live", live_learned="true", live_task="Copy", live_film="Reverse, recorded"),
    # The page of words.
    _link("words", word="query"),
    # Lessons, challenges, the question of the front page, and new views.
    _link("lessons"),
    _link("classroom"),
    _link("classroom", class_of="page:masks"),
    _link("generation", gen_text="mia found a red ball in the park.", lesson="attention", stop=2),
    *(_link("challenges", challenge=name) for name in ("One edge", "Sharp", "Two minds")),
    *(_link("challenges", challenge=name) for name in ("Wrong French", "Twins", "Small")),
    _link("", front_text="leo lost a green key.", front_guess="he", front_name="mia"),
    _link("", picture="open", weights="trained on reviews"),
    _link("attention", att_way="Make q, k, v"),
    _link("attention", att_way="Mix", att_on="Ann and Bob", att_share=30),
    _link("attention", att_step="weights", att_t=0.5, att_axis="queries"),
    _link("blocks", blocks_part="Sizes"),
    _link("why", why_view="Cheaper attention", why_variant="linear", why_variants_size=6),
)


# ---- a visit -------------------------------------------------------------------------------------------------------


def visit(link: Link) -> AppTest:
    """The page that a link opens, through the navigation of app.py. No training is begun."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    for key, value in link.query.items():
        at.query_params[key] = value
    at.session_state["_kept_order_of_answers"] = 0  # every visit sees the options of a question in one order
    from lab.kit.models import published
    from lab.server.jobs import Refused
    from lab.server.trainings import Queue
    from transformer.environment import MODELS
    from transformer.pretrained import hub

    for kept in published.BUDGET.caches.values():
        kept.clear()  # what other tests of this process have loaded
    with (
        patch.object(Queue, "submit", side_effect=Refused("No training is begun here.")),
        # No published model, whatever there is on this machine.
        patch.object(published, "PACKAGES", {}),
        patch.object(published.BUDGET, "max_bytes", 8 * 10**9),
        patch.dict(os.environ, {MODELS.name: ""}),
        patch.object(hub, "shared", lambda: hub.Hub(ROOT / "no folder")),
    ):
        open_page(at, link.page).run()
    assert not at.exception, [error.value for error in at.exception]
    return at


# ---- its digest ----------------------------------------------------------------------------------------------------

WIDGETS = (
    "button",
    "button_group",
    "checkbox",
    "download_button",
    "file_uploader",
    "menu_button",
    "multiselect",
    "number_input",
    "radio",
    "segmented_control",
    "select_slider",
    "selectbox",
    "slider",
    "text_area",
    "text_input",
    "toggle",
)
FRAME = ("present", "reset")  # keys of tools that are the same with every link
WORDS = ("title", "header", "subheader", "markdown", "caption", "latex", "text")
UNSEEN = ("empty", "html", "skeleton", "space", "spinner")
# Of a component's data: not shown, or the source code, which is to be written anew; a ticket is another one each time.
NOT_DATA = {"id", "code", "place", "arrays", "ticket"}
# Of a figure: what is to be read off it. Sizes and margins are not.
IN_TRACE = {
    "base",
    "color",
    "customdata",
    "hovertemplate",
    "hovertext",
    "label",
    "labels",
    "line",
    "marker",
    "name",
    "size",
    "text",
    "texttemplate",
    "type",
    "values",
    "x",
    "y",
    "z",
    "zmax",
    "zmid",
    "zmin",
    "visible",
}
IN_LAYOUT = {
    "annotations",
    "barmode",
    "label",
    "range",
    "shapes",
    "sliders",
    "steps",
    "text",
    "ticktext",
    "tickvals",
    "title",
    "type",
    "x",
    "x0",
    "x1",
    "y",
    "y0",
    "y1",
}
NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w]|\.\d)")
POWERS = re.compile(r"(\d(?:\.\d+)?) × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
PLAIN_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
SOURCE_LINE = re.compile(r"`[\w/.]+\.py`, line \d+")

OPTIONS = "options: "  # what the words begin with that a control offers; they are stored in full
Texts = dict[str, str]  # hash -> words, with # for every number


def digest(link: Link, texts: Texts) -> dict[str, list]:
    """What the link shows: kind -> a record per element, in the order of the page. New words are added to `texts`."""
    at = visit(link)
    address = {key: _plain_value(at.query_params[key]) for key in at.query_params}
    keys = link.query.keys() | address.keys()
    changed = {key: address.get(key) for key in keys if address.get(key) != link.query.get(key)}
    shown: dict[str, list] = {"address": [_words(f"{key}={changed[key]}", texts) for key in sorted(changed)]}
    for node in _elements(at):
        for kind, record in _record(node, texts):
            shown.setdefault(kind, []).append(record)
    return json.loads(json.dumps(shown))


def _plain_value(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _elements(at: AppTest) -> Iterator[Any]:
    waiting = [at.main, at.sidebar]
    while waiting:
        node = waiting.pop(0)
        yield node
        waiting = [*getattr(node, "children", {}).values(), *waiting]


def _record(node: Any, texts: Texts) -> Iterator[tuple[str, Any]]:
    """(kind, record) of an element; nothing for what only holds others or is not seen."""
    kind = node.type
    if getattr(node, "key", None) in FRAME:
        return
    if kind in WORDS:
        if SOURCE_LINE.fullmatch(str(node.value)):
            yield "code", "source"
        else:
            yield kind, _words(node.value, texts)
    elif kind in WIDGETS:
        yield kind, _widget(node, texts)
    elif kind == "plotly_chart":
        yield "chart", _chart(node.proto, texts)
    elif kind == "bidi_component" and node.proto.component_name.endswith(_WORDS_ALONE):
        pass  # the same with every link, and of words and names alone; or words that a tap on the box offers
    elif kind == "bidi_component":
        yield "component", _component(node.proto, texts)
    elif kind in ("dataframe", "table", "arrow_data_frame", "arrow_table"):
        yield "table", _flat(json.loads(node.value.to_json(orient="split")), texts)
    elif kind == "code":
        if node.language != "python":
            yield "plain code", _words(node.value, texts)
    elif kind == "metric":
        yield kind, _words(f"{node.label}: {node.value} {node.delta}", texts)
    elif kind == "page_link":
        p = node.proto
        yield kind, _words(f"{p.label} → {p.page}?{p.query_string}", texts)
    elif kind in ("expandable", "expander", "tab", "popover", "status"):
        yield "container", _words(_label(node), texts)
    elif kind not in UNSEEN and not hasattr(node, "children"):
        yield kind, "there"


def _label(node: Any) -> str:
    return getattr(node, "label", "") or getattr(getattr(node.proto, "popover", None), "label", "")


def _widget(node: Any, texts: Texts) -> Any:
    options = getattr(node, "options", None) or ()
    if node.type == "select_slider":
        options = (options[0], options[-1], f"{len(options)} in all")
    label = getattr(node, "label", "") or getattr(node.proto, "label", "")
    off = ", disabled" * bool(getattr(node.proto, "disabled", False))
    record = {"is": _words(f"{label}: {getattr(node, 'value', None)}{off}", texts)}
    if node.type == "select_slider":
        record["help"] = _words(f"{options[0]} to {options[-1]}, {options[2]}: {node.proto.help}", texts)
        return record
    if options:
        record["of"] = _words(f"{OPTIONS}{' | '.join(map(str, options))}", texts)
    if getattr(node.proto, "help", ""):
        record["help"] = _words(node.proto.help, texts)
    return record


def _words(text: object, texts: Texts) -> list:
    """[hash of the words, the numbers in them]."""
    template, numbers = _split(str(text))
    name = _hash(template)
    texts[name] = template
    if len(numbers) > MAX_NUMBERS:
        return [name, {"numbers": _numbers(np.array(numbers, float))}]
    return [name, *numbers]


def _split(text: str) -> tuple[str, list[float]]:
    """A text with # for every number, and the numbers."""
    text = POWERS.sub(lambda m: f"{m[1]}e{m[2].translate(PLAIN_DIGITS)}", text)
    numbers = [float(found.replace(",", "").replace("−", "-")) for found in NUMBER.findall(text)]
    return NUMBER.sub("#", text), [int(n) if n.is_integer() and abs(n) < 2**53 else n for n in numbers]


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=4).hexdigest()


def _chart(proto: Any, texts: Texts) -> dict:
    spec = json.loads(proto.spec)
    record = {"alt": _words(proto.alt, texts), **_flat({"data": _only(spec["data"], IN_TRACE)}, texts)}
    frames = [frame.get("data", []) for frame in spec.get("frames") or []]
    if frames:
        record |= _flat({"frames": _only(frames, IN_TRACE)}, texts)
    layout = {name: value for name, value in spec.get("layout", {}).items() if name != "template"}
    axes = {name: value for name, value in layout.items() if re.fullmatch(r"[xy]axis\d*", name)}
    rest = {name: value for name, value in layout.items() if name in IN_LAYOUT}
    shown = _only(rest, IN_LAYOUT) | {"axes": _only(list(axes.values()), IN_LAYOUT)}
    return record | _flat({"layout": shown}, texts)


def _only(value: Any, names: set[str]) -> Any:
    """The same without the entries of dicts that have other names."""
    if isinstance(value, dict) and "bdata" not in value:
        return {name: _only(inside, names) for name, inside in value.items() if name in names}
    if isinstance(value, list) and value and isinstance(value[0], dict | list):
        return [_only(inside, names) for inside in value]
    return value


def _component(proto: Any, texts: Texts) -> dict:
    """What a component was sent: JSON, or bytes with a JSON header and arrays behind it."""
    which = proto.WhichOneof("data")
    if which == "json":
        data = json.loads(proto.json)
        return _flat(data, texts) if data is not None else {"data": None}
    if which != "bytes":
        return {"data": which}
    raw = proto.bytes
    body = 4 + int.from_bytes(raw[:4], "little")
    header = json.loads(raw[4:body])
    arrays = {
        f"{name}:": np.frombuffer(raw, entry["type"], math.prod(entry["shape"]), body + entry["at"]).reshape(
            entry["shape"]
        )
        for name, entry in header.get("arrays", {}).items()
    }
    if not arrays:  # tables of float32, one after the other, without names
        arrays = {"tables:": np.frombuffer(raw, "<f4", (len(raw) - body) // 4, body)}
    return _flat(header, texts) | {name: _numbers(array) for name, array in arrays.items()}


def _flat(value: Any, texts: Texts) -> dict[str, Any]:
    """Every leaf of nested dicts and lists by its path; lists of plain values are one leaf."""
    leaves: dict[str, list] = {}
    _gather(value, "", leaves)
    out = {}
    for path in sorted(leaves):
        record = _leaf(leaves[path], texts)
        if record is not None:
            out[path] = record
    return out


def _gather(value: Any, path: str, leaves: dict[str, list]) -> None:
    if isinstance(value, dict) and "bdata" in value:
        leaves.setdefault(path, []).extend(np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).tolist())
    elif isinstance(value, dict) and len(value) > MAX_NUMBERS and all(name.isdigit() for name in value):
        _gather([int(name) for name in value], f"{path}.at".lstrip("."), leaves)  # a list with holes
        _gather(list(value.values()), path, leaves)
    elif isinstance(value, dict):
        for name, inside in value.items():
            if name not in NOT_DATA:
                _gather(inside, f"{path}.{name}".lstrip("."), leaves)
    elif isinstance(value, list):
        numbered = 1 < len(value) <= 6 and all(isinstance(inside, dict) and "bdata" not in inside for inside in value)
        for n, inside in enumerate(value):
            _gather(inside, f"{path}[{n}]" if numbered else path, leaves)
    elif path.rpartition(".")[2] in PACKED and isinstance(value, str) and len(value) > MAX_STORED:
        leaves.setdefault(path, []).extend(np.frombuffer(base64.b64decode(value), "<f4").tolist())
    else:  # the words of all items together, the numbers of each
        leaves.setdefault(re.sub(r"\[\d\]", "", path) if isinstance(value, str) else path, []).append(value)


def _leaf(values: list, texts: Texts) -> Any:
    """A record of the values of one path."""
    if not any(isinstance(value, str) for value in values):
        if all(value is None or isinstance(value, bool) for value in values):
            marks = "".join("-" if value is None else "01"[value] for value in values)
            return marks if len(marks) <= 12 else f"{len(marks)} marks, {marks.count('1')} set, {_hash(marks)}"
        return _numbers(np.array([math.nan if value is None else float(value) for value in values]))
    if len(values) == 1 and len(values[0]) <= 12:
        return values[0]
    return _words(" | ".join(map(str, values)), texts)


def _numbers(array: np.ndarray) -> Any:
    """A few numbers as they are; of many how many there are, some of them, and sums that notice a change anywhere."""
    flat = np.asarray(array, float).ravel()
    if flat.size <= MAX_NUMBERS:
        return [_short(x) for x in flat]
    finite = flat[np.isfinite(flat)]
    record: dict[str, Any] = {"n": list(array.shape) if array.ndim > 1 else flat.size}
    if array.dtype == np.uint8 and flat.max() > 1:
        record["steps"] = True
    if finite.size < flat.size:
        record["not finite"] = [int(np.isnan(flat).sum()), int((flat == np.inf).sum()), int((flat == -np.inf).sum())]
    if finite.size:
        mixed = finite * np.cos(np.arange(finite.size) * 2.4)  # the same numbers in another order give another sum
        record["sums"] = [_short(np.abs(finite).mean()), _short(mixed.mean())]
        places = [int(flat.size * share) for share in (0.0, 0.37, 0.81)]
        record["some"] = [_short(flat[place]) for place in places]
    return record


def _short(x: float) -> Any:
    if not math.isfinite(x):
        return str(x)
    return int(x) if x == int(x) and abs(x) < 1e15 else float(f"{x:.5g}")


# ---- what differs --------------------------------------------------------------------------------------------------


def differences(stored: dict[str, list], shown: dict[str, list], stored_texts: Texts, texts: Texts) -> list[str]:
    """What is shown otherwise than stored, a sentence per difference; [] if nothing is."""
    known = {**stored_texts, **texts}
    found = []
    for kind in sorted(stored.keys() | shown.keys()):
        before, after = ([r for r in side.get(kind, []) if not _is_of_foot(kind, r, known)] for side in (stored, shown))
        if len(before) == len(after):
            for n, (old, new) in enumerate(zip(before, after, strict=True), start=1):
                found += [f"{kind} {n}: {said}" for said in _apart(old, new, known)]
            continue
        names = [[_identity(record, known) for record in side] for side in (before, after)]
        matcher = SequenceMatcher(None, *names, autojunk=False)
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag != "equal":
                found += [f"{kind} {n + 1} is missing: {names[0][n]}" for n in range(i1, i2)]
                found += [f"{kind} {n + 1} is new: {names[1][n]}" for n in range(j1, j2)]
    return found


def _is_of_foot(kind: str, record: Any, known: Texts) -> bool:
    """Whether it is a link at the foot of a page: those follow from the order of the pages, which has a test."""
    return kind == "page_link" and FOOT.match(_said(record, known)) is not None


def _is_words(record: Any) -> bool:
    return isinstance(record, list) and bool(record) and isinstance(record[0], str) and len(record[0]) == 8


def _identity(record: Any, known: Texts) -> str:
    if _is_words(record):
        return _said(record, known)
    if isinstance(record, dict) and "is" in record:
        return _said(record["is"], known)
    if isinstance(record, dict) and "alt" in record:
        return _said(record["alt"], known)
    return ", ".join(record) if isinstance(record, dict) else str(record)


def _said(record: list, known: Texts) -> str:
    """The words of a record with their numbers."""
    numbers = iter(record[1:] if not isinstance(record[-1], dict) else ())
    many = f" with numbers {_plainly(record[-1])}" if isinstance(record[-1], dict) else ""
    return re.sub("#", lambda _: str(next(numbers, "#")), known.get(record[0], f"words {record[0]}")) + many


def _apart(old: Any, new: Any, known: Texts, path: str = "") -> Iterator[str]:
    where = f"{path}: " if path else ""
    if _is_words(old) and _is_words(new):
        same = old[0] == new[0] and len(old) == len(new)
        if not same or any(said for a, b in zip(old[1:], new[1:], strict=True) for said in _apart(a, b, known)):
            yield f"{where}was “{_said(old, known)}”, is “{_said(new, known)}”"
    elif isinstance(old, dict) and isinstance(new, dict):
        inside = "n" in old and "n" in new
        if inside:
            if not _same_summary(old, new):
                yield f"{where}was {_plainly(old)}, is {_plainly(new)}"
            return
        for name in sorted(old.keys() | new.keys()):
            if name not in old or name not in new:
                yield f"{where}{name} is {'new' if name not in old else 'missing'}: {_plainly((old | new)[name])}"
            else:
                yield from _apart(old[name], new[name], known, f"{path} {name}".strip())
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new) or not all(_close(a, b) for a, b in zip(old, new, strict=True)):
            yield f"{where}was {_plainly(old)}, is {_plainly(new)}"
    elif not _close(old, new):
        yield f"{where}was {_plainly(old)}, is {_plainly(new)}"


def _cut(text: str) -> str:
    most = MAX_STORED // 2 if " | " in text else MAX_STORED  # labels of a figure, or words
    return text if len(text) <= most or text.startswith(OPTIONS) else f"{text[:most]}…"


def _plainly(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False)


def _same_summary(old: dict, new: dict) -> bool:
    if old.keys() != new.keys() or any(old[name] != new[name] for name in old if name in ("n", "steps", "not finite")):
        return False
    if "sums" not in old:
        return True
    quantised = "steps" in old  # a number may fall to the step beside it
    in_sums = 0.02 if quantised else ATOL + RTOL * abs(old["sums"][0])  # they may cancel out, the mean size does not
    for names, atol in ((("sums",), in_sums), (("some",), 1.0 if quantised else ATOL)):
        pairs = [pair for name in names for pair in zip(old[name], new[name], strict=True)]
        if not all(_close(a, b, atol) for a, b in pairs):
            return False
    return True


def _close(a: Any, b: Any, atol: float = ATOL) -> bool:
    if any(isinstance(x, bool) or not isinstance(x, int | float) for x in (a, b)):
        return a == b
    return math.isclose(a, b, rel_tol=RTOL, abs_tol=atol)


# ---- the file ------------------------------------------------------------------------------------------------------


def load() -> tuple[dict[str, dict], Texts]:
    """(name of a link -> its digest, the words by their hash) as stored."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    return stored["links"], stored["texts"]


def write(pages: Collection[str] = (), path: Path = STORED) -> None:
    """Visit every link and store what it shows, a line per link; of some pages only, where these are named."""
    import torch

    torch.set_num_threads(1)
    before, texts = load() if pages else ({}, {})
    fresh: Texts = {}
    links = {
        link.name: before[link.name]
        if pages and link.page not in pages and link.name in before
        else digest(link, fresh)
        for link in LINKS
    }
    texts = texts | {name: _cut(words) for name, words in fresh.items()}
    lines = [f"{_plainly(name)}: {_compact(links[name])}" for name in sorted(links)]
    used = set(re.findall(r'"([0-9a-f]{8})"', "\n".join(lines)))
    words = [f"{_plainly(name)}: {_plainly(texts[name])}" for name in sorted(used & texts.keys())]
    newline = ",\n"
    path.write_text(f'{{"links": {{\n{newline.join(lines)}\n}},\n"texts": {{\n{newline.join(words)}\n}}}}\n', "utf-8")


def _compact(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False, sort_keys=True, separators=SHORT)


if __name__ == "__main__":
    write([page.strip("/") for page in sys.argv[1:]])
