import json

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer

name = "sentence-transformers/all-MiniLM-L6-v2"
tokenizer = AutoTokenizer.from_pretrained(name)
model = AutoModel.from_pretrained(name, attn_implementation="eager").eval()  # other kinds return no weights
text = tokenizer("The animal didn't cross the street because it was too tired", return_tensors="pt")
with torch.inference_mode():
    layers = model(**text, output_attentions=True).attentions  # one (1, heads, tokens, tokens) per layer
attention = torch.cat(layers).half().numpy()
tokens = tokenizer.convert_ids_to_tokens(text["input_ids"][0])
np.savez_compressed("attention.npz", attention=attention, tokens=json.dumps(tokens))
