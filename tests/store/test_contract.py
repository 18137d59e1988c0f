"""The one store we have keeps the contract of stores."""

from cytat.testing.stores import StoreContract


class TestStore(StoreContract):
    pass
