"""The models that pages show: what names one, what is behind the name, and what it computes of a text."""
