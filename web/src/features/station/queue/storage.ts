/** What a station keeps on its own machine: unanswered movements, and its last known state. */
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { Station } from "@/contract";
import type { Call } from "@/entities/talk/talk.api";
import type { ScrappedPart } from "@/entities/scrapping/part";
import { STATIONS } from "@/shared/session/kept";
import type { Weights } from "@/entities/weight/weights";

/** What a station shows of a line. */
export interface StationLine {
  salesOrderId: number;
  position: number;
  customerSalesOrderId: string;
  customerName: string;
  itemName: string;
  image: string | null;
  /** Pieces of the whole line. */
  quantity: number;
  deliveryDate: string | null;
  late: boolean;
}

/** Why the server refused a movement, with its message. */
export interface Refused {
  code: string;
  message: string;
}

/** The details of scrapped pieces. */
export interface Scrapped {
  /** The key of a scrap reason. */
  reason: string;
  /** A JPEG in base 64. */
  photo: string | null;
}

/** What a worker says about a line: they call somebody to it, or come after a call. */
export interface Said {
  kind: Call["kind"];
  /** The id of the message that they come after; null if they call. */
  comesTo: number | null;
}

/** A press, stored until the server has accepted it, or the user has decided about a refusal. */
export interface Movement {
  /** The idempotency key: a movement that is sent twice happens once. */
  key: string;
  /** Increases with each press on this machine, in all of its tabs. */
  turn: number;
  userId: number;
  userName: string;
  /** The token of an operator; null for the signed-in user. */
  operatorToken: string | null;
  type: "in" | "out" | "hand-over" | "scrap" | "talk";
  productionProcessId: number;
  productionProcessName: string;
  /** The target of a hand-over. */
  to: { productionProcessId: number; productionProcessName: string } | null;
  /** Of a press of type `talk`, which moves no pieces and is never undone. */
  said?: Said;
  /** Missing unless pieces were scrapped, and in the undo of it. */
  scrap?: Scrapped;
  /** The pieces among `quantity` that leave as scrap. Missing if none do. */
  part?: ScrappedPart;
  line: StationLine;
  quantity: number;
  notes: string;
  /** Missing in a movement of an earlier release. */
  weights?: Weights;
  /** When it was pressed, by the server's clock as far as it is known. */
  madeAt: string;
  /** Sent without `madeAt`, so that the time of its arrival counts. */
  untimed: boolean;
  /** Sent at least once and not answered, so it may have happened. */
  inDoubt: boolean;
  /**
   * Set if the movement was taken back. `recordId`: the record to undo; null to undo the movement
   * itself, by its key.
   */
  undo: { recordId: number | null } | null;
  refused: Refused | null;
}

/** The last answer about a station, and its time. */
export interface Known {
  processId: number;
  /** Users have different permissions, so an answer is kept by user. */
  userId: number;
  station: Station;
  at: number;
}

interface Waiting extends DBSchema {
  movements: { key: string; value: Movement };
  /** The store of an earlier release. */
  stations: { key: number; value: Known };
}

interface Stations extends DBSchema {
  stations: { key: [userId: number, processId: number]; value: Known };
}

/**
 * Return a function that opens a database once. It rejects if the browser allows no storage; the
 * next call tries again.
 */
function opener<S extends DBSchema>(
  name: string,
  version: number,
  upgrade: (database: IDBPDatabase<S>) => void,
): () => Promise<IDBPDatabase<S>> {
  let opened: Promise<IDBPDatabase<S>> | undefined;
  const forget = () => {
    opened = undefined;
  };
  return () => {
    opened ??= openDB<S>(name, version, {
      upgrade,
      // Close the database if a newer release in another tab changes the stores, or if the end of
      // the session deletes the stations.
      blocking: (_, __, event) => {
        (event.target as IDBDatabase).close();
        forget();
      },
      terminated: forget,
    }).catch((reason: unknown) => {
      forget();
      throw reason;
    });
    return opened;
  };
}

const waiting = opener<Waiting>("obrador-station", 2, (database) => {
  const { objectStoreNames } = database;
  if (objectStoreNames.contains("stations")) database.deleteObjectStore("stations");
  if (!objectStoreNames.contains("movements")) {
    database.createObjectStore("movements", { keyPath: "key" });
  }
});

const stations = opener<Stations>(STATIONS, 2, (database) => {
  // An earlier release kept stations in another format. They are loaded again.
  if (database.objectStoreNames.contains("stations")) database.deleteObjectStore("stations");
  database.createObjectStore("stations", { keyPath: ["userId", "processId"] });
});

/** Return the kept movements in the order in which they were pressed. */
export async function keptMovements(): Promise<Movement[]> {
  const found = await (await waiting()).getAll("movements");
  return found.toSorted((one, other) => one.turn - other.turn);
}

/** Keep a movement. Rejects if storage is full or denied. */
export async function keepMovement(movement: Movement): Promise<void> {
  await (await waiting()).put("movements", movement);
}

export async function dropMovement(key: string): Promise<void> {
  await (await waiting()).delete("movements", key);
}

export async function keepStation(known: Known): Promise<void> {
  await (await stations()).put("stations", known);
}

export async function knownStation(processId: number, userId: number): Promise<Known | null> {
  return (await (await stations()).get("stations", [userId, processId])) ?? null;
}
