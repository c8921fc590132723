"""What surrounds every page. app.py alone imports it."""
