"""The table of permissions: API guards, event audiences, the menu and the web routes are derived from it.

Names are public and never change, not even misspellings (`ReleaseProductionProccess`). A permission's id is its place
in the table: add new ones at the end.
"""

from dataclasses import dataclass
from enum import StrEnum


class Permission(StrEnum):
    """An action that a caller may be allowed."""

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
    ScrapPieces = "ScrapPieces"
    ListAlloys = "ListAlloys"
    CreateAlloy = "CreateAlloy"
    UpdateAlloy = "UpdateAlloy"
    DeleteAlloy = "DeleteAlloy"
    ViewMetal = "ViewMetal"
    ManageMetal = "ManageMetal"
    CloseMetalDay = "CloseMetalDay"
    ManageBatches = "ManageBatches"
    ListPiecePrices = "ListPiecePrices"
    UpdatePiecePrices = "UpdatePiecePrices"
    ReportPromises = "ReportPromises"
    ManageCustomerLinks = "ManageCustomerLinks"


@dataclass(frozen=True)
class PermissionDescription:
    """A permission with its texts; `id` is its place in the table, from 1."""

    id: int
    action: Permission
    group: str
    description_es: str
    description_en: str
    needs: frozenset[Permission]


_RECORDS = {
    Permission.ListUsers: ("User", "Administration", "usuarios", "users"),
    Permission.ListRoles: ("Role", "Administration", "roles", "roles"),
    Permission.ListCompanies: ("Company", "Catalogs", "empresas", "companies"),
    Permission.ListCustomers: ("Customer", "Catalogs", "clientes", "customers"),
    Permission.ListComponents: ("Component", "Catalogs", "componentes", "components"),
    Permission.ListMaterials: ("Material", "Catalogs", "materiales", "materials"),
    Permission.ListAlloys: ("Alloy", "Catalogs", "aleaciones", "alloys"),
    Permission.ListExportTax: ("ExportTax", "Catalogs", "fracciones arancelarias", "export tax items"),
    Permission.ListProductionProcesses: (
        "ProductionProcess",
        "Catalogs",
        "procesos de producción",
        "production processes",
    ),
    Permission.ListItems: ("Item", "Catalogs", "productos", "products"),
    Permission.ListSalesOrders: ("SalesOrder", "Operations", "órdenes de venta", "sales orders"),
}
"""The records that are listed, created, changed and deleted: their group and names, by the permission to list them."""
_VERBS = {"Create": ("Crear", "Create"), "Update": ("Modificar", "Change"), "Delete": ("Eliminar", "Delete")}

_WORDS: dict[Permission, tuple[str, str, str]] = {
    action: (group, f"{verb_es} {es}", f"{verb_en} {en}")
    for reads, (record, group, es, en) in _RECORDS.items()
    for action, (verb_es, verb_en) in {
        reads: ("Ver", "See"),
        **{Permission(verb + record): words for verb, words in _VERBS.items()},
    }.items()
} | {
    Permission.Dashboard: ("Dashboard", "Ver el tablero", "See the dashboard"),
    Permission.ListPermissions: ("Administration", "Ver permisos", "See permissions"),
    Permission.ListOrders: ("Operations", "Ver todas las líneas", "See the lines of all orders"),
    Permission.ReportListSalesOrders: ("Reports", "Reporte de órdenes de venta", "Report of sales orders"),
    Permission.ReportListBills: ("Reports", "Reporte de facturas", "Report of invoices"),
    Permission.ReportPayOrders: ("Reports", "Reporte de destajo por pagar", "Report of piecework to pay"),
    Permission.ReportPaidOrders: ("Reports", "Reporte de destajo pagado", "Report of paid piecework"),
    Permission.NoAutoLogoutInactivity: ("Session", "Sin cierre por inactividad", "No sign-out when inactive"),
    Permission.ChangePassword: ("Session", "Cambiar su propia contraseña", "Change their own password"),
    Permission.UpdateSalesOrderPositionStatus: (
        "Operations",
        "Cambiar el estado de una línea",
        "Change a line's status",
    ),
    Permission.SalesOrderPositionProcessIn: ("Operations", "Meter piezas a un proceso", "Move pieces into a process"),
    Permission.SalesOrderPositionProcessOut: (
        "Operations",
        "Sacar piezas de un proceso",
        "Move pieces out of a process",
    ),
    Permission.SalesOrderPositionRecord: ("Operations", "Ver el historial de una línea", "See a line's history"),
    Permission.ReleaseProductionProccess: ("Operations", "Liberar para retrabajo", "Release for rework"),
    Permission.ScrapPieces: ("Operations", "Dar de baja piezas", "Scrap pieces"),
    Permission.UpdateSalesOrderPosition: ("Operations", "Modificar líneas", "Change lines"),
    Permission.CreateDelivery: ("Billing", "Crear facturas", "Create invoices"),
    Permission.UpdateDelivery: ("Billing", "Modificar facturas", "Change invoices"),
    Permission.CancelDelivery: ("Billing", "Cancelar facturas", "Cancel invoices"),
    Permission.CreatePay: ("Billing", "Pagar destajo", "Pay piecework"),
    Permission.CancelPay: ("Billing", "Cancelar pagos de destajo", "Cancel piecework payments"),
    Permission.PrintWorkSheet: ("Operations", "Imprimir hojas de trabajo", "Print work sheets"),
    Permission.ShopFloor: ("Operations", "Ver el tablero de piso", "See the shop-floor board"),
    Permission.ManageDisplays: ("Administration", "Administrar pantallas", "Manage displays"),
    Permission.ViewAudit: ("Administration", "Ver la auditoría", "See the audit"),
    Permission.Station: ("Operations", "Usar una estación de piso", "Use a shop-floor station"),
    Permission.ManageIntegrations: ("Administration", "Administrar integraciones", "Manage integrations"),
    Permission.ManagePersonalData: (
        "Administration",
        "Descargar y borrar datos personales",
        "Download and erase personal data",
    ),
    Permission.ViewMetal: ("Operations", "Ver los gramos de metal", "See the grams of metal"),
    Permission.ManageMetal: (
        "Operations",
        "Registrar entradas, traspasos y afinación de metal",
        "Record receipts, transfers and refining of metal",
    ),
    Permission.CloseMetalDay: ("Operations", "Cerrar el día de metal de una persona", "Close a person's day of metal"),
    Permission.ManageBatches: ("Operations", "Armar tandas", "Put batches together"),
    Permission.ListPiecePrices: ("Catalogs", "Ver precios de destajo por producto", "See piece prices by product"),
    Permission.UpdatePiecePrices: (
        "Catalogs",
        "Modificar precios de destajo por producto",
        "Change piece prices by product",
    ),
    Permission.ReportPromises: ("Reports", "Reporte de lo prometido y cumplido", "Report of promised and kept"),
    Permission.ManageCustomerLinks: (
        "Operations",
        "Compartir pedidos con clientes por enlace",
        "Share orders with customers by link",
    ),
}

# For each permission, the others that it needs to be useful: without them its page or station lacks a part.
_NEEDS: dict[Permission, set[Permission]] = {
    Permission(verb + record): {reads} for reads, (record, *_) in _RECORDS.items() for verb in _VERBS
} | {
    Permission.Station: {
        Permission.SalesOrderPositionProcessIn,
        Permission.SalesOrderPositionProcessOut,
        Permission.SalesOrderPositionRecord,  # shows the last movements, with their undo
        Permission.NoAutoLogoutInactivity,
    },
    Permission.UpdateSalesOrderPosition: {Permission.ListSalesOrders},
    Permission.UpdateSalesOrderPositionStatus: {Permission.ListOrders},
    Permission.ReleaseProductionProccess: {Permission.ListOrders, Permission.SalesOrderPositionRecord},
    Permission.ScrapPieces: {Permission.ListOrders},
    Permission.PrintWorkSheet: {Permission.ListOrders},
    Permission.CreateDelivery: {Permission.ReportListBills},
    Permission.UpdateDelivery: {Permission.ReportListBills},
    Permission.CancelDelivery: {Permission.ReportListBills},
    Permission.CreatePay: {Permission.ReportPayOrders},
    Permission.CancelPay: {Permission.ReportPaidOrders},
    Permission.ManagePersonalData: {Permission.ListUsers},
    Permission.ManageMetal: {Permission.ViewMetal},
    Permission.CloseMetalDay: {Permission.ViewMetal},
    Permission.ManageBatches: {Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut},
    Permission.UpdatePiecePrices: {Permission.ListPiecePrices},
    Permission.ManageCustomerLinks: {Permission.ListSalesOrders},
}

PERMISSIONS: tuple[PermissionDescription, ...] = tuple(
    PermissionDescription(place, action, *_WORDS[action], frozenset(_NEEDS.get(action, ())))
    for place, action in enumerate(Permission, start=1)
)
ALL: frozenset[Permission] = frozenset(Permission)

# A user is an administrator if they hold all of these. One active administrator must always remain
# (infra/docs/rules.md#accounts).
ADMINISTRATOR: frozenset[Permission] = frozenset({Permission.ListUsers, Permission.UpdateUser, Permission.UpdateRole})

# A holder of one of these plans, sells or bills, so work in all processes concerns them. Others work only in their
# own processes.
OF_THE_OFFICE: frozenset[Permission] = frozenset(
    {
        Permission.Dashboard,
        Permission.CreateSalesOrder,
        Permission.UpdateSalesOrder,
        Permission.UpdateSalesOrderPosition,
        Permission.UpdateSalesOrderPositionStatus,
        Permission.CreateDelivery,
    }
)

# Permissions of a paired wall screen (infra/docs/rules.md#displays).
OF_DISPLAYS: frozenset[Permission] = frozenset({Permission.ShopFloor})

# Permissions that a service account may be given: all but those that decide who may do what, and those only for people.
OF_SERVICES: frozenset[Permission] = ALL - {
    Permission.ManagePersonalData,
    *(Permission(verb + record) for verb in _VERBS for record in ("User", "Role")),
    Permission.ListUsers,
    Permission.ListRoles,
    Permission.ListPermissions,
    Permission.ManageDisplays,
    Permission.ManageIntegrations,
    Permission.ManageCustomerLinks,
    Permission.ChangePassword,
    Permission.NoAutoLogoutInactivity,
    Permission.Station,
}

# Permissions of an account of type Customer, whatever its roles, and only over its own customer's records
# (infra/docs/rules.md#customers-accounts). Such an account writes only its password and the answers on its page.
OF_CUSTOMERS: frozenset[Permission] = frozenset(
    {
        Permission.ListSalesOrders,
        Permission.ListOrders,
        Permission.ReportListBills,
        Permission.PrintWorkSheet,
        Permission.ChangePassword,
    }
)
