"""Settings, read from the environment. See README, "Settings"."""

import socket
import sqlite3
from pathlib import Path

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from campaign import environment

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = environment.folder("CHOIRBOOK_DATA", BASE_DIR / "var")

BACKUPS = environment.switch("BACKUPS", default=True)
BACKUP_DIR = environment.path("CHOIRBOOK_BACKUPS", DATA_DIR / "backups")

HTTPS = environment.switch("HTTPS")
DEBUG = environment.switch("DEBUG")
ADMIN_EVERYWHERE = environment.switch("ADMIN_EVERYWHERE", default=HTTPS)

SECRET_KEY = environment.secret_key(DATA_DIR / "secret-key")

# Literal private addresses are judged per request by campaign.middleware, since the
# laptop's address changes from night to night; Django's own check cannot say that.
ALLOWED_HOSTS = ["*"]
HOST_NAMES = [*environment.words("ALLOWED_HOSTS"), f"{socket.gethostname()}.local"]

INSTALLED_APPS = [
    "campaign",
    "missions",
    "campaign.adminsite.ChoirbookAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
    "axes",
]

MIDDLEWARE = [
    "campaign.middleware.RequestIdMiddleware",
    "campaign.middleware.KnownHostMiddleware",
    "campaign.middleware.FormCharsetMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "campaign.middleware.StaticFilesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "campaign.middleware.FragmentMiddleware",
    "campaign.middleware.TidyAddressMiddleware",
    "campaign.middleware.RefusalMiddleware",
    "campaign.devices.DeviceMiddleware",
    "campaign.middleware.AdminPlaceMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "campaign.urls"
ASGI_APPLICATION = "campaign.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "campaign.context.page",
            ],
        },
    },
]

DATABASES = {
    "default": dj_database_url.config(
        default=f"sqlite:///{DATA_DIR / 'choirbook.sqlite3'}"
    )
}
LOCK_SECONDS = 20  # how long a change waits for another one
SECONDS_TO_CONNECT = 10
_database = DATABASES["default"]
SQLITE = _database["ENGINE"] == "django.db.backends.sqlite3"
if SQLITE:
    # WAL has a rare corruption fault before SQLite 3.51.3. Either pair survives a
    # power cut without losing an acknowledged action.
    SQLITE_DURABILITY = (
        ("WAL", "FULL")
        if sqlite3.sqlite_version_info >= (3, 51, 3)
        else ("DELETE", "EXTRA")
    )
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": LOCK_SECONDS,
        "init_command": (
            f"PRAGMA journal_mode={SQLITE_DURABILITY[0]};"
            f"PRAGMA synchronous={SQLITE_DURABILITY[1]};"
            "PRAGMA foreign_keys=ON;PRAGMA recursive_triggers=ON;PRAGMA mmap_size=0;"
        ),
    }
elif _database["ENGINE"] == "django.db.backends.postgresql":
    # After a restart of PostgreSQL each thread finds its connection broken.
    _database["CONN_HEALTH_CHECKS"] = True
    _given = _database.get("OPTIONS", {})
    _database["OPTIONS"] = {
        "connect_timeout": SECONDS_TO_CONNECT,
        **_given,
        # Pages do not wait without end either for what somebody else has locked.
        "options": f"{_given.get('options', '')} -c lock_timeout={LOCK_SECONDS}s",
    }
else:
    raise ImproperlyConfigured("DATABASE_URL must name a sqlite or postgres database.")
_database["ATOMIC_REQUESTS"] = False
# The few threads that answer pages keep their connections: see campaign.bridge.
_database["CONN_MAX_AGE"] = 60

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_REDIRECT_URL = "admin:index"
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25  # hours
AXES_VERBOSE = False

LANGUAGE_CODE = "en"
# Each language in its own words, for whoever cannot read the page as it is.
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
FORMAT_MODULE_PATH = "campaign.formats"
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "servestatic.storage.CompressedManifestStaticFilesStorage"
    },
}
SERVESTATIC_AUTOREFRESH = DEBUG
# The package that compresses this way comes with the development tools alone: with it
# collecting takes ten seconds, and differs between machines.
SERVESTATIC_USE_BROTLI = False
SERVESTATIC_MIMETYPES = {".webmanifest": "application/manifest+json"}

SESSION_COOKIE_NAME = "choirbook_session"
CSRF_COOKIE_NAME = "choirbook_csrf"
LANGUAGE_COOKIE_NAME = "choirbook_language"
MESSAGE_STORAGE = "django.contrib.messages.storage.cookie.CookieStorage"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_AGE = 60 * 60 * 24 * 365
CSRF_FAILURE_VIEW = "campaign.views.errors.csrf_failure"
CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    CSRF_TRUSTED_ORIGINS = [f"https://{name}" for name in HOST_NAMES]
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 400
DATA_UPLOAD_MAX_NUMBER_FILES = 5

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

LOG_JSON = environment.switch("LOG_JSON")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"discreet": {"()": "campaign.logs.Discreet"}},
    "formatters": {
        "line": {"()": "campaign.logs.Line"},
        "json": {"()": "campaign.logs.Json"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LOG_JSON else "line",
            "filters": ["discreet"],
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        # A page that is not there, a refusal, an old form: all in an evening's play.
        "django": {"handlers": [], "propagate": True},
        "django.request": {"level": "ERROR", "propagate": True},
        "django.security.csrf": {"level": "ERROR"},
        "campaign.access.log": {"level": "INFO" if LOG_JSON else "WARNING"},
        "axes": {"level": "WARNING"},
    },
}
