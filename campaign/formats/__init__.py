"""How each language writes dates and times.

``FULL_DATE_FORMAT`` and ``MONTH_DAY_TIME_FORMAT`` are ours, the other names Django's.
Pages ask for a format by its name: ``{{ night.date|date:"DATE_FORMAT" }}``.
"""
