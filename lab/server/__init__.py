"""What keeps the app on its feet: it knows no page and no widget."""
