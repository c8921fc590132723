"""The story that every page opens on, and the model that reads it: said once, here.

TEXT      what a page that reads a text opens on
SENTENCE  its first sentence, where a sentence is translated
WRITER    the model that reads it, by its name among the shipped ones
MODEL     the same by its name on screen and in links
"""

TEXT = "mia found a red hat. tom found a blue ball. mia took the red"
SENTENCE = TEXT.split(".")[0]
WRITER, MODEL = "stories", "trained on stories"
