"""The auditor: any ledger proved, any log re-settled, from the same rules that the table uses."""
