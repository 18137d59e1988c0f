"""The texts models are given; read by `answering` and `evaluation`, hashed into traces and runs."""
