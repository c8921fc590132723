"""The words themselves. In a sentence, [[token]] is a link to another word, and [[token|tokens]] one that reads so."""

from collections.abc import Mapping
from typing import NamedTuple

from lab.kit.glossary import (
    attention_pictures,
    inside_pictures,
    mask_pictures,
    model_pictures,
    position_pictures,
    text_pictures,
    training_pictures,
    writing_pictures,
)
from lab.kit.glossary.shapes import Picture


class Place(NamedTuple):
    """Where a word is met: a page, a view of it by its name ("" for the page as it opens), and further settings."""

    page: str
    view: str = ""
    settings: Mapping[str, str] = {}


class Word(NamedTuple):
    """One word.

    name      as it is written in the middle of a sentence
    sentence  what it is, exact and plain
    picture   a small drawing, 220 x 96
    place     where one meets it
    also      what other sources, papers and libraries call it
    forms     how it is written in prose, beside its name and its plural in -s
    pages     the pages on which it has this meaning in prose; () for all
    """

    name: str
    sentence: str
    picture: Picture
    place: Place
    also: tuple[str, ...]
    forms: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()

    @property
    def written(self) -> tuple[str, ...]:
        """Every form that prose has of it."""
        plural = () if self.name.endswith("s") else (f"{self.name}s",)
        return tuple(dict.fromkeys((self.name, *plural, *self.forms)))


# A key or a value is something else where files and settings are spoken of.
CONCEPTS = ("", "attention", "heads", "masks", "blocks", "lessons", "challenges", "bugs")
ATTENTION_PAGES = (*CONCEPTS, "generation", "translation")

GROUPS: dict[str, tuple[Word, ...]] = {
    "From text to numbers": (
        Word(
            "token",
            "One piece of a text, a word or part of one: the smallest thing a model reads or writes.",
            text_pictures.token(),
            Place("embeddings", "Cut"),
            ("subword", "wordpiece", "input_ids"),
        ),
        Word(
            "special token",
            "A [[token]] that is no part of the text but says something about it, such as where it begins or ends.",
            text_pictures.special_token(),
            Place("generation", "Choose the next word"),
            ("BOS", "EOS", "[CLS]", "[SEP]", "bos_token_id", "eos_token_id"),
        ),
        Word(
            "vocabulary",
            "The list of all [[token|tokens]] a model knows, each with a number of its own.",
            text_pictures.vocabulary(),
            Place("embeddings", "Look up"),
            ("vocab_size", "n_vocab", "num_embeddings"),
            ("vocabularies",),
        ),
        Word(
            "byte pair encoding",
            "A way to build a [[vocabulary]]: start from single bytes, and keep joining the two neighbours that"
            " occur together most often.",
            text_pictures.byte_pair_encoding(),
            Place("embeddings", "Cut"),
            ("BPE", "byte-level BPE", "merges.txt"),
            ("BPE", "byte pairs"),
        ),
        Word(
            "vector",
            "A list of numbers in a fixed order, which can also be drawn as an arrow.",
            text_pictures.vector(),
            Place("embeddings", "Look up"),
            ("array", "one-dimensional tensor"),
        ),
        Word(
            "dot product",
            "A number that is large where two [[vector|vectors]] point the same way: multiply them entry by entry,"
            " and add up the products.",
            text_pictures.dot_product(),
            Place("attention", "Step by step"),
            ("inner product", "scalar product", "torch.dot"),
        ),
        Word(
            "cosine similarity",
            "How nearly two [[vector|vectors]] point the same way, whatever their lengths: 1 is the same direction,"
            " 0 a right angle, −1 the opposite.",
            text_pictures.cosine_similarity(),
            Place("embeddings", "Alike"),
            ("cosine", "cos_sim", "normalised dot product"),
            ("cosine", "cosines"),
        ),
        Word(
            "embedding",
            "The [[vector]] that a model looks up for a [[token]] in a table it has learned.",
            text_pictures.embedding(),
            Place("embeddings", "Look up"),
            ("wte", "tok_embeddings", "embed_tokens", "word_embeddings", "nn.Embedding"),
        ),
        Word(
            "d_model",
            "How many numbers each [[token]] carries through the model: the length of its [[vector]] in every"
            " [[layer]].",
            text_pictures.d_model(),
            Place("blocks", "Modern blocks"),
            ("hidden_size", "embed_dim", "n_embd", "hidden_dim", "model width"),
        ),
        Word(
            "patch",
            "A small square of a picture, which a model reads as one [[token]].",
            text_pictures.patch(),
            Place("vision", "Cut into patches"),
            ("image token", "image patch"),
            ("patches",),
            pages=("vision", "beyond", "live"),
        ),
        Word(
            "class token",
            "A [[special token]] in front of a picture or a text, from whose last [[vector]] one answer for the whole"
            " is read.",
            text_pictures.class_token(),
            Place("vision", "Where it looks"),
            ("cls_token", "class embedding"),
        ),
    ),
    "Word order": (
        Word(
            "position",
            "The number of a [[token]]'s seat in the text, counted from 0.",
            position_pictures.position(),
            Place("positions", "Why needed"),
            ("position_ids", "index", "timestep"),
        ),
        Word(
            "positional encoding",
            "A pattern of numbers, different for every [[position]], that is added to an [[embedding]] so that the"
            " model knows the order of the text.",
            position_pictures.positional_encoding(),
            Place("positions", "The code"),
            ("position embedding", "pos_embed", "wpe", "sinusoidal encoding", "PE"),
            ("position code", "position codes"),
        ),
        Word(
            "rotary positions",
            "A scheme that turns each [[query]] and [[key]] by an angle that grows with its [[position]], so that"
            " their [[score]] depends on the distance between them.",
            position_pictures.rotary(),
            Place("positions", "Other ways", {"pos_scheme": "rotary"}),
            ("RoPE", "rotary embedding", "rope_theta", "apply_rotary_pos_emb"),
            ("rotary", "RoPE"),
        ),
        Word(
            "ALiBi",
            "A rule that lowers each [[score]] in proportion to the distance between the two [[token|tokens]], so"
            " that far ones count for less.",
            position_pictures.alibi(),
            Place("positions", "Other ways", {"pos_scheme": "ALiBi"}),
            ("attention with linear biases", "alibi_slopes", "build_alibi_tensor"),
        ),
    ),
    "Attention": (
        Word(
            "attention",
            "The step in which every [[token]] gathers information from the others, most of it from those whose"
            " [[key]] fits its [[query]].",
            attention_pictures.attention(),
            Place("attention", "Step by step"),
            ("scaled dot-product attention", "scaled_dot_product_attention", "SDPA", "attn"),
        ),
        Word(
            "query",
            "The [[vector]] with which a [[token]] asks: it is compared with the [[key]] of every token it may look"
            " at.",
            attention_pictures.query(),
            Place("attention", "Step by step"),
            ("q", "W_q", "q_proj", "query_states", "to_q"),
            ("queries",),
        ),
        Word(
            "key",
            "The [[vector]] by which a [[token]] is found: every [[query]] is compared with it.",
            attention_pictures.key(),
            Place("attention", "Step by step"),
            ("k", "W_k", "k_proj", "key_states", "to_k"),
            pages=ATTENTION_PAGES,
        ),
        Word(
            "value",
            "The [[vector]] that a [[token]] hands to those that look at it.",
            attention_pictures.value(),
            Place("attention", "Mix"),
            ("v", "W_v", "v_proj", "value_states", "to_v"),
            pages=ATTENTION_PAGES,
        ),
        Word(
            "score",
            "How well a [[query]] fits a [[key]]: their [[dot product]], which is divided by the square root of [[d_k]]"
            " before [[softmax]].",
            attention_pictures.score(),
            Place("attention", "Step by step"),
            ("attn_scores", "energy", "compatibility", "QKᵀ"),
            pages=ATTENTION_PAGES,
        ),
        Word(
            "softmax",
            "A formula that turns any list of numbers into shares that add up to 1, the largest number getting the"
            " largest share.",
            attention_pictures.softmax(),
            Place("attention", "Step by step", {"att_step": "weights"}),
            ("F.softmax", "normalised exponential", "softargmax"),
        ),
        Word(
            "attention weight",
            "The share of its [[attention]] that one [[token]] gives to another: the [[softmax]] of its"
            " [[score|scores]], so all it gives adds up to 1.",
            attention_pictures.attention_weight(),
            Place("heads"),
            ("attn_weights", "attention probability", "attention pattern", "output_attentions", "α"),
        ),
        Word(
            "head",
            "One set of [[query|queries]], [[key|keys]] and [[value|values]] with its own [[attention"
            " weight|attention weights]]; a [[layer]] has several side by side.",
            attention_pictures.head(),
            Place("heads"),
            ("num_heads", "nhead", "n_head", "n_heads", "num_attention_heads", "multi-head attention"),
        ),
        Word(
            "d_k",
            "How many numbers a [[query]] and a [[key]] have: usually [[d_model]] divided by the number of"
            " [[head|heads]].",
            attention_pictures.d_k(),
            Place("attention", "Step by step", {"att_widths": "true"}),
            ("head_dim", "d_head", "d_kv", "attention_head_size"),
        ),
        Word(
            "self-attention",
            "The kind of [[attention]] in which [[query|queries]], [[key|keys]] and [[value|values]] all come from"
            " the same text.",
            attention_pictures.self_attention(),
            Place("masks", "Wiring"),
            ("self_attn", "intra-attention", "SelfAttention", "attn1"),
        ),
        Word(
            "cross-attention",
            "The kind of [[attention]] in which the [[query|queries]] come from the [[decoder]], the [[key|keys]]"
            " and [[value|values]] from the [[memory]] of the [[encoder]].",
            attention_pictures.cross_attention(),
            Place("masks", "Wiring"),
            ("encoder-decoder attention", "encoder_attn", "multihead_attn", "crossattention", "attn2"),
        ),
        Word(
            "grouped-query attention",
            "A saving by which several [[head|heads]] share one set of [[key|keys]] and [[value|values]], so that"
            " the [[cache]] is smaller.",
            attention_pictures.grouped_query_attention(),
            Place("generation", "The cache"),
            ("GQA", "num_key_value_heads", "n_kv_heads"),
        ),
    ),
    "Who may look at whom": (
        Word(
            "mask",
            "A grid that says which [[token]] may look at which: where it forbids, the [[attention weight]] is"
            " exactly 0.",
            mask_pictures.mask(),
            Place("masks", "Paint"),
            ("attn_mask", "attention_mask", "src_mask", "tgt_mask"),
        ),
        Word(
            "causal mask",
            "A [[mask]] that lets each [[token]] look only at itself and at what comes before it.",
            mask_pictures.causal_mask(),
            Place("masks", "Leaks"),
            ("is_causal", "look-ahead mask", "subsequent mask", "autoregressive mask", "torch.tril"),
            ("causal",),
        ),
        Word(
            "padding",
            "Filler [[token|tokens]] that bring all texts of a [[batch]] to one length; a [[mask]] keeps anyone"
            " from looking at them.",
            mask_pictures.padding(),
            Place("masks", "Paint", {"masks_batch": "true"}),
            ("<pad>", "pad_token_id", "padding_idx", "key_padding_mask"),
        ),
    ),
    "The parts of a model": (
        Word(
            "encoder",
            "The half of a model that reads a whole text at once, every [[token]] looking at all the others.",
            model_pictures.encoder(),
            Place("translation", "Threads", {"translation_heads": "true", "translation_kind": "Encoder self"}),
            ("TransformerEncoder", "bidirectional model", "BERT-style model"),
        ),
        Word(
            "decoder",
            "The half of a model that writes a text [[token]] by token, each looking only at what has been written"
            " so far, and at the [[memory]] if there is one.",
            model_pictures.decoder(),
            Place("translation", "Step by step"),
            ("TransformerDecoder", "causal language model", "GPT-style model", "autoregressive model"),
        ),
        Word(
            "memory",
            "What the [[encoder]] has made of the source text: one [[vector]] per [[token]], for the [[decoder]] to"
            " look at.",
            model_pictures.memory(),
            Place("translation", "Change a word"),
            ("encoder_hidden_states", "encoder_outputs"),
            pages=("", "masks", "blocks", "translation", "lessons", "challenges", "bugs"),
        ),
        Word(
            "layer",
            "One storey of the model: first [[attention]], then [[feed-forward]], each adding its result to the"
            " [[residual stream]].",
            model_pictures.layer(),
            Place("blocks", "One layer"),
            ("block", "transformer block", "num_layers", "n_layer", "num_hidden_layers", "TransformerEncoderLayer"),
        ),
        Word(
            "residual stream",
            "The [[vector|vectors]], one per [[token]], that run up through the model: each [[layer]] reads them"
            " and adds to them.",
            model_pictures.residual_stream(),
            Place("blocks", "The stream"),
            ("hidden_states", "resid_pre", "resid_post"),
        ),
        Word(
            "mixture of experts",
            "A [[feed-forward]] in several versions, of which each [[token]] goes through only the few that a"
            " [[router]] picks for it.",
            model_pictures.mixture_of_experts(),
            Place("blocks", "Modern blocks", {"blocks_experts": "true"}),
            ("MoE", "sparse MLP", "num_local_experts"),
            ("expert", "experts"),
        ),
        Word(
            "router",
            "A small map that gives every [[mixture of experts|expert]] a share for a [[token]], and sends it to those"
            " with the largest.",
            model_pictures.router(),
            Place("blocks", "Modern blocks", {"blocks_experts": "true"}),
            ("gate", "gating network"),
        ),
        Word(
            "recurrent network",
            "A network that reads one [[token]] after the other, and keeps all it knows of the text in one [[vector]].",
            model_pictures.recurrent_network(),
            Place("why", "How far apart are words?", {"why_recall": "true"}),
            ("RNN", "nn.RNN"),
            ("recurrent",),
        ),
        Word(
            "LSTM",
            "A [[recurrent network]] with gates, which learn what to keep, what to forget and what to pass on.",
            model_pictures.lstm(),
            Place("why", "How far apart are words?", {"why_recall": "true"}),
            ("long short-term memory", "nn.LSTM"),
        ),
        Word(
            "layer norm",
            "A step that moves and stretches the numbers of each [[vector]] to mean 0 and variance 1, then scales"
            " and shifts them by [[parameter|parameters]] of its own.",
            model_pictures.layer_norm(),
            Place("blocks", "One layer", {"blocks_step": "norm 1"}),
            ("LayerNorm", "layer_norm", "ln_1", "norm1", "layer normalisation"),
            ("layer normalisation", "layer normalization"),
        ),
        Word(
            "RMSNorm",
            "A simpler [[layer norm]] that only divides each [[vector]] by the root of its mean square, and moves"
            " nothing.",
            model_pictures.rms_norm(),
            Place("blocks", "One layer", {"blocks_step": "norm 1"}),
            ("rms_norm", "root mean square norm", "rms_norm_eps", "T5LayerNorm"),
        ),
        Word(
            "feed-forward",
            "The part of a [[layer]] that works on each [[token]] alone: a map to more numbers, a bend that makes"
            " it more than a straight line, and a map back.",
            model_pictures.feed_forward(),
            Place("blocks", "One layer", {"blocks_step": "feed-forward"}),
            ("MLP", "FFN", "position-wise feed-forward", "fc1", "c_fc", "DenseReluDense"),
            ("feed-forward layer", "feed-forward layers"),
        ),
        Word(
            "d_ff",
            "How many numbers each [[token]] has in the middle of [[feed-forward]]: often four times [[d_model]].",
            model_pictures.d_ff(),
            Place("blocks", "One layer", {"blocks_step": "feed-forward"}),
            ("dim_feedforward", "dim_ff", "intermediate_size", "ffn_dim", "n_inner", "d_mlp"),
        ),
        Word(
            "hyperparameter",
            "A number that people choose before training, such as how many [[layer|layers]] there are.",
            model_pictures.hyperparameter(),
            Place("heads"),
            ("config", "setting", "TrainingArguments"),
        ),
        Word(
            "parameter",
            "A number inside the model that training changes; an [[attention weight]] is none, for it is computed"
            " anew for every text.",
            model_pictures.parameter(),
            Place("blocks", "Modern blocks"),
            ("model weight", "state_dict", "requires_grad", "num_parameters"),
        ),
        Word(
            "untrained",
            "Said of a model whose [[parameter|parameters]] are still the random numbers it started with.",
            model_pictures.untrained(),
            Place("heads", "", {"weights": "untrained"}),
            ("random weights", "randomly initialised", "from scratch", "from_config"),
        ),
    ),
    "Training": (
        Word(
            "loss",
            "The number that training makes smaller: on average, minus the logarithm of the probability that the"
            " model gave to the right answer.",
            training_pictures.loss(),
            Place("live"),
            ("cross-entropy", "negative log-likelihood", "NLL", "CrossEntropyLoss", "objective"),
            ("losses",),
        ),
        Word(
            "gradient",
            "For every [[parameter]], how fast the [[loss]] would grow if it were raised a little.",
            training_pictures.gradient(),
            Place("embeddings", "Look up", {"emb_learns": "true"}),
            ("grad", "∇L", "derivative of the loss"),
        ),
        Word(
            "learning rate",
            "How far each [[training step]] moves the [[parameter|parameters]] against the [[gradient]].",
            training_pictures.learning_rate(),
            Place("live"),
            ("lr", "step size", "η", "eta"),
        ),
        Word(
            "warm-up",
            "The first [[training step|training steps]], in which the [[learning rate]] climbs from almost 0 to its"
            " peak.",
            training_pictures.warm_up(),
            Place("live"),
            ("warmup_steps", "num_warmup_steps"),
            ("warmup",),
        ),
        Word(
            "training step",
            "One small change of all [[parameter|parameters]], worked out from one [[batch]].",
            training_pictures.training_step(),
            Place("live"),
            ("iteration", "update", "global_step", "optimizer.step()", "max_steps"),
        ),
        Word(
            "batch",
            "Several texts that go through the model together.",
            training_pictures.batch(),
            Place("masks", "Paint", {"masks_batch": "true"}),
            ("batch_size", "mini-batch", "per_device_train_batch_size"),
            ("batches",),
        ),
        Word(
            "epoch",
            "One pass through all texts that the model is trained on.",
            training_pictures.epoch(),
            Place("live"),
            ("num_train_epochs", "max_epochs"),
        ),
        Word(
            "dropout",
            "Setting a random share of the numbers to 0 during training, so that the model cannot rely on any one"
            " of them.",
            training_pictures.dropout(),
            Place("blocks", "One layer", {"blocks_dropout": "true"}),
            ("nn.Dropout", "attn_pdrop", "hidden_dropout_prob"),
        ),
        Word(
            "overfitting",
            "Memorising the training texts: their [[loss]] keeps falling while that of unseen texts rises.",
            training_pictures.overfitting(),
            Place("live"),
            ("memorisation", "overtraining"),
        ),
        Word(
            "fine-tuning",
            "Training a trained model a little further, on a new task or on other texts.",
            training_pictures.fine_tuning(),
            Place("finetuning", "The race"),
            ("SFT", "supervised fine-tuning"),
            ("fine-tune", "fine-tuned"),
        ),
        Word(
            "LoRA",
            "A kind of [[fine-tuning]] that freezes every [[parameter]] and learns, beside a matrix, a small update of"
            " low [[matrix rank|rank]].",
            training_pictures.lora(),
            Place("finetuning", "The race", {"fine_moved": "true"}),
            ("low-rank adaptation", "LoraConfig"),
        ),
        Word(
            "matrix rank",
            "How many rows it takes to mix all rows of a matrix from: 1 where all are multiples of one.",
            training_pictures.matrix_rank(),
            Place("finetuning", "The race", {"fine_moved": "true"}),
            ("torch.linalg.matrix_rank", "lora_r", "number of non-zero singular values"),
            ("rank",),
            pages=("finetuning",),
        ),
        Word(
            "scaling law",
            "A measured rule: every time [[parameter|parameters]], data and computing grow tenfold, the [[loss]] falls"
            " by about the same factor.",
            training_pictures.scaling_law(),
            Place("why", "What does it cost?", {"why_bigger": "true"}),
            ("neural scaling law", "scaling curve"),
        ),
        Word(
            "perplexity",
            "How many equally likely [[token|tokens]] would leave us as unsure as the model is: e to the power of"
            " its [[loss]].",
            training_pictures.perplexity(),
            Place("live"),
            ("ppl", "exp(loss)"),
        ),
        Word(
            "entropy",
            "How evenly shares are spread: 0 if one gets everything, and largest if all are equal.",
            training_pictures.entropy(),
            Place("attention", "Step by step", {"att_widths": "true"}),
            ("Shannon entropy", "uncertainty", "H(p)"),
        ),
        Word(
            "baseline",
            "A simple rule to compare with, such as equal shares for all: a result that does not beat it shows"
            " nothing.",
            training_pictures.baseline(),
            Place("heads"),
            ("chance level", "control", "null model"),
        ),
    ),
    "Writing a text": (
        Word(
            "logit",
            "The raw number that a model gives each entry of the [[vocabulary]] before [[softmax]] turns them into"
            " probabilities.",
            writing_pictures.logit(),
            Place("generation", "Choose the next word", {"gen_logits": "true"}),
            ("unnormalised log-probability", "next_token_logits"),
        ),
        Word(
            "greedy decoding",
            "Writing the likeliest [[token]] every time.",
            writing_pictures.greedy(),
            Place("generation", "Choose the next word"),
            ("argmax", "greedy search", "do_sample=False"),
            ("greedy",),
        ),
        Word(
            "sampling",
            "Drawing the next [[token]] at random, a likely one more often than an unlikely one.",
            writing_pictures.sampling(),
            Place("generation", "Choose the next word", {"gen_hundred": "true"}),
            ("do_sample", "torch.multinomial", "ancestral sampling"),
        ),
        Word(
            "temperature",
            "A number that every [[logit]] is divided by: below 1 the likeliest [[token]] gains, above 1 all come"
            " closer together.",
            writing_pictures.temperature(),
            Place("generation", "Choose the next word"),
            ("T", "τ", "softmax temperature"),
        ),
        Word(
            "top-k",
            "Drawing only from the k likeliest [[token|tokens]].",
            writing_pictures.top_k(),
            Place("generation", "Choose the next word"),
            ("top_k", "TopKLogitsWarper"),
        ),
        Word(
            "top-p",
            "Drawing only from the likeliest [[token|tokens]] whose probabilities together reach p.",
            writing_pictures.top_p(),
            Place("generation", "Choose the next word"),
            ("top_p", "nucleus sampling", "TopPLogitsWarper"),
        ),
        Word(
            "beam search",
            "Writing several texts side by side and keeping, after every [[token]], the few that are likeliest so far.",
            writing_pictures.beam_search(),
            Place("translation", "Step by step", {"beam_width": "3", "english": "The cat is a dog"}),
            ("num_beams", "beam_size"),
            ("beam", "beams"),
        ),
        Word(
            "cache",
            "The [[key|keys]] and [[value|values]] of earlier [[token|tokens]], kept so that they are not computed"
            " again for every new one.",
            writing_pictures.cache(),
            Place("generation", "The cache"),
            ("KV cache", "past_key_values", "use_cache"),
            ("KV cache",),
        ),
    ),
    "Looking inside": (
        Word(
            "ablation",
            "Switching off one part, such as a [[head]], to see what the model can no longer do.",
            inside_pictures.ablation(),
            Place("blocks", "Ablation"),
            ("knockout", "zero ablation", "lesion"),
        ),
        Word(
            "alignment",
            "Which word of one text each word of the other comes from.",
            inside_pictures.alignment(),
            Place("translation", "Threads"),
            ("word alignment", "soft alignment"),
        ),
        Word(
            "induction head",
            "A [[head]] that finds where the present [[token]] stood before, and looks at what followed it there.",
            inside_pictures.induction_head(),
            Place("pretrained", "Which head?", {"head_light": "Repetition"}),
            ("prefix-matching head", "match-and-copy head"),
        ),
        Word(
            "patching",
            "Putting a [[vector]] from one run of the model into another, to see whether the answer moves with it.",
            inside_pictures.patching(),
            Place("pretrained", "Which head?", {"head_light": "Patch"}),
            ("activation patching", "causal tracing", "interchange intervention"),
        ),
        Word(
            "logit lens",
            "Reading the [[residual stream]] below the top as if it were finished, to see which [[token]] the model"
            " would choose so far.",
            inside_pictures.logit_lens(),
            Place("pretrained", "Lens"),
            ("early decoding", "unembedding of hidden states"),
        ),
        Word(
            "attribution",
            "Splitting an answer into what each part, such as a [[head]], added to its [[logit]].",
            inside_pictures.attribution(),
            Place("pretrained", "Which head?", {"head_light": "Attribute"}),
            ("direct logit attribution", "DLA"),
        ),
    ),
}
