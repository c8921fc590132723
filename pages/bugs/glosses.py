"""What each line of the listings is for, in plain words: the same for a wrong line as for its cure."""

_MASKED_SHARES = "hide what the mask forbids; turn the other scores into shares of 1"
_SCORES = "score how well each query fits each key"
_SPLIT = "cut each token’s numbers into heads"
_NUMBERED = "give each word a number: the row of its vector"
_LOSS = "measure the loss: how surprised the model is by the next token"
_PLACED = "tell each token where it stands in the text"
_TABLE = "make a table of position codes, and keep it"

GLOSSES = {
    # attention
    "B, T, _ = x.shape": "count the texts, and the tokens in each",
    "return x.view(B, T, self.n_heads, self.d_k).transpose(1, 2)": _SPLIT,
    "return x.view(B, self.n_heads, T, self.d_k)": _SPLIT,
    "return q @ k.transpose(-2, -1) / math.sqrt(self.d_k)": _SCORES,
    "return q @ k.transpose(-2, -1)": _SCORES,
    "return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)": _MASKED_SHARES,
    "return scores.masked_fill(~mask, -math.inf).softmax(dim=-2)": _MASKED_SHARES,
    "return scores.masked_fill(mask, -math.inf).softmax(dim=-1)": _MASKED_SHARES,
    "return scores.softmax(dim=-1) * mask": _MASKED_SHARES,
    "return self.cross_attn(memory, x, tap=tap)": "let the translation look at the source text",
    # masks
    "return super().forward(ids, self.mask(ids.shape[1]), is_causal=False, **more)": "run the decoder with this mask",
    "return torch.ones(T, T).tril(diagonal=1).bool()": "say who may look at whom: True means “may”",
    "return super().forward(ids, self.mask(ids), **more)": "run the encoder with this mask",
    "return None": "say which tokens may be looked at",
    # a layer
    "update, weights = self.self_attn(self.norm1.before(x), mask=mask)": "let each token look at the others",
    "mid = self.norm1.after(x, update)": "put what it found into the stream",
    "update = self.feed_forward(self.norm2.before(mid))": "work on each token by itself: feed-forward",
    "x = self.norm2.after(mid, update)": "put that into the stream, too",
    "return x, weights": "hand on the stream, and who looked at whom",
    'return ctx.tap("out", self.w_2(self.drop(self.activation(self.w_1(x)))))': "widen, bend, drop some, narrow again",
    "return F.dropout(hidden, 0.1)": "in training, drop a tenth at random",
    "return update": "join what a sublayer found with the stream",
    "return self.normal(input) * self.weight + self.bias": "normalise; then scale and shift as learned",
    "variance, mean = torch.var_mean(x, dim=1, correction=0, keepdim=True)": "measure the mean and the spread",
    "return (x - mean) / torch.sqrt(variance + self.eps)": "shift the mean to 0, scale the spread to 1",
    # positions
    'return ctx.tap("positioned", self.place(self.embedding(ids)))': "look up the vectors; add the positions",
    'return ctx.tap("positioned", x)': "hand on what the first layer reads",
    "return x": _PLACED,
    "return x + _table(self)[: x.shape[0], None]": _PLACED,
    "x = self.place(self.embedding(ids), ctx.cache.length if ctx.cache else 0)": "look up new tokens; add positions",
    "if ctx.cache:": "with a cache, read only the new tokens",
    "ctx.cache.length += ids.shape[1]": "count how many have been read",
    "return self.positions.add(x)": _PLACED,
    "nn.Module.__init__(self)": "make it a module",
    "self.table = sinusoids(length, d_model).float()": _TABLE,
    "return x + self.table[: x.shape[1]]": "add a row of the table to each token",
    # layers
    "for n, layer in enumerate(self.layers):": "go from the lowest layer to the highest",
    "x, weights = layer(x, mask, positions=self.positions, ctx=ctx.at(str(n)))": "run this layer",
    "out, weights = layer(x, mask, positions=self.positions, ctx=ctx.at(str(n)))": "run this layer",
    "yield x, weights": "hand on its output",
    "yield out, weights": "hand on its output",
    "return [make()] * n": "make so many layers",
    "self.layers = list(layers)": "keep the layers",
    # vocabulary
    "for n, id in enumerate(id for id in ids if id not in (PAD, BOS, EOS)):": "for every number that is a token",
    "token = self.vocabulary[id]": "look up the token",
    'text += token.removeprefix(GLUE) if token.startswith(GLUE) else " " * (n > 0) + token': "append it",
    "return text": "hand back the text",
    "return {word: n for n, word in enumerate(words, start=1)}": _NUMBERED,
    # training
    "minimised.backward()": "find the gradient: which way to go",
    "for group in optimiser.param_groups:": "for all parameters",
    'group["lr"] = rate(step, highest, warm_up)': "set the length of the step",
    "optimiser.step()": "go one step",
    "return F.cross_entropy(logits.flatten(0, 1), ids.flatten(), ignore_index=PAD)": _LOSS,
    "return F.cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())": _LOSS,
    "return highest": "say how fast to learn at this step",
}  # line -> gloss
