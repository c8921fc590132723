"""Controls that several pages have: hyperparameters, models, and the text that is read."""
