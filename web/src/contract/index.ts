/** The server's types under the names that the screens use. `make contract` makes the types that they come from. */
import type { components } from "../../.contract/openapi";

export type { paths } from "../../.contract/openapi";
export * from "./tables";

/** The server's bodies and answers by their names there. */
export type Schemas = components["schemas"];

export type User = Schemas["UserOut"];
/** A line past its delivery date, with where it is. */
export type ExpiredRow = Schemas["ExpiredRow"];
/** What the staff wrote about a line. */
export type Message = Schemas["MessageOut"];
export type MessageIn = Schemas["MessageIn"];
/** What the office must see to now. */
export type Today = Schemas["TodayOut"];
export type UserIn = Schemas["UserIn"];
/** A wall screen. */
export type Display = Schemas["DisplayOut"];
export type DisplayIn = Schemas["DisplayIn"];
/** Another program, and what it may do. */
export type ServiceAccount = Schemas["ServiceAccountOut"];
export type ServiceAccountIn = Schemas["ServiceAccountIn"];
/** An address that is sent events, and what it was sent. */
export type Webhook = Schemas["WebhookOut"];
export type WebhookIn = Schemas["WebhookIn"];
/** One message to a webhook, and how its last attempt went. */
export type WebhookDelivery = Schemas["WebhookDeliveryOut"];
export type Role = Schemas["RoleOut"];
export type RoleIn = Schemas["RoleIn"];
/** A role of a usual workshop, to start a new role from. */
export type RoleTemplate = Schemas["RoleTemplateOut"];
/** A row of the table of permissions, with its words in both languages. */
export type PermissionRow = Schemas["PermissionOut"];
export type AuditEntry = Schemas["AuditEntryOut"];
/** `GET /api/catalogs`: units, countries, currencies, regimes and statuses. */
export type SharedCatalog = Schemas["SharedCatalogOut"];
export type Customer = Schemas["CustomerOut"];
export type CustomerIn = Schemas["CustomerIn"];
export type Company = Schemas["CompanyOut"];
export type CompanyIn = Schemas["CompanyIn"];
export type Component = Schemas["ComponentOut"];
export type ComponentIn = Schemas["ComponentIn"];
export type Alloy = Schemas["AlloyOut"];
export type AlloyIn = Schemas["AlloyIn"];
export type Tray = Schemas["TrayOut"];
/** A part of the product that a workshop may not use. */
export type Part = Schemas["PartOut"];
export type TrayIn = Schemas["TrayIn"];
export type Material = Schemas["MaterialOut"];
export type MaterialIn = Schemas["MaterialIn"];
export type ExportTaxItem = Schemas["ExportTaxItemOut"];
export type ExportTaxItemIn = Schemas["ExportTaxItemIn"];
export type ProductionProcessIn = Schemas["ProductionProcessIn"];
export type ItemIn = Schemas["ItemIn"];
/** An uploaded file on its way into a catalog, and what one of its rows would do. */
export type Import = Schemas["ImportOut"];
export type ImportRow = Schemas["ImportRowOut"];
/** How a file was read, and what is doubtful about it. */
export type FileRead = Pick<Import, "encoding" | "sheet" | "sheets" | "doubts">;
export type FileDoubt = Schemas["ImportDoubt"];
export type DoubtCode = FileDoubt["code"];
/** The answers to a file's doubts. */
export type FileChoices = Schemas["ImportChoicesOut"];
export type Address = Schemas["Address"];
export type Place = Schemas["Place"];
export type Phone = Schemas["Phone"];
export type ProductionProcess = Schemas["ProductionProcessOut"];
/** A piece price that was set, since when and by whom. */
export type ProcessPrice = Schemas["ProcessPriceOut"];
/** A piece price of a product in a process, and the rows and columns of their grid. */
export type PriceCell = Schemas["PriceCellOut"];
export type PriceRow = Schemas["PriceRowOut"];
export type PriceColumn = Schemas["PriceColumnOut"];
export type ProcessItemPricesIn = Schemas["ProcessItemPricesIn"];
export type Item = Schemas["ItemOut"];
/** An entry of a select box: `?fields=options`. */
export type ShortListRow = Schemas["ShortListOut"];
export type ShortListIn = Schemas["ShortListIn"];
export type Option = Schemas["OptionOut"];
/** A process among the options: what all staff may read of it. */
export type ProcessOption = Schemas["ProcessOptionOut"];
export type ProcessRef = Schemas["ProcessName"];
export type ProcessRecord = Schemas["HistoryRow"];
export type LineActions = Schemas["Actions"];
export type Line = Schemas["LineOut"];
/** A row of the list of lines: no history, no components. */
export type LineRow = Schemas["LineRowOut"];
/** A line as every event has it. */
export type LineDocument = Schemas["LineDocument"];
export type LineStatus = Schemas["Status"];
export type OrderStatus = Schemas["Status"];
export type SalesOrder = Schemas["OrderOut"];
/** A row of the list of orders: the lines in figures. */
export type OrderSummary = Schemas["OrderSummaryOut"];
export type SalesOrderIn = Schemas["OrderIn"];
/** A product where one is chosen for an order. */
export type OfferedProduct = Schemas["OfferedProductOut"];
export type OrderFile = Schemas["OrderFile"];
/** A line in a change of its order: with a position a saved one, without a new one. */
export type OrderLineChange = Schemas["OrderLineChange"];
export type LineIn = Schemas["LineIn"];
/** A process as its station shows it, and what a scan means there. */
export type Station = Schemas["StationOut"];
export type StationScan = Schemas["StationScanOut"];
export type ShopFloor = Schemas["ShopFloorOut"];
/** A process of the person's own and what is inside it. */
export type OwnProcess = Schemas["OwnProcessOut"];
export type ShopFloorLane = Schemas["LaneOut"];
export type ShopFloorCard = Schemas["CardOut"];
/** A day of the shop floor again. */
export type ShopDay = Schemas["ShopDayOut"];
/** Lines that go through a process together. */
export type Batch = Schemas["BatchOut"];
/** A batch in the list of batches: without its lines. */
export type BatchHead = Schemas["BatchHead"];
/** A batch as boards and stations show it. */
export type BatchCard = Schemas["BatchCard"];
export type BatchLine = Schemas["BatchLineOut"];
export type BatchIn = Schemas["BatchIn"];
export type BatchChange = Schemas["BatchChange"];
/** One press that moves a batch, with its weights and the lines that are left off. */
export type BatchMove = Schemas["BatchMoveIn"];
/** A line that may be put on a batch. */
export type OfferedLine = Schemas["OfferedLineOut"];
/** A bill, or a pre-bill that is to become one. */
export type Delivery = Schemas["DeliveryOut"];
export type Certificate = Schemas["CertificateOut"];
export type CertificateIn = Schemas["CertificateIn"];
export type Cfdi = Schemas["CfdiOut"];
export type CfdiCanceledIn = Schemas["CanceledIn"];
/** What is owed for a bill, with its payments and credit notes. */
export type Settlements = Schemas["SettlementsOut"];
export type Settlement = Schemas["SettlementOut"];
export type SettlementIn = Schemas["SettlementIn"];
export type CustomsGap = Schemas["GapOut"];
export type Origin = Schemas["OriginOut"];
export type DeliveryIn = Schemas["DeliveryIn"];
/** What of a pre-bill is changed. */
export type DeliveryChange = Schemas["DeliveryChange"];
/** What is written of a bill's export papers. */
export type DeliveryExportIn = Schemas["ExportIn"];
export type DeliveryLine = Schemas["DeliveryLineOut"];
/** A finished line with pieces left to bill. */
export type BillableLine = Schemas["BillableOut"];
export type Notification = Schemas["NotificationDocument"];
/** A closed process record, and what of it is left to pay. */
export type Payable = Schemas["PayableOut"];
/** What a person is owed: of the days asked for, and altogether. */
export type Owed = Schemas["OwedOut"];
export type Payment = Schemas["PaymentOut"];
export type PaymentItem = Schemas["PaymentItemOut"];
export type PaymentIn = Schemas["PaymentIn"];
/** People to pay together, and what each of them is owed. */
export type PeopleIn = Schemas["PayPeopleIn"];
export type PaymentTotals = Schemas["PaymentTotalsOut"];
/** What the person's own piece work earned. */
export type Earnings = Schemas["EarningsOut"];
/** A line of the report of sales orders, and what all of them add up to. */
export type LineReportRow = Schemas["LineReportRow"];
export type DeliveryCurrencies = Schemas["CurrenciesOut"];
export type DeliveryTotals = Schemas["DeliveryTotalsOut"];
export type LineTotals = Schemas["LineTotalsOut"];
/** The dashboard: orders by status, an order behind a number, lines past their date, what left a process. */
export type StatusCount = Schemas["StatusCountOut"];
export type OrderReportRow = Schemas["OrderReportRow"];
export type ExpiredCount = Schemas["ExpiredCountOut"];
export type Throughput = Schemas["ThroughputOut"];
/** Durations of visits in hours. */
export type Spread = Schemas["SpreadOut"];
export type Flow = Schemas["FlowOut"];
/** What a line's forecast rests on, what it gains to go first, and the days offered for a product. */
export type ForecastReasons = Schemas["ForecastReasonsOut"];
export type GoesFirst = Schemas["GoesFirstOut"];
export type OfferedDays = Schemas["OfferedDaysOut"];
/** Promised and kept, of a month. */
export type Promises = Schemas["PromisesOut"];
/** A few of each kind, for the words typed so far. */
export type Found = Schemas["SearchOut"];
export type ErrorBody = Schemas["Error"];
/** A link to a customer's page, without its address; a new one has the token of its address. */
export type CustomerLink = Schemas["CustomerLinkOut"];
export type CustomerLinkIn = Schemas["CustomerLinkIn"];
export type NewCustomerLink = Schemas["NewCustomerLinkOut"];
/** What a customer said about a line, for the staff. */
export type ApprovalRequest = Schemas["ApprovalRequestOut"];
export type CustomerAnswer = Schemas["CustomerAnswerOut"];
/** A customer's page: its orders, lines, shipments, papers and answers. */
export type CustomerPage = Schemas["CustomerPageOut"];
export type PageOrder = Schemas["PageOrder"];
export type PageLine = Schemas["PageLine"];
export type PageRequest = Schemas["PageRequest"];
export type PagePaper = Schemas["PagePaper"];
export type PageAnswer = Schemas["PageAnswer"];
export type PageAnswerIn = Schemas["PageAnswerIn"];

export type Hello = Schemas["Hello"];
export type LiveFrame = Schemas["LiveFrame"];
export type LiveEvent = Exclude<LiveFrame, { type: "hello" | "reset" | "presence" }>;
/** Who looks at a line, the person himself among them. */
export type Presence = Schemas["Presence"];
export type LiveEventType = LiveEvent["type"];
export type LiveEventOf<T extends LiveEventType> = Extract<LiveEvent, { type: T }>;
export type OrderEvent = LiveEventOf<"order.created" | "order.changed">;
/** The events that carry a line. A message only names its line. */
export type LineEvent = LiveEventOf<Exclude<`line.${string}` & LiveEventType, "line.message">>;
