"""The texts a generator is given; read by `answering`, hashed into every trace."""
