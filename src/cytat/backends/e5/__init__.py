"""The default encoder: multilingual-e5-small on onnxruntime."""
