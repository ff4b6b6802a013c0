"""Attacks of insiders and strangers, each with the door that is shut to it."""
