"""Many ways to cut, embed and rank one corpus, each measured and compared with it as it is."""
