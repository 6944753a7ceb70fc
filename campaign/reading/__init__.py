"""What the pages show, read from the rows in a constant number of queries.

Views and the admin panel ask here. Nothing here knows a request, writes a row or
imports a view.
"""
