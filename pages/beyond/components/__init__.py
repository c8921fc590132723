"""What the page puts on screen with a script of its own."""
