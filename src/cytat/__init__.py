"""cytat: answers from your own documents, quoted at their place."""
