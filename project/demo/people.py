"""The people of the demo workshop: eight people in five roles."""

from dataclasses import dataclass

from project.access.permissions import ALL, Permission

PASSWORD = "Taller.2026"  # noqa: S105 - the demo's published password; the demo loads only into an empty database
ADMINISTRATOR = "admin@obrador.test"

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
    Permission.ListProductionProcesses,
    Permission.ListItems,
}

ROLES: dict[str, tuple[str, frozenset[Permission]]] = {
    "Administración": ("Todo el taller y la oficina", ALL),
    "Ventas": (
        "Órdenes de venta, clientes y productos",
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
    "Jefatura de taller": (
        "Aprueba, libera y mueve en todos los procesos",
        frozenset(
            _LOOKING
            | _CATALOGS
            | {
                Permission.Dashboard,
                Permission.UpdateSalesOrderPositionStatus,
                Permission.SalesOrderPositionProcessIn,
                Permission.SalesOrderPositionProcessOut,
                Permission.ReleaseProductionProccess,
                Permission.UpdateProductionProcess,
                Permission.PrintWorkSheet,
                Permission.ReportListSalesOrders,
                Permission.ReportPayOrders,
                Permission.NoAutoLogoutInactivity,
            }
        ),
    ),
    "Taller": (
        "Entra y sale de los procesos propios",
        frozenset(
            _LOOKING
            | {
                Permission.SalesOrderPositionProcessIn,
                Permission.SalesOrderPositionProcessOut,
                Permission.NoAutoLogoutInactivity,
                Permission.Station,
            }
        ),
    ),
    "Facturación y pagos": (
        "Facturas, pagos por pieza y reportes",
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
                Permission.ReportListSalesOrders,
                Permission.ReportListBills,
                Permission.ReportPayOrders,
                Permission.ReportPaidOrders,
            }
        ),
    ),
}


@dataclass(frozen=True)
class Somebody:
    """A person. `processes`: names from `PROCESSES`. `pin`: published, like the password."""

    email: str
    first_name: str
    last_name: str
    second_last_name: str
    role: str
    processes: tuple[str, ...] = ()
    pin: str = ""


# The twelve processes in their order, each with its English name and its piece rate in pesos.
PROCESSES: dict[str, tuple[str, str]] = {
    "Inyección de cera": ("Wax injection", "4.50"),
    "Fundición": ("Casting", "9.00"),
    "Corte de árbol": ("Tree cutting", "3.00"),
    "Limado": ("Filing", "7.50"),
    "Soldadura": ("Soldering", "11.00"),
    "Esmerilado": ("Grinding", "6.00"),
    "Engaste": ("Setting", "18.50"),
    "Grabado láser": ("Laser engraving", "8.00"),
    "Pulido": ("Polishing", "9.50"),
    "Baño de rodio": ("Rhodium plating", "5.50"),
    "Control de calidad": ("Quality control", "4.00"),
    "Empaque": ("Packing", "2.50"),
}

PEOPLE: tuple[Somebody, ...] = (
    Somebody(ADMINISTRATOR, "Adriana", "Montes", "Arriaga", "Administración", tuple(PROCESSES)),
    Somebody("ventas@obrador.test", "Lucía", "Herrera", "Campos", "Ventas"),
    Somebody("jefe@obrador.test", "Ramón", "Ibarra", "Solís", "Jefatura de taller", tuple(PROCESSES)),
    Somebody(
        "tomas@obrador.test",
        "Tomás",
        "Aguilar",
        "Reyes",
        "Taller",
        ("Inyección de cera", "Fundición", "Corte de árbol"),
        "210601",
    ),
    Somebody(
        "guadalupe@obrador.test",
        "Guadalupe",
        "Nava",
        "Ortiz",
        "Taller",
        ("Limado", "Soldadura", "Esmerilado"),
        "470913",
    ),
    Somebody("esteban@obrador.test", "Esteban", "Quiroz", "Luna", "Taller", ("Engaste", "Grabado láser"), "580274"),
    Somebody(
        "marisol@obrador.test",
        "Marisol",
        "Peña",
        "Rubio",
        "Taller",
        ("Pulido", "Baño de rodio", "Control de calidad", "Empaque"),
        "690358",
    ),
    Somebody("facturas@obrador.test", "Beatriz", "Cárdenas", "Vega", "Facturación y pagos"),
)
