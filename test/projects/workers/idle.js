// Does nothing.
