"""The roles of a usual workshop, offered for new roles and used by the demo."""

from dataclasses import dataclass

from project.access.permissions import ALL, Permission


@dataclass(frozen=True)
class RoleTemplate:
    """A role to copy. `names` and `descriptions` are in Spanish and English."""

    key: str
    names: tuple[str, str]
    descriptions: tuple[str, str]
    permissions: frozenset[Permission]


_LOOKING = {
    Permission.ListSalesOrders,
    Permission.ListOrders,
    Permission.SalesOrderPositionRecord,
    Permission.ShopFloor,
    Permission.ChangePassword,
}
_CATALOGS = {
    Permission.ListCustomers,
    Permission.ListComponents,
    Permission.ListExportTax,
    Permission.ListCompanies,
    Permission.ListMaterials,
    Permission.ListAlloys,
    Permission.ListProductionProcesses,
    Permission.ListItems,
}

TEMPLATES: tuple[RoleTemplate, ...] = (
    RoleTemplate(
        "administration",
        ("Administración", "Administration"),
        ("Todo el taller y la oficina", "The whole workshop and the office"),
        ALL,
    ),
    RoleTemplate(
        "sales",
        ("Ventas", "Sales"),
        ("Órdenes de venta, clientes y productos", "Sales orders, customers and products"),
        frozenset(
            _LOOKING
            | _CATALOGS
            | {
                Permission.Dashboard,
                Permission.CreateCustomer,
                Permission.UpdateCustomer,
                Permission.CreateItem,
                Permission.UpdateItem,
                Permission.CreateSalesOrder,
                Permission.UpdateSalesOrder,
                Permission.DeleteSalesOrder,
                Permission.UpdateSalesOrderPosition,
                Permission.UpdateSalesOrderPositionStatus,
                Permission.PrintWorkSheet,
                Permission.ReportListSalesOrders,
            }
        ),
    ),
    RoleTemplate(
        "lead",
        ("Jefatura de taller", "Workshop lead"),
        ("Aprueba, libera y mueve en todos los procesos", "Approves, releases and moves in all processes"),
        frozenset(
            _LOOKING
            | _CATALOGS
            | {
                Permission.Dashboard,
                Permission.UpdateSalesOrderPositionStatus,
                Permission.SalesOrderPositionProcessIn,
                Permission.SalesOrderPositionProcessOut,
                Permission.ScrapPieces,
                Permission.ReleaseProductionProccess,
                Permission.UpdateProductionProcess,
                Permission.ViewMetal,
                Permission.ManageMetal,
                Permission.CloseMetalDay,
                Permission.ManageBatches,
                Permission.PrintWorkSheet,
                Permission.ReportListSalesOrders,
                Permission.ReportPayOrders,
                Permission.NoAutoLogoutInactivity,
            }
        ),
    ),
    RoleTemplate(
        "floor",
        ("Taller", "Workshop floor"),
        (
            "Mete y saca piezas en los procesos propios, y da de baja las que se pierden",
            "Moves pieces in and out in their own processes, and scraps those that are lost",
        ),
        frozenset(
            _LOOKING
            | {
                Permission.SalesOrderPositionProcessIn,
                Permission.SalesOrderPositionProcessOut,
                Permission.ScrapPieces,
                Permission.NoAutoLogoutInactivity,
                Permission.Station,
            }
        ),
    ),
    RoleTemplate(
        "billing",
        ("Facturación y pagos", "Billing and pay"),
        ("Facturas, pagos de destajo y reportes", "Invoices, piecework payments and reports"),
        frozenset(
            _LOOKING
            | _CATALOGS
            | {
                Permission.Dashboard,
                Permission.CreateDelivery,
                Permission.UpdateDelivery,
                Permission.CancelDelivery,
                Permission.CreatePay,
                Permission.CancelPay,
                Permission.ListPiecePrices,
                Permission.UpdatePiecePrices,
                Permission.ReportListSalesOrders,
                Permission.ReportListBills,
                Permission.ReportPayOrders,
                Permission.ReportPaidOrders,
            }
        ),
    ),
)
