/** What a station keeps on its own machine: movements that the server has not answered, and what it knew last. */
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { Station } from "@/contract";
import { STATIONS } from "@/shared/session/kept";

/** What of a line a station shows, however it got to know it. */
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

/** Why the server refused a movement, in its words. */
export interface Refused {
  code: string;
  message: string;
}

/** What somebody pressed: it is kept until the server has said what became of it. */
export interface Movement {
  /** The idempotency key: sent again, it happens once. */
  key: string;
  /** Grows with each press on this machine, in all of its tabs. */
  turn: number;
  userId: number;
  userName: string;
  /** The token of who was named by PIN or badge; null for whoever is signed in. */
  operatorToken: string | null;
  type: "in" | "out" | "hand-over";
  productionProcessId: number;
  productionProcessName: string;
  /** Where a hand-over leads. */
  to: { productionProcessId: number; productionProcessName: string } | null;
  line: StationLine;
  quantity: number;
  notes: string;
  /** When it was pressed, by the server's clock as far as it is known. */
  madeAt: string;
  /** A person decided that it happens when it arrives. */
  untimed: boolean;
  /** Sent at least once and not answered: it may have happened. */
  inDoubt: boolean;
  /** Taken back: undone once it has surely happened. `recordId` is null until it is known which record that made. */
  undo: { recordId: number | null } | null;
  refused: Refused | null;
}

/** The last answer about a station, and when it was true. */
export interface Known {
  processId: number;
  /** Rights differ: what one person was shown is not for another. */
  userId: number;
  station: Station;
  at: number;
}

interface Waiting extends DBSchema {
  movements: { key: string; value: Movement };
}

interface Stations extends DBSchema {
  stations: { key: [userId: number, processId: number]; value: Known };
}

/** Opens a database once. Rejects where the browser lets nothing be kept; the next call tries again. */
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
      // A newer release in another tab may change the stores; the end of the session drops what it knew of stations.
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
  const { objectStoreNames } = database as unknown as IDBPDatabase;
  if (objectStoreNames.contains("stations")) {
    (database as unknown as IDBPDatabase).deleteObjectStore("stations");
  }
  if (!objectStoreNames.contains("movements")) {
    database.createObjectStore("movements", { keyPath: "key" });
  }
});

const stations = opener<Stations>(STATIONS, 2, (database) => {
  // An earlier release kept stations in another shape: they are loaded again.
  if (database.objectStoreNames.contains("stations")) database.deleteObjectStore("stations");
  database.createObjectStore("stations", { keyPath: ["userId", "processId"] });
});

/** In the order in which they were pressed. */
export async function keptMovements(): Promise<Movement[]> {
  const found = await (await waiting()).getAll("movements");
  return found.toSorted((one, other) => one.turn - other.turn);
}

/** Rejects where there is no room or no leave to write. */
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
