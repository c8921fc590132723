"""A place for trainings in the thread that calls it, which is there at once."""


class Here:
    def call(self, fn, /, *args, **kwargs):
        return fn(*args, **kwargs)

    def end(self) -> None:
        """It cannot."""

    def close(self) -> None:
        """There is nothing to let go."""
