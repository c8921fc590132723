"""What a reader should know before, and the papers that the pages are made from."""

import streamlit as st


def draw() -> None:
    """Both, folded away."""
    with st.expander("Before you start, and sources"):
        st.markdown(
            """
You need vectors and the dot product, and for the code a little Python; the numbered pages bring the rest, in order.

| | |
|---|---|
| The Transformer | Vaswani et al. 2017, [Attention Is All You Need](https://arxiv.org/abs/1706.03762) |
| Residual connections | He et al. 2015, [Deep Residual Learning](https://arxiv.org/abs/1512.03385) |
| Layer normalisation | Ba, Kiros and Hinton 2016, [Layer Normalization](https://arxiv.org/abs/1607.06450) |
| Encoders alone | Devlin et al. 2018, [BERT](https://arxiv.org/abs/1810.04805) |
| Vision | Dosovitskiy et al. 2020, [An Image is Worth 16x16 Words](https://arxiv.org/abs/2010.11929) |
| Rotary positions | Su et al. 2021, [RoFormer](https://arxiv.org/abs/2104.09864) |
| Relative positions | Raffel et al. 2019, [T5](https://arxiv.org/abs/1910.10683) |
| ALiBi | Press, Smith and Lewis 2021, [Train Short, Test Long](https://arxiv.org/abs/2108.12409) |
| Shared keys and values | Shazeer 2019, [One Write-Head](https://arxiv.org/abs/1911.02150); Ainslie et al. 2023, \
[GQA](https://arxiv.org/abs/2305.13245) |
| Rollout | Abnar and Zuidema 2020, [Quantifying Attention Flow](https://arxiv.org/abs/2005.00928) |
"""
        )
