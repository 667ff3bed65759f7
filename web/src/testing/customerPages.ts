/** Customers' pages for tests. */
import type { CustomerPage, PageLine, PageOrder } from "@/contract";

export const aPageLine = (overrides: Partial<PageLine> = {}): PageLine => ({
  position: 1,
  itemKey: "AN-018",
  itemName: "Anillo liso",
  itemNameEnglish: "Plain ring",
  quantity: 12,
  quantityGood: 12,
  quantityReady: 0,
  quantityShipped: 0,
  stage: "inProduction",
  step: 3,
  steps: 8,
  processes: [],
  deliveryDate: "2026-03-20",
  lateDays: null,
  forecast: null,
  image: null,
  thumbnail: null,
  price: null,
  currency: null,
  ...overrides,
});

export const aPageOrder = (overrides: Partial<PageOrder> = {}): PageOrder => ({
  id: 7,
  customerSalesOrderId: "PO-1042",
  salesOrderDate: "2026-03-01",
  lines: [aPageLine()],
  shipments: [],
  papers: [],
  requests: [],
  answers: [],
  ...overrides,
});

export const aPage = (overrides: Partial<CustomerPage> = {}): CustomerPage => ({
  customerName: "Casa Morales",
  companyName: "Platería Taxco",
  logo: null,
  zone: "America/Mexico_City",
  expiresAt: "2026-09-01T18:00:00.000Z",
  orders: [aPageOrder()],
  more: false,
  ...overrides,
});
