"""Reading exports back: as a new choir, or into the choir that they came from.

``reading`` turns bytes into a document, ``columns`` says what each row may hold,
``steps`` bring rows of an older version to the columns of today, ``checking`` makes
sure that rows and journal hold together, ``ids`` names everything anew, ``writing``
makes the choir. Nothing is written before all of it was checked.
"""
