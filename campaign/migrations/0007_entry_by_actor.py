from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('campaign', '0006_conditions_of_nulls'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='entry',
            index=models.Index(fields=['choir', 'actor'], name='entry_by_actor'),
        ),
    ]
