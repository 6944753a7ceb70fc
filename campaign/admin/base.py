"""What the panels share: every write goes through the journal's door.

A save, with all its inlines, is one entry; so is a deletion with what belongs to the
row, an action on many rows, and the editing of a whole list (one for each choir, since
an entry belongs to a choir).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import groupby
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import NestedObjects, quote
from django.db import models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import journal
from campaign.admin.entries import (
    REFUSALS,
    by_choir,
    choir_id_of,
    fault_of,
    keeper_entry,
)
from campaign.admin.forms import ListFormSet, OneChoirForm
from campaign.models import Choir
from campaign.models.rows import ChoirRow
from missions import catalogue


def mission_choices(*, empty: bool) -> list[tuple[str, Any]]:
    """The missions by title under their books."""
    library = catalogue.library()
    books = [
        (chapter.title, [(m.slug, m.title) for m in chapter.missions])
        for chapter in library.chapters
    ]
    return [("", "---------"), *books] if empty else books


class KeeperAdmin(admin.ModelAdmin):
    """A panel of tracked rows.

    ``owned`` names the reverse relations whose rows go when the row is deleted;
    ``stamped`` the moments that are set when a row is added.
    """

    form = OneChoirForm
    change_form_template = "admin/keeper_form.html"
    list_per_page = 50
    list_select_related: tuple[str, ...] = ()
    show_full_result_count = False
    owned: tuple[str, ...] = ()
    stamped: tuple[str, ...] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        rows = super().get_queryset(request)
        joined = self.list_select_related
        return rows.select_related(*joined) if joined else rows

    def choice_label(self, row: models.Model) -> str:
        """How a field that chooses among these rows shows one."""
        return str(row) if isinstance(row, Choir) else f"{row} · {row.choir}"

    def get_readonly_fields(
        self, request: HttpRequest, obj: models.Model | None = None
    ) -> tuple[str, ...]:
        fields = (*super().get_readonly_fields(request, obj), *self.stamped)
        return ("choir", *fields) if obj and isinstance(obj, ChoirRow) else fields

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm]:
        form = super().get_form(request, obj, change, **kwargs)
        form.fault = getattr(request, "keeper_fault", None)
        return form

    def formfield_for_dbfield(
        self, db_field: models.Field, request: HttpRequest, **kwargs: Any
    ) -> forms.Field | None:
        if db_field.name == "mission":
            return forms.ChoiceField(
                choices=mission_choices(empty=db_field.blank),
                required=not db_field.blank,
                label=capfirst(db_field.verbose_name),
            )
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def formfield_for_foreignkey(
        self, db_field: models.ForeignKey, request: HttpRequest, **kwargs: Any
    ) -> forms.ModelChoiceField:
        panel = self.admin_site._registry.get(db_field.remote_field.model)
        if isinstance(panel, KeeperAdmin) and "queryset" not in kwargs:
            kwargs["queryset"] = panel.get_queryset(request)
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if isinstance(panel, KeeperAdmin):
            field.label_from_instance = panel.choice_label
        return field

    def get_changelist_form(
        self, request: HttpRequest, **kwargs: Any
    ) -> type[forms.ModelForm]:
        return super().get_changelist_form(request, form=OneChoirForm, **kwargs)

    def get_changelist_formset(
        self, request: HttpRequest, **kwargs: Any
    ) -> type[forms.BaseModelFormSet]:
        rows = super().get_changelist_formset(request, formset=ListFormSet, **kwargs)
        rows.fault = getattr(request, "keeper_fault", None)
        return rows

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        extra = {"keeper_key": uuid.uuid4(), **(extra_context or {})}

        def run() -> HttpResponse:
            return super(KeeperAdmin, self).changeform_view(
                request, object_id, form_url, extra
            )

        return self._carried_out(request, run, again=run)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        def run() -> HttpResponse:
            return super(KeeperAdmin, self).changelist_view(request, extra_context)

        if "_save" in request.POST:
            return self._carried_out(request, run, again=run)
        return self._carried_out(
            request, run, again=lambda: self._told(request, request.get_full_path())
        )

    def delete_view(
        self,
        request: HttpRequest,
        object_id: str,
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        def run() -> HttpResponse:
            return super(KeeperAdmin, self).delete_view(
                request, object_id, extra_context
            )

        change = self._address("change", object_id)
        return self._carried_out(
            request, run, again=lambda: self._told(request, change)
        )

    def _carried_out(
        self,
        request: HttpRequest,
        run: Callable[[], HttpResponse],
        *,
        again: Callable[[], HttpResponse],
    ) -> HttpResponse:
        """Run a view that writes; ``again`` answers when it was refused."""
        if request.method != "POST":
            return run()
        try:
            with transaction.atomic():
                return run()
        except journal.Repeated:
            messages.info(request, _("This was saved already."))
            return HttpResponseRedirect(self._address("changelist"))
        except REFUSALS as error:
            request.keeper_fault = fault_of(error)
        return again()

    def _told(self, request: HttpRequest, to: str) -> HttpResponse:
        messages.error(request, request.keeper_fault)
        return HttpResponseRedirect(to)

    def _address(self, page: str, *arguments: object) -> str:
        name = f"{self.opts.app_label}_{self.opts.model_name}_{page}"
        return reverse(
            f"{self.admin_site.name}:{name}", args=[quote(str(a)) for a in arguments]
        )

    def save_model(
        self, request: HttpRequest, obj: models.Model, form: Any, change: bool
    ) -> None:
        """Nothing yet: ``save_related`` writes the row and its inlines together."""

    def save_related(
        self, request: HttpRequest, form: Any, formsets: list[Any], change: bool
    ) -> None:
        together = getattr(form, "together", None)
        if together is None:
            self._save(request, form, formsets, change)
            return
        changed = [each for each in together.forms if each.has_changed()]
        if form is changed[-1]:
            self._save_list(request, changed)

    def _save(
        self, request: HttpRequest, form: Any, formsets: list[Any], change: bool
    ) -> None:
        row = form.instance
        founds = isinstance(row, Choir) and not change
        with keeper_entry(
            request,
            choir_id_of(row),
            "change" if change else "add",
            [row],
            fields=form.changed_data if change else (),
            founds=founds,
        ) as opened:
            if not change:
                for name in self.stamped:
                    setattr(row, name, opened.at)
            self._write(form, change)
            super().save_related(request, form, formsets, change)

    def _save_list(self, request: HttpRequest, changed: list[Any]) -> None:
        def choir(form: Any) -> str:
            return str(choir_id_of(form.instance))

        for choir_id, group in groupby(sorted(changed, key=choir), key=choir):
            forms_ = list(group)
            with keeper_entry(
                request,
                uuid.UUID(choir_id),
                "change",
                [form.instance for form in forms_],
                fields={name for form in forms_ for name in form.changed_data},
            ):
                for form in forms_:
                    self._write(form, change=True)

    def _write(self, form: Any, change: bool) -> None:
        """Save what the form changed, and nothing that it only showed."""
        if not change:
            form.instance.save(force_insert=True)
            return
        columns = {f.name for f in self.opts.concrete_fields}
        fields = [name for name in form.changed_data if name in columns]
        if fields:
            form.instance.save(update_fields=fields)

    def delete_model(self, request: HttpRequest, obj: models.Model) -> None:
        with keeper_entry(request, choir_id_of(obj), "delete", [obj]):
            self._delete([obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet) -> None:
        for rows in by_choir(queryset):
            with keeper_entry(request, choir_id_of(rows[0]), "delete", rows):
                self._delete(rows)

    def _delete(self, rows: list[models.Model]) -> None:
        for owned in self._owned_by(rows):
            owned.delete()
        self.model.objects.filter(pk__in=[row.pk for row in rows]).delete()

    def _owned_by(self, rows: Iterable[models.Model]) -> Iterator[QuerySet]:
        for name in self.owned:
            relation = self.opts.get_field(name)
            field = relation.field.name
            yield relation.related_model.objects.filter(**{f"{field}__in": list(rows)})

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """What a deletion takes along, and which rows stand in its way."""
        rows = list(objs)
        owned = [row for each in self._owned_by(rows) for row in each]
        found = NestedObjects(using="default", origin=objs)
        found.collect(rows)
        in_the_way = [row for row in found.protected if row not in owned]
        gone = [*rows, *owned]
        count: dict[str, int] = {}
        for row in gone:
            plural = str(row._meta.verbose_name_plural)
            count[plural] = count.get(plural, 0) + 1
        return (
            [self._named(row) for row in gone],
            count,
            set(),
            [self._named(row) for row in in_the_way],
        )

    def _named(self, row: models.Model) -> str:
        kind = capfirst(row._meta.verbose_name)
        if not self.admin_site.is_registered(type(row)):
            return f"{kind}: {row}"
        name = f"{row._meta.app_label}_{row._meta.model_name}_change"
        address = reverse(f"{self.admin_site.name}:{name}", args=[quote(str(row.pk))])
        return format_html('{}: <a href="{}">{}</a>', kind, address, row)


class ArchivableAdmin(KeeperAdmin):
    """A panel of rows that can be archived and restored."""

    actions = ("archive_rows", "restore_rows")

    @admin.action(
        description=gettext_lazy("Archive the selected %(verbose_name_plural)s"),
        permissions=["change"],
    )
    def archive_rows(self, request: HttpRequest, queryset: QuerySet) -> None:
        self._put(request, queryset.filter(archived_at=None), timezone.now())

    @admin.action(
        description=gettext_lazy("Restore the selected %(verbose_name_plural)s"),
        permissions=["change"],
    )
    def restore_rows(self, request: HttpRequest, queryset: QuerySet) -> None:
        self._put(request, queryset.exclude(archived_at=None), None)

    def _put(
        self, request: HttpRequest, queryset: QuerySet, moment: datetime | None
    ) -> None:
        groups = by_choir(queryset)
        for rows in groups:
            choir_id = choir_id_of(rows[0])
            with keeper_entry(
                request, choir_id, "change", rows, fields=["archived_at"]
            ):
                for row in rows:
                    row.archived_at = moment
                    row.validate_constraints()
                    row.save(update_fields=["archived_at"])
        done = sum(map(len, groups))
        messages.success(request, _("Rows changed: %(count)d.") % {"count": done})
