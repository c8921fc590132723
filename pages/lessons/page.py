"""Where do I begin? The lessons that ship, and one of your own."""

from pages.lessons import shelf, workshop
from pages.shared.view import heading

heading("lessons", "A lesson leads you through the app: guess, look, do one thing, and answer a question.")
shelf.draw()
workshop.draw()
