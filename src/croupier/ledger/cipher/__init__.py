"""The ciphers that the ledger uses, and their plain forms for where no library has them."""
