"""What the panels share: every write goes through the journal's door.

A save, with all its inlines, is one entry; so is a deletion with what belongs to the
row, an action on many rows, and the editing of a whole list (one for each choir, since
an entry belongs to a choir).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import groupby
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import NestedObjects, quote
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models import ProtectedError, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import journal
from campaign.errors import Refused, Unchanged
from campaign.models import Choir, Entry
from campaign.models.rows import ChoirRow
from campaign.violations import refusal_of
from missions import catalogue

ACTOR_LENGTH = Entry._meta.get_field("actor").max_length


def choir_id_of(row: models.Model) -> uuid.UUID:
    return row.pk if isinstance(row, Choir) else row.choir_id


@contextmanager
def keeper_entry(
    request: HttpRequest,
    choir_id: uuid.UUID,
    verb: str,
    rows: Sequence[models.Model],
    *,
    fields: Iterable[str] = (),
    founds: bool = False,
) -> Iterator[journal.Change]:
    """One journal entry by the keeper who is logged in, about these rows.

    ``verb`` is add, change or delete, ``fields`` what was changed. Where nothing
    changes, no entry is written. Raises ``journal.Repeated`` when the form's key has
    made an entry already, and what the journal refuses.
    """
    ask = journal.Ask(
        choir_id=choir_id,
        actor=journal.Actor(name=request.user.get_username()[:ACTOR_LENGTH]),
        key=posted_key(request),
        seen=_posted_revision(request),
    )
    labels = [str(row) for row in rows]
    model = rows[0]._meta.model_name
    one = len(rows) == 1
    action = f"keeper_{verb}" if one else f"keeper_{verb}_rows"
    try:
        with journal.change(
            ask, action, kind=Entry.Kind.KEEPER, founds=founds
        ) as opened:
            yield opened
            if one:
                opened.say(model=model, row=str(rows[0]))
            else:
                opened.say(models=model, rows=labels)
            opened.say(fields=sorted(fields))
    except Unchanged:
        return


def posted_key(request: HttpRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("_key", ""))
    except ValueError:
        return uuid.uuid4()


def _posted_revision(request: HttpRequest) -> int | None:
    text = request.POST.get("_revision", "")
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    return None


def fault_of(error: Exception) -> str:
    """What to tell the keeper about a write that was refused."""
    match error:
        case Refused():
            return error.message
        case ValidationError():
            return " ".join(error.messages)
        case ProtectedError():
            return _("Other rows need this one. Change or delete them first.")
    refusal = refusal_of(error)
    return refusal.message if refusal else _("This does not fit the other rows.")


REFUSALS = (Refused, ValidationError, IntegrityError, ProtectedError)


class OneChoirForm(forms.ModelForm):
    """A form whose rows all belong to one choir.

    ``fault`` is what the journal said when the form was carried out.
    """

    fault: str | None = None

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.fault:
            raise ValidationError(self.fault)
        choir = self.cleaned_data.get("choir")
        choir_id = choir.pk if choir else getattr(self.instance, "choir_id", None)
        for name, value in list(self.cleaned_data.items()):
            if isinstance(value, ChoirRow) and value.choir_id != choir_id:
                self.add_error(name, _("Choose one of the same choir."))
        return self.cleaned_data

    def add_error(self, field: str | None, error: Any) -> None:
        """Put a fault of a field that the form does not show above the form."""
        if not hasattr(error, "error_dict"):
            super().add_error(field, error)
            return
        for name, faults in error.error_dict.items():
            super().add_error(name if name in self.fields else None, faults)

    def _get_validation_exclusions(self) -> set[str]:
        """Check the constraints of the choir although its field is not shown."""
        excluded = super()._get_validation_exclusions()
        if getattr(self.instance, "choir_id", None):
            excluded.discard("choir")
        return excluded


class ListFormSet(forms.BaseModelFormSet):
    """The rows of a list that is edited as a whole."""

    fault: str | None = None

    def add_fields(self, form: forms.ModelForm, index: int | None) -> None:
        super().add_fields(form, index)
        form.together = self

    def clean(self) -> None:
        super().clean()
        if self.fault:
            raise ValidationError(self.fault)


class OwnedFormSet(forms.BaseInlineFormSet):
    """Rows that belong to the row of the form: they are of its choir."""

    def full_clean(self) -> None:
        if self.is_bound:
            for form in self.forms:
                form.instance.choir_id = self.instance.choir_id
        super().full_clean()


class OwnedInline(admin.TabularInline):
    """Rows that belong to the row of the page."""

    form = OneChoirForm
    formset = OwnedFormSet
    extra = 0
    exclude = ("choir",)


class MissionFilter(admin.SimpleListFilter):
    """By mission, in printed order."""

    title = gettext_lazy("mission")
    parameter_name = "mission"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(m.slug, m.title) for m in catalogue.library().missions]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        return queryset.filter(mission=self.value()) if self.value() else queryset


class ArchivedFilter(admin.SimpleListFilter):
    """Whether a row is archived."""

    title = gettext_lazy("archived")
    parameter_name = "archived"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", _("No")), ("yes", _("Yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        if self.value() not in ("no", "yes"):
            return queryset
        return queryset.filter(archived_at__isnull=self.value() == "no")


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


def by_choir(queryset: QuerySet) -> list[list[Any]]:
    """The rows of each choir, since an entry belongs to one."""

    def choir(row: models.Model) -> str:
        return str(choir_id_of(row))

    rows = sorted(queryset, key=choir)
    return [list(group) for _key, group in groupby(rows, key=choir)]
