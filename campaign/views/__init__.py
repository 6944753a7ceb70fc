"""The pages of a choir."""

from django.urls import register_converter

from campaign.converters import ChapterConverter, MissionConverter

register_converter(MissionConverter, "mission")
register_converter(ChapterConverter, "chapter")
