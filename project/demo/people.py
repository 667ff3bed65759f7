"""Who works in the demo workshop: eight people in five roles."""

from dataclasses import dataclass

from project.access.permissions import ALL, P

PASSWORD = "Taller.2026"  # noqa: S105 a demo's published password, never set where orders are
ADMINISTRATOR = "admin@obrador.test"

_LOOKING = {P.ListSalesOrders, P.ListOrders, P.SalesOrderPositionRecord, P.ShopFloor, P.ChangePassword}
_CATALOGS = {
    P.ListCustomers,
    P.ListComponents,
    P.ListExportTax,
    P.ListCompanies,
    P.ListMaterials,
    P.ListProductionProcesses,
    P.ListItems,
}

ROLES: dict[str, tuple[str, frozenset[P]]] = {
    "Administración": ("Todo el taller y la oficina", ALL),
    "Ventas": (
        "Órdenes de venta, clientes y productos",
        frozenset(
            _LOOKING
            | _CATALOGS
            | {
                P.Dashboard,
                P.CreateCustomer,
                P.UpdateCustomer,
                P.CreateItem,
                P.UpdateItem,
                P.CreateSalesOrder,
                P.UpdateSalesOrder,
                P.DeleteSalesOrder,
                P.UpdateSalesOrderPosition,
                P.UpdateSalesOrderPositionStatus,
                P.PrintWorkSheet,
                P.ReportListSalesOrders,
            }
        ),
    ),
    "Jefatura de taller": (
        "Aprueba, libera y mueve en todos los procesos",
        frozenset(
            _LOOKING
            | _CATALOGS
            | {
                P.Dashboard,
                P.UpdateSalesOrderPositionStatus,
                P.SalesOrderPositionProcessIn,
                P.SalesOrderPositionProcessOut,
                P.ReleaseProductionProccess,
                P.UpdateProductionProcess,
                P.PrintWorkSheet,
                P.ReportListSalesOrders,
                P.ReportPayOrders,
                P.NoAutoLogoutInactivity,
            }
        ),
    ),
    "Taller": (
        "Entra y sale de los procesos propios",
        frozenset(
            _LOOKING
            | {P.SalesOrderPositionProcessIn, P.SalesOrderPositionProcessOut, P.NoAutoLogoutInactivity, P.Station}
        ),
    ),
    "Facturación y pagos": (
        "Facturas, pagos por pieza y reportes",
        frozenset(
            _LOOKING
            | _CATALOGS
            | {
                P.Dashboard,
                P.CreateDelivery,
                P.UpdateDelivery,
                P.CancelDelivery,
                P.CreatePay,
                P.CancelPay,
                P.ReportListSalesOrders,
                P.ReportListBills,
                P.ReportPayOrders,
                P.ReportPaidOrders,
            }
        ),
    ),
}


@dataclass(frozen=True)
class Somebody:
    """A person; `processes` are names from PROCESSES, `pin` is published as the password is."""

    email: str
    first_name: str
    last_name: str
    second_last_name: str
    role: str
    processes: tuple[str, ...] = ()
    pin: str = ""


# The twelve processes in their order, each with its piece rate in pesos.
PROCESSES: dict[str, str] = {
    "Inyección de cera": "4.50",
    "Fundición": "9.00",
    "Corte de árbol": "3.00",
    "Limado": "7.50",
    "Soldadura": "11.00",
    "Esmerilado": "6.00",
    "Engaste": "18.50",
    "Grabado láser": "8.00",
    "Pulido": "9.50",
    "Baño de rodio": "5.50",
    "Control de calidad": "4.00",
    "Empaque": "2.50",
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
