"""The palette for plotly figures: one colour, one meaning, in light and dark.

These are not colours but stand-ins: Streamlit's plotly theme replaces them, in the browser, with the chart colours of
.streamlit/config.toml, light or dark as the visitor has it. A heatmap whose trace names no colours gets SEQUENTIAL if
its values have one sign, and DIVERGING around 0 if they have two.
"""

# chartCategoricalColors, in their order
WEIGHT = "#000001"  # violet: attention weights
QUERY = "#000002"  # blue: what asks
KEY = "#000003"  # vermilion: what is looked at
VALUE = "#000004"  # green: what is passed on
NEGATIVE = "#000005"  # amber: below zero
QUIET = "#000006"  # grey: everything that only helps

# chartSequentialColors: a weight of 0 to the largest
SEQUENTIAL = [[n / 9, f"#0000{11 + n}"] for n in range(10)]
# chartDivergingColors: scores, around 0
DIVERGING = [[n / 9, f"#0000{21 + n}"] for n in range(10)]
