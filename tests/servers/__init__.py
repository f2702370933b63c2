"""Servers that tests start beside the program, on loopback."""
