type Json<T> = { content: { "application/json": T } };
type Params<Q, P> = { query?: Q; header?: never; path?: P; cookie?: never };
type Read<R, P = never, Q = never> = {
  parameters: Params<Q, P>;
  requestBody?: never;
  responses: { 200: Json<R>; 422: Json<S["ErrorOut"]> };
};
type Write<B, R, P = never> = {
  parameters: Params<never, P>;
  requestBody: Json<B>;
  responses: { 200: Json<R>; 422: Json<S["ErrorOut"]> };
};
type Empty<R, P = never> = {
  parameters: Params<never, P>;
  requestBody?: never;
  responses: { 200: Json<R>; 422: Json<S["ErrorOut"]> };
};
type S = components["schemas"];
type Page = { limit?: number; cursor?: string; search?: string; ordering?: string };
type Movement = { productionProcessId: number; notes?: string; quantity?: number };
type LineParams = { order_id: number; position: number };

export interface components {
  schemas: {
    ErrorOut: {
      code: string;
      message: string;
      params: Record<string, unknown>;
      errors: { field: string; code: string; message: string }[];
    };
    Option: { id: number; name: string };
    UserOut: {
      id: number;
      email: string;
      firstName: string;
      lastName: string;
      secondLastName: string;
      fullName: string;
      roleIds: number[];
      language: "es" | "en";
      active: boolean;
      locked: boolean;
      productionProcessIds: number[];
      version: number;
    };
    ProductionProcessOut: {
      id: number;
      name: string;
      order: number;
      status: boolean;
      price: number;
      userIds: number[];
      version: number;
    };
    ItemOut: { id: number; key: string; name: string; image: string | null; status: boolean };
    ProcessRef: { productionProcessId: number; productionProcessName: string };
    RecordOut: {
      id: number;
      productionProcessId: number;
      productionProcessName: string;
      quantity: number;
      inputDate: string;
      inputUsername: string;
      inputNotes: string;
      outputDate: string | null;
      outputUsername: string | null;
      outputNotes: string | null;
      released: boolean;
      deletedDate: string | null;
      dateOfReprocessing: string | null;
      active: boolean;
      releasedBy: string | null;
      releasedExits: {
        outputDate: string;
        outputUsername: string;
        outputNotes: string;
        releasedDate: string;
        releasedBy: string;
      }[];
    };
    LineActions: {
      statuses: LineStatus[];
      movements: {
        type: "in" | "out";
        productionProcessId: number;
        productionProcessName: string;
        maxQuantity: number;
      }[];
      release: { productionProcessId: number; productionProcessName: string }[];
    };
    LineOut: {
      salesOrderId: number;
      customerSalesOrderId: string;
      customerId: number;
      customerName: string;
      salesOrderStatusName: LineStatus;
      salesOrderNotes: string;
      itemId: number;
      itemName: string;
      position: number;
      quantity: number;
      image: string | null;
      quinto: string;
      creationDate: string;
      salesOrderDate: string;
      shipmentDate: string | null;
      deliveryDate: string | null;
      shippingDate: string | null;
      salesOrderPositionNotes: string;
      currentProductionProcess: S["ProcessRef"] | null;
      lastProductionProcess: S["ProcessRef"] | null;
      measures: string;
      components: {
        componentName: string;
        materialName: string;
        materialDescription: string;
        notes: string;
      }[];
      itemDocuments: { url: string }[];
      customerDocuments: { url: string }[];
      productionProcesses: S["RecordOut"][];
      status: LineStatus;
      orderStatus: OrderStatus;
      quantityInside: number;
      quantityAvailable: number;
      quantityBilled: number;
      version: number;
      actions: S["LineActions"];
    };
    OrderOut: {
      id: number;
      customerSalesOrderId: string;
      customerId: number;
      customerName: string;
      salesOrderDate: string;
      notes: string;
      status: OrderStatus;
      version: number;
      items: S["LineOut"][];
    };
    NotificationOut: {
      id: number;
      read: boolean;
      type: "SalesOrderWithoutOutputProcess" | "SalesOrderDeliveryDateExpiring";
      createdAt: string;
      message: { notes: string; position: number; salesOrderId: number };
    };
  };
}
type LineStatus = "New" | "Approved" | "InProcess" | "Done" | "Canceled" | "Invoiced" | "Undefined";
type OrderStatus = LineStatus | "PartiallyApproved";

export interface paths {
  "/identity/authentication/sign-in": {
    post: Write<
      { username: string; password: string; rememberLogin: boolean },
      { access_token: string }
    >;
  };
  "/identity/authentication/sign-out": { post: Empty<unknown> };
  "/identity/permissions/describe": { post: Write<{ subjectId: string }, { action: string }[]> };
  "/identity/users/{user_id}": { get: Read<S["UserOut"], { user_id: number }> };
  "/api/live/ticket": { post: Empty<{ ticket: string; expiresIn: number }> };
  "/api/production-processes": {
    get: Read<
      S["ProductionProcessOut"][],
      never,
      Page & { status?: boolean; filterByUser?: boolean }
    >;
  };
  "/api/sales-order": {
    get: Read<S["OrderOut"][], never, Page & { status?: string; customerId?: number }>;
    post: Write<Partial<S["OrderOut"]>, S["OrderOut"]>;
  };
  "/api/sales-order/positions": {
    get: Read<S["LineOut"][], never, Page & { status?: string; productionProcessId?: number }>;
  };
  "/api/sales-order/{order_id}": { get: Read<S["OrderOut"], { order_id: number }> };
  "/api/sales-order/{order_id}/position/{position}": { get: Read<S["LineOut"], LineParams> };
  "/api/sales-order/{order_id}/position/{position}/production-process/in": {
    put: Write<Movement, S["LineOut"], LineParams>;
  };
  "/api/notifications/unread": { get: Read<S["NotificationOut"][]> };
}
