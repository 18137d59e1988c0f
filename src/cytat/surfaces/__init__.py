"""The ways in: each turns a request into one call of the facade and its result into a reply."""
