"""What the tests of the actions take: saints at the table, and refusals."""

import pytest

from campaign.snapshot import snapshot
from tests.campaign.factories import add_saints, open_night
from tests.campaign.people import ask_for


@pytest.fixture
def saints(choir):
    """Three saints, present on an open night."""
    made = add_saints(choir, 3)
    open_night(choir, made)
    return made


@pytest.fixture
def refused(choir):
    """Expect a refusal that changes nothing; gives it back."""

    def expect(error, action, **arguments):
        before = snapshot(choir.id)
        with pytest.raises(error) as caught:
            action(ask_for(choir), **arguments)
        assert snapshot(choir.id) == before
        return caught.value

    return expect
