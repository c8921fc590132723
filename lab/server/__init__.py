"""What serves many visitors at once; it knows no page and no widget."""
