"""The admin site: Choirbook's name, and choices that say whose row they are."""

from django.contrib.admin import AdminSite
from django.contrib.admin.apps import AdminConfig
from django.contrib.admin.views.autocomplete import AutocompleteJsonView
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _


class ChoirbookAdminConfig(AdminConfig):
    """Django's admin with our site; the panels are found as usual."""

    default = False
    default_site = "campaign.adminsite.Site"


class RowsView(AutocompleteJsonView):
    """Offers rows by a label that names their choir."""

    def serialize_result(self, obj: models.Model, to_field_name: str) -> dict[str, str]:
        label = getattr(self.model_admin, "choice_label", str)
        return {"id": str(getattr(obj, to_field_name)), "text": label(obj)}


class Site(AdminSite):
    site_header = "Choirbook"
    site_title = "Choirbook"
    index_title = _("Correct what went wrong")

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        return RowsView.as_view(admin_site=self)(request)
