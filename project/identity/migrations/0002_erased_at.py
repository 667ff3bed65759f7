"""Add the time of a person's erasure, and let the database keep erased people from signing in."""

from django.db import migrations, models

from project.core.operations import AddCheckNotValid


class Migration(migrations.Migration):

    dependencies = [
        ('identity', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='erased_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name='rolepermission',
            name='action',
            field=models.CharField(choices=[('Dashboard', 'Dashboard'), ('ListUsers', 'ListUsers'), ('ListPermissions', 'ListPermissions'), ('ListRoles', 'ListRoles'), ('ListCustomers', 'ListCustomers'), ('ListComponents', 'ListComponents'), ('ListExportTax', 'ListExportTax'), ('ListCompanies', 'ListCompanies'), ('ListMaterials', 'ListMaterials'), ('ListProductionProcesses', 'ListProductionProcesses'), ('ListItems', 'ListItems'), ('ListSalesOrders', 'ListSalesOrders'), ('ListOrders', 'ListOrders'), ('ReportListSalesOrders', 'ReportListSalesOrders'), ('ReportListBills', 'ReportListBills'), ('ReportPayOrders', 'ReportPayOrders'), ('ReportPaidOrders', 'ReportPaidOrders'), ('NoAutoLogoutInactivity', 'NoAutoLogoutInactivity'), ('ChangePassword', 'ChangePassword'), ('UpdateSalesOrderPositionStatus', 'UpdateSalesOrderPositionStatus'), ('SalesOrderPositionProcessIn', 'SalesOrderPositionProcessIn'), ('SalesOrderPositionProcessOut', 'SalesOrderPositionProcessOut'), ('SalesOrderPositionRecord', 'SalesOrderPositionRecord'), ('ReleaseProductionProccess', 'ReleaseProductionProccess'), ('CreateUser', 'CreateUser'), ('UpdateUser', 'UpdateUser'), ('DeleteUser', 'DeleteUser'), ('CreateRole', 'CreateRole'), ('UpdateRole', 'UpdateRole'), ('DeleteRole', 'DeleteRole'), ('CreateCompany', 'CreateCompany'), ('UpdateCompany', 'UpdateCompany'), ('DeleteCompany', 'DeleteCompany'), ('CreateCustomer', 'CreateCustomer'), ('UpdateCustomer', 'UpdateCustomer'), ('DeleteCustomer', 'DeleteCustomer'), ('CreateComponent', 'CreateComponent'), ('UpdateComponent', 'UpdateComponent'), ('DeleteComponent', 'DeleteComponent'), ('CreateMaterial', 'CreateMaterial'), ('UpdateMaterial', 'UpdateMaterial'), ('DeleteMaterial', 'DeleteMaterial'), ('CreateExportTax', 'CreateExportTax'), ('UpdateExportTax', 'UpdateExportTax'), ('DeleteExportTax', 'DeleteExportTax'), ('CreateProductionProcess', 'CreateProductionProcess'), ('UpdateProductionProcess', 'UpdateProductionProcess'), ('DeleteProductionProcess', 'DeleteProductionProcess'), ('CreateItem', 'CreateItem'), ('UpdateItem', 'UpdateItem'), ('DeleteItem', 'DeleteItem'), ('CreateSalesOrder', 'CreateSalesOrder'), ('UpdateSalesOrder', 'UpdateSalesOrder'), ('DeleteSalesOrder', 'DeleteSalesOrder'), ('UpdateSalesOrderPosition', 'UpdateSalesOrderPosition'), ('CreateDelivery', 'CreateDelivery'), ('UpdateDelivery', 'UpdateDelivery'), ('CancelDelivery', 'CancelDelivery'), ('CreatePay', 'CreatePay'), ('CancelPay', 'CancelPay'), ('PrintWorkSheet', 'PrintWorkSheet'), ('ShopFloor', 'ShopFloor'), ('ManageDisplays', 'ManageDisplays'), ('ViewAudit', 'ViewAudit'), ('Station', 'Station'), ('ManageIntegrations', 'ManageIntegrations'), ('ManagePersonalData', 'ManagePersonalData')], max_length=60),
        ),
        AddCheckNotValid(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('erased_at__isnull', True), models.Q(('active', False), ('badge_hash__isnull', True), ('pin_hash__isnull', True)), _connector='OR'), name='user_erased_opens_nothing'),
        ),
    ]
