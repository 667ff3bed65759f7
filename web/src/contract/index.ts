/** The server's types under the names the screens use; everything else here is generated. */
import type { LiveEvent } from "./events";
import type { components } from "./openapi";

export type { paths } from "./openapi";
export type { Permission } from "./permissions";
export type { LiveEvent };

type Schemas = components["schemas"];

export type User = Schemas["UserOut"];
export type ProductionProcess = Schemas["ProductionProcessOut"];
export type Item = Schemas["ItemOut"];
export type ProcessRef = Schemas["ProcessRef"];
export type ProcessRecord = Schemas["RecordOut"];
export type LineActions = Schemas["LineActions"];
export type Line = Schemas["LineOut"];
export type LineStatus = Line["status"];
export type OrderStatus = Line["orderStatus"];
export type SalesOrder = Schemas["OrderOut"];
export type Notification = Schemas["NotificationOut"];
export type ErrorBody = Schemas["ErrorOut"];

export type LiveEventType = LiveEvent["type"];
export type LiveEventOf<T extends LiveEventType> = Extract<LiveEvent, { type: T }>;
export type LineEvent = LiveEventOf<`line.${string}` & LiveEventType>;
