"""Where do I begin? The lessons that ship, and one of your own."""

from lab.kit.view import heading
from pages.lessons import shelf, workshop

heading("lessons", "A lesson leads you through the app: guess, look, do one thing, and answer a question.")
shelf.draw()
workshop.draw()
