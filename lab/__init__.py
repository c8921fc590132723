"""What the pages stand on."""
