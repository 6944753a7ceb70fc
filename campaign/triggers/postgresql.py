"""The triggers on PostgreSQL.

The open entry is a setting that dies with the transaction.
"""

from __future__ import annotations

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

from campaign.models import TRACKED
from campaign.tracked import UNTRACKED, choir_column, fields_of, table_of
from campaign.triggers.names import CHANGES, KEPT, PREFIX

_TRUNCATE, _EACH_ROW, _BEFORE_EDIT = 34, 29, 27  # pg_trigger.tgtype

_OPEN_BODY = """
BEGIN
  IF NULLIF(current_setting('choirbook.entry', true), '') IS NOT NULL THEN
    RAISE EXCEPTION 'an entry is open already' USING ERRCODE = '23514';
  END IF;
  PERFORM set_config('choirbook.entry', entry::text, true);
  PERFORM set_config('choirbook.choir', choir::text, true);
END"""
_CLOSE_BODY = """
BEGIN
  PERFORM set_config('choirbook.entry', '', true);
  PERFORM set_config('choirbook.choir', '', true);
END"""
_NO_TRUNCATE_BODY = """
BEGIN
  RAISE EXCEPTION 'TRUNCATE of % goes round the journal', TG_TABLE_NAME
    USING ERRCODE = '23514';
END"""
_KEPT_BODY = f"""
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = '{CHANGES}' THEN
    IF NOT EXISTS (SELECT 1 FROM "{KEPT[0]}" WHERE id = OLD.entry_id) THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION '% is only added to', TG_TABLE_NAME USING ERRCODE = '23514';
END"""
_OPEN = (
    f"CREATE FUNCTION {PREFIX}open(entry uuid, choir uuid) RETURNS void "
    f"LANGUAGE plpgsql AS $body${_OPEN_BODY}$body$"
)
_CLOSE = (
    f"CREATE FUNCTION {PREFIX}close() RETURNS void "
    f"LANGUAGE plpgsql AS $body${_CLOSE_BODY}$body$"
)
_NO_TRUNCATE = (
    f"CREATE FUNCTION {PREFIX}no_truncate() RETURNS trigger "
    f"LANGUAGE plpgsql AS $body${_NO_TRUNCATE_BODY}$body$"
)
_KEPT = (
    f"CREATE FUNCTION {PREFIX}kept() RETURNS trigger "
    f"LANGUAGE plpgsql AS $body${_KEPT_BODY}$body$"
)


def statements() -> list[str]:
    """The SQL that makes the triggers, in order."""
    made = [_OPEN, _CLOSE, _NO_TRUNCATE, _KEPT]
    for model in TRACKED:
        table = table_of(model)
        made += [
            f"CREATE FUNCTION {PREFIX}{table}() RETURNS trigger LANGUAGE plpgsql "
            f"AS $body${_body(model)}$body$",
            f"CREATE TRIGGER {PREFIX}row AFTER INSERT OR UPDATE OR DELETE "
            f'ON "{table}" FOR EACH ROW EXECUTE FUNCTION {PREFIX}{table}()',
            f'CREATE TRIGGER {PREFIX}truncate BEFORE TRUNCATE ON "{table}" '
            f"FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}no_truncate()",
        ]
    for table in KEPT:
        made += [
            f'CREATE TRIGGER {PREFIX}kept BEFORE UPDATE OR DELETE ON "{table}" '
            f"FOR EACH ROW EXECUTE FUNCTION {PREFIX}kept()",
            f'CREATE TRIGGER {PREFIX}truncate BEFORE TRUNCATE ON "{table}" '
            f"FOR EACH STATEMENT EXECUTE FUNCTION {PREFIX}no_truncate()",
        ]
    return made


def drop(connection: BaseDatabaseWrapper) -> None:
    """Take the triggers away, and the functions that open and close an entry."""
    with connection.cursor() as cursor:
        for function in _functions(connection):
            cursor.execute(f"DROP FUNCTION {function} CASCADE")


def wanted() -> dict[str, str]:
    """Name to text of what the models ask for: functions, triggers and their kinds."""
    made = {
        f"{PREFIX}open": _OPEN_BODY,
        f"{PREFIX}close": _CLOSE_BODY,
        f"{PREFIX}no_truncate": _NO_TRUNCATE_BODY,
        f"{PREFIX}kept": _KEPT_BODY,
    }
    for model in TRACKED:
        table = table_of(model)
        made[f"{PREFIX}{table}"] = _body(model)
        made[f"{PREFIX}row on {table}"] = f"{PREFIX}{table} {_EACH_ROW} O"
        made[f"{PREFIX}truncate on {table}"] = f"{PREFIX}no_truncate {_TRUNCATE} O"
    for table in KEPT:
        made[f"{PREFIX}kept on {table}"] = f"{PREFIX}kept {_BEFORE_EDIT} O"
        made[f"{PREFIX}truncate on {table}"] = f"{PREFIX}no_truncate {_TRUNCATE} O"
    return made


def found(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """The same of what is in the database."""
    with connection.cursor() as cursor:
        cursor.execute(
            r"""
            SELECT proname, prosrc FROM pg_proc
            WHERE proname LIKE 'journal\_%'
              AND pronamespace = current_schema::regnamespace
            UNION ALL
            SELECT tgname || ' on ' || relname,
                   proname || ' ' || tgtype || ' ' || tgenabled::text
            FROM pg_trigger
            JOIN pg_class ON pg_class.oid = tgrelid
            JOIN pg_proc ON pg_proc.oid = tgfoid
            WHERE NOT tgisinternal AND tgname LIKE 'journal\_%'
              AND relnamespace = current_schema::regnamespace
            """
        )
        return dict(cursor.fetchall())


def row_text(model: type[models.Model], side: str) -> str:
    """The SQL of the row ``side`` as the triggers write it."""
    return f"({_jsonb(model, side)})::text"


def _jsonb(model: type[models.Model], side: str) -> str:
    """The row as jsonb. JSON columns stay text: a JSON null is not an SQL NULL."""
    document = f"to_jsonb({side})"
    for column in sorted(UNTRACKED.get(model, ())):
        document += f" - '{column}'"
    texts = [
        f"'{f.column}', {side}.\"{f.column}\"::text"
        for f in fields_of(model)
        if isinstance(f, models.JSONField)
    ]
    if texts:
        document += f" || jsonb_build_object({', '.join(texts)})"
    return document


def _body(model: type[models.Model]) -> str:
    choir = choir_column(model)
    return f"""
DECLARE
  entry text := NULLIF(current_setting('choirbook.entry', true), '');
  choir text := NULLIF(current_setting('choirbook.choir', true), '');
  before jsonb;
  after jsonb;
BEGIN
  IF TG_OP <> 'INSERT' THEN
    before := {_jsonb(model, "OLD")};
  END IF;
  IF TG_OP <> 'DELETE' THEN
    after := {_jsonb(model, "NEW")};
  END IF;
  IF before = after THEN
    RETURN NULL;
  END IF;
  IF entry IS NULL THEN
    RAISE EXCEPTION 'write to % without an open entry', TG_TABLE_NAME
      USING ERRCODE = '23514';
  END IF;
  IF COALESCE(before ->> '{choir}', choir) <> choir
    OR COALESCE(after ->> '{choir}', choir) <> choir
  THEN
    RAISE EXCEPTION 'row of another choir in %', TG_TABLE_NAME
      USING ERRCODE = '23514';
  END IF;
  IF before ->> 'id' <> after ->> 'id' THEN
    RAISE EXCEPTION 'primary key of % changed', TG_TABLE_NAME
      USING ERRCODE = '23514';
  END IF;
  INSERT INTO {CHANGES} (entry_id, "table", "row", old, new) VALUES (
    entry::uuid, TG_TABLE_NAME,
    replace(COALESCE(after, before) ->> 'id', '-', ''), before::text, after::text
  );
  RETURN NULL;
END"""


def _functions(connection: BaseDatabaseWrapper) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            r"""
            SELECT oid::regprocedure::text FROM pg_proc
            WHERE proname LIKE 'journal\_%'
              AND pronamespace = current_schema::regnamespace
            """
        )
        return [name for (name,) in cursor.fetchall()]
