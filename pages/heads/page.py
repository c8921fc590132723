"""Where does each word look? Every head of a Transformer on a sentence that the visitor types."""

from pages.heads import all_heads
from pages.shared import display, gate
from pages.shared.view import heading

heading(
    "heads",
    "Every row is a word :blue[**asking**]; every column a word :orange[**being looked at**]. "
    "The stronger the cell, the larger the :violet[**attention weight**]; each row adds up to 1.",
)
with gate.refusals_to(display.notice):
    all_heads.show()
