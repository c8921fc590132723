"""What else can be read? Brackets in code as an example, and what a token is in sound, proteins and pictures."""

from lab.kit.view import heading, render
from pages.beyond import brackets

lede = heading(
    "beyond",
    "This model reads no words, only brackets. Each closing one sends a :blue[query]; a :violet[**thread**] shows which"
    " :orange[key] it looks at most.",
)
render([brackets.VIEW], "beyond_view", lede=lede)
