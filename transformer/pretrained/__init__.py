"""Published models in our own classes: BERT, GPT-2, Llama and others, from a folder, a package or the hub.

    published = transformer.load("sentence-transformers/all-MiniLM-L6-v2")
    ours = transformer.load("shipped:stories")
    published.model, published.tokenizer.encode("a text").ids

Files come from strangers. What they say of themselves is checked before memory is taken for it, nothing in them is ever
run, and whatever is wrong with them is one sentence, an InputError.

    files       what a model's folder holds, checked: settings, headers of the weights, an estimate of the memory
    hub         the same on the hub, before and after a download; transport is the way there
    offers      which of them visitors may have
    places      the same in an installed package, or in a folder that the operator named
    tokenizer   from a text to tokens and ids
    rules       what a tokenizer may ask for
    family      which families there are, and what each of them calls its tensors
    convert     their tensors as the parameters of our model
    own         the project's own trained models, told in the same way
    loading     all of this together
"""

from transformer.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
