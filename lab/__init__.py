"""What the pages stand on: frame, server and kit."""
