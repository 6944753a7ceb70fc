"""Views."""

urlpatterns = []
