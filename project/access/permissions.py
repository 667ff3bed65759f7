"""Every permission, once: API guards, event audiences, the menu and the web route table come from here.

Names are the specification's, misspellings too (`ReleaseProductionProccess`). A permission's id is its place
in the table: add at the end.
"""

from dataclasses import dataclass
from enum import StrEnum


class P(StrEnum):
    """The action names."""

    Dashboard = "Dashboard"
    ListUsers = "ListUsers"
    ListPermissions = "ListPermissions"
    ListRoles = "ListRoles"
    ListCustomers = "ListCustomers"
    ListComponents = "ListComponents"
    ListExportTax = "ListExportTax"
    ListCompanies = "ListCompanies"
    ListMaterials = "ListMaterials"
    ListProductionProcesses = "ListProductionProcesses"
    ListItems = "ListItems"
    ListSalesOrders = "ListSalesOrders"
    ListOrders = "ListOrders"
    ReportListSalesOrders = "ReportListSalesOrders"
    ReportListBills = "ReportListBills"
    ReportPayOrders = "ReportPayOrders"
    ReportPaidOrders = "ReportPaidOrders"
    NoAutoLogoutInactivity = "NoAutoLogoutInactivity"
    ChangePassword = "ChangePassword"
    UpdateSalesOrderPositionStatus = "UpdateSalesOrderPositionStatus"
    SalesOrderPositionProcessIn = "SalesOrderPositionProcessIn"
    SalesOrderPositionProcessOut = "SalesOrderPositionProcessOut"
    SalesOrderPositionRecord = "SalesOrderPositionRecord"
    ReleaseProductionProccess = "ReleaseProductionProccess"
    CreateUser = "CreateUser"
    UpdateUser = "UpdateUser"
    DeleteUser = "DeleteUser"
    CreateRole = "CreateRole"
    UpdateRole = "UpdateRole"
    DeleteRole = "DeleteRole"
    CreateCompany = "CreateCompany"
    UpdateCompany = "UpdateCompany"
    DeleteCompany = "DeleteCompany"
    CreateCustomer = "CreateCustomer"
    UpdateCustomer = "UpdateCustomer"
    DeleteCustomer = "DeleteCustomer"
    CreateComponent = "CreateComponent"
    UpdateComponent = "UpdateComponent"
    DeleteComponent = "DeleteComponent"
    CreateMaterial = "CreateMaterial"
    UpdateMaterial = "UpdateMaterial"
    DeleteMaterial = "DeleteMaterial"
    CreateExportTax = "CreateExportTax"
    UpdateExportTax = "UpdateExportTax"
    DeleteExportTax = "DeleteExportTax"
    CreateProductionProcess = "CreateProductionProcess"
    UpdateProductionProcess = "UpdateProductionProcess"
    DeleteProductionProcess = "DeleteProductionProcess"
    CreateItem = "CreateItem"
    UpdateItem = "UpdateItem"
    DeleteItem = "DeleteItem"
    CreateSalesOrder = "CreateSalesOrder"
    UpdateSalesOrder = "UpdateSalesOrder"
    DeleteSalesOrder = "DeleteSalesOrder"
    UpdateSalesOrderPosition = "UpdateSalesOrderPosition"
    CreateDelivery = "CreateDelivery"
    UpdateDelivery = "UpdateDelivery"
    CancelDelivery = "CancelDelivery"
    CreatePay = "CreatePay"
    CancelPay = "CancelPay"
    PrintWorkSheet = "PrintWorkSheet"
    ShopFloor = "ShopFloor"
    ManageDisplays = "ManageDisplays"
    ViewAudit = "ViewAudit"
    Station = "Station"
    ManageIntegrations = "ManageIntegrations"
    ManagePersonalData = "ManagePersonalData"


@dataclass(frozen=True)
class Permission:
    """One row of the table; `id` is its place, from 1."""

    id: int
    action: P
    group: str
    description_es: str
    description_en: str


_RECORDS = {
    "User": ("Administration", "usuarios", "users"),
    "Role": ("Administration", "roles", "roles"),
    "Company": ("Catalogs", "empresas", "companies"),
    "Customer": ("Catalogs", "clientes", "customers"),
    "Component": ("Catalogs", "componentes", "components"),
    "Material": ("Catalogs", "materiales", "materials"),
    "ExportTax": ("Catalogs", "fracciones arancelarias", "export tax items"),
    "ProductionProcess": ("Catalogs", "procesos de producción", "production processes"),
    "Item": ("Catalogs", "productos", "products"),
    "SalesOrder": ("Operations", "órdenes de venta", "sales orders"),
}
_VERBS = {"Create": ("Crear", "Create"), "Update": ("Modificar", "Change"), "Delete": ("Eliminar", "Delete")}

_WORDS: dict[P, tuple[str, str, str]] = {
    P(verb + record): (group, f"{verb_es} {es}", f"{verb_en} {en}")
    for record, (group, es, en) in _RECORDS.items()
    for verb, (verb_es, verb_en) in _VERBS.items()
} | {
    P.Dashboard: ("Dashboard", "Ver el tablero", "See the dashboard"),
    P.ListUsers: ("Administration", "Ver usuarios", "See users"),
    P.ListPermissions: ("Administration", "Ver permisos", "See permissions"),
    P.ListRoles: ("Administration", "Ver roles", "See roles"),
    P.ListCustomers: ("Catalogs", "Ver clientes", "See customers"),
    P.ListComponents: ("Catalogs", "Ver componentes", "See components"),
    P.ListExportTax: ("Catalogs", "Ver fracciones arancelarias", "See export tax items"),
    P.ListCompanies: ("Catalogs", "Ver empresas", "See companies"),
    P.ListMaterials: ("Catalogs", "Ver materiales", "See materials"),
    P.ListProductionProcesses: ("Catalogs", "Ver procesos de producción", "See production processes"),
    P.ListItems: ("Catalogs", "Ver productos", "See products"),
    P.ListSalesOrders: ("Operations", "Ver órdenes de venta", "See sales orders"),
    P.ListOrders: ("Operations", "Ver todas las líneas", "See the lines of all orders"),
    P.ReportListSalesOrders: ("Reports", "Reporte de órdenes de venta", "Report of sales orders"),
    P.ReportListBills: ("Reports", "Reporte de facturas", "Report of bills"),
    P.ReportPayOrders: ("Reports", "Reporte de trabajo por pagar", "Report of work to pay"),
    P.ReportPaidOrders: ("Reports", "Reporte de trabajo pagado", "Report of paid work"),
    P.NoAutoLogoutInactivity: ("Session", "Sin cierre por inactividad", "No sign-out when inactive"),
    P.ChangePassword: ("Session", "Cambiar la propia contraseña", "Change one's own password"),
    P.UpdateSalesOrderPositionStatus: (
        "Operations",
        "Cambiar el estado de una línea",
        "Change a line's status",
    ),
    P.SalesOrderPositionProcessIn: ("Operations", "Entrar a un proceso", "Enter a process"),
    P.SalesOrderPositionProcessOut: ("Operations", "Salir de un proceso", "Leave a process"),
    P.SalesOrderPositionRecord: ("Operations", "Ver el historial de una línea", "See a line's history"),
    P.ReleaseProductionProccess: ("Operations", "Liberar procesos", "Release processes"),
    P.UpdateSalesOrderPosition: ("Operations", "Modificar líneas", "Change lines"),
    P.CreateDelivery: ("Billing", "Crear facturas", "Create bills"),
    P.UpdateDelivery: ("Billing", "Modificar facturas", "Change bills"),
    P.CancelDelivery: ("Billing", "Cancelar facturas", "Cancel bills"),
    P.CreatePay: ("Billing", "Pagar trabajo", "Pay work"),
    P.CancelPay: ("Billing", "Cancelar pagos", "Cancel payments"),
    P.PrintWorkSheet: ("Operations", "Imprimir hojas de trabajo", "Print work sheets"),
    P.ShopFloor: ("Operations", "Ver el tablero de piso", "See the shop-floor board"),
    P.ManageDisplays: ("Administration", "Administrar pantallas", "Manage displays"),
    P.ViewAudit: ("Administration", "Ver la auditoría", "See the audit"),
    P.Station: ("Operations", "Usar una estación de piso", "Use a shop-floor station"),
    P.ManageIntegrations: ("Administration", "Administrar integraciones", "Manage integrations"),
    P.ManagePersonalData: (
        "Administration",
        "Descargar y borrar datos personales",
        "Download and erase personal data",
    ),
}

PERMISSIONS: tuple[Permission, ...] = tuple(
    Permission(place, action, *_WORDS[action]) for place, action in enumerate(P, start=1)
)
ALL: frozenset[P] = frozenset(P)

# A user is an administrator when he holds all of these; one active must always remain (contract, section 2).
ADMINISTRATOR: frozenset[P] = frozenset({P.ListUsers, P.UpdateUser, P.UpdateRole})

# Who holds one of these plans, sells or bills: what the day brings is his to see to, wherever it happens. Who holds
# none works in his own processes.
OF_THE_OFFICE: frozenset[P] = frozenset(
    {
        P.Dashboard,
        P.CreateSalesOrder,
        P.UpdateSalesOrder,
        P.UpdateSalesOrderPosition,
        P.UpdateSalesOrderPositionStatus,
        P.CreateDelivery,
    }
)

# What a paired wall screen may do: see the board (contract, section 8).
OF_DISPLAYS: frozenset[P] = frozenset({P.ShopFloor})

# What a service account may be given: nothing of who may do what, nothing that is a person's own.
OF_SERVICES: frozenset[P] = ALL - {
    P.ManagePersonalData,
    *(P(verb + record) for verb in _VERBS for record in ("User", "Role")),
    P.ListUsers,
    P.ListRoles,
    P.ListPermissions,
    P.ManageDisplays,
    P.ManageIntegrations,
    P.ChangePassword,
    P.NoAutoLogoutInactivity,
    P.Station,
}

# What an account of type Customer may do, whatever its roles say, and only to what is its customer's own
# (contract, section 8). It writes nothing but its password.
OF_CUSTOMERS: frozenset[P] = frozenset(
    {P.ListSalesOrders, P.ListOrders, P.ReportListBills, P.PrintWorkSheet, P.ChangePassword}
)
