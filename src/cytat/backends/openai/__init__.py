"""Embedders and chat models on any server that speaks OpenAI's protocol."""
