"""The model itself: one idea per file, from attention to the whole Transformer; nothing here trains or draws."""
