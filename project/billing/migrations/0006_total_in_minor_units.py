"""Check that a bill's amounts are rounded to its currency's decimals, and that the total is their sum."""

import django.db.models.expressions
import django.db.models.functions.math
import django.db.models.lookups
from django.db import migrations, models

from project.core.operations import AddCheckNotValid


class Migration(migrations.Migration):
    dependencies = [("billing", "0005_whole_minor_units")]

    operations = [
        AddCheckNotValid(
            model_name="bill",
            constraint=models.CheckConstraint(condition=models.Q(django.db.models.lookups.Exact(models.F("subtotal"), django.db.models.functions.math.Round(models.F("subtotal"), precision=models.Case(models.When(currency__in=["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"], then=0), models.When(currency__in=["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], then=3), default=2, output_field=models.IntegerField()))), django.db.models.lookups.Exact(models.F("tax"), django.db.models.functions.math.Round(models.F("tax"), precision=models.Case(models.When(currency__in=["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"], then=0), models.When(currency__in=["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], then=3), default=2, output_field=models.IntegerField()))), django.db.models.lookups.Exact(models.F("shipping_price"), django.db.models.functions.math.Round(models.F("shipping_price"), precision=models.Case(models.When(currency__in=["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"], then=0), models.When(currency__in=["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], then=3), default=2, output_field=models.IntegerField()))), django.db.models.lookups.Exact(models.F("total"), django.db.models.functions.math.Round(django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F("subtotal"), "+", models.F("tax")), "+", models.F("shipping_price")), precision=models.Case(models.When(currency__in=["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"], then=0), models.When(currency__in=["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], then=3), default=2, output_field=models.IntegerField())))), name="bill_total_is_its_sum"),
        ),
    ]
