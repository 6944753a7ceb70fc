from django.apps import AppConfig


class CampaignConfig(AppConfig):
    name = "campaign"
    verbose_name = "Campaign"
    default_auto_field = "django.db.models.BigAutoField"
