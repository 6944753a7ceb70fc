"""Django looks for ``formats`` in a package of the language."""
