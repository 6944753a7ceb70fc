"""The rules of the four books and of KeyForge chains, as plain Python.

Nothing here reads a clock, a file, a database or chance: all of that is an argument.
"""
