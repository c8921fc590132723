"""The palette for plotly figures: one colour, one meaning, in light and dark.

These are not colours but stand-ins: Streamlit's plotly theme replaces them, in the browser, with the chart colours of
.streamlit/config.toml, light or dark as the visitor has it. A heatmap whose trace names no colours gets SEQUENTIAL if
its values have one sign, and DIVERGING around 0 if they have two.
"""

from lab.kit.figures.strength import share_of

Scale = list[tuple[float, str]]  # shares of the way along it, and their colours

# chartCategoricalColors, in their order
WEIGHT = "#000001"  # violet: attention weights, and nothing else
QUERY = "#000002"  # blue: what asks
KEY = "#000003"  # vermilion: what is looked at
VALUE = "#000004"  # green: what is passed on
NEGATIVE = "#000005"  # amber: a number below zero
QUIET = "#000006"  # grey: everything that only helps
INK = "#000007"  # text, and a line that is none of the above
PANEL = "#000008"  # the ground of a figure: zero, in every scale
LINE = "#000009"  # a rule, a border
POSITIVE = "#000010"  # slate: a number above zero, where others are below

# chartSequentialColors, from the panel to violet in steps of one strength: each stands at the weight that has it, so
# that a weight has one shade in plotly, on a canvas and in SVG. A colour bar still counts weights.
SEQUENTIAL: Scale = [(share_of(n / 9), f"#0000{11 + n}") for n in range(10)]
# chartDivergingColors: signed numbers; zero is the colour of the panel
_SHADES = [f"#0000{21 + n}" for n in range(10)]
DIVERGING: Scale = [(n / 10, colour) for n, colour in enumerate([*_SHADES[:5], PANEL, *_SHADES[5:]])]
# Sizes that are no attention weights: the upper half of the diverging colours, from zero.
MAGNITUDE: Scale = [(n / 5, colour) for n, colour in enumerate([PANEL, *_SHADES[5:]])]
