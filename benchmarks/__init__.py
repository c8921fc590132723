"""How fast the app is, measured in a real browser: `python -m benchmarks`."""
