"""What runs in the browser on the front page: a folder each, and the row of words that two of them draw."""
