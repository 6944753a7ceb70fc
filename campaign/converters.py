"""Path converters for what the books name."""

from missions import catalogue
from rules.book import Chapter, Mission


class MissionConverter:
    """A mission by its slug; an unknown one is not found."""

    regex = "[a-z0-9-]{1,60}"

    def to_python(self, slug: str) -> Mission:
        try:
            return catalogue.mission(slug)
        except catalogue.UnknownMission as unknown:
            raise ValueError(str(unknown)) from None

    def to_url(self, mission: Mission | str) -> str:
        return mission if isinstance(mission, str) else mission.slug


class ChapterConverter:
    """A book by its slug; an unknown one is not found."""

    regex = "[a-z]{1,20}"

    def to_python(self, slug: str) -> Chapter:
        try:
            return catalogue.chapter(slug)
        except catalogue.UnknownChapter as unknown:
            raise ValueError(str(unknown)) from None

    def to_url(self, chapter: Chapter | str) -> str:
        return chapter if isinstance(chapter, str) else chapter.slug
