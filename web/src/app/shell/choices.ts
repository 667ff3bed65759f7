/**
 * The palette's choices: what the user may open or do, found by the words of both languages, what they opened last, and
 * the server's results.
 */
import {
  CATALOGS,
  type Found,
  type LineStatus,
  type OrderStatus,
  type OwnProcess,
  type Permission,
} from "@/contract";
import type catalogs from "@/locales/es/catalogs.json";
import type keyboard from "@/locales/es/keyboard.json";
import type reports from "@/locales/es/reports.json";
import type shell from "@/locales/es/shell.json";
import { folded } from "@/shared/format/folded";
import type { Shortcut } from "@/shared/keyboard/shortcuts";
import type { Recent } from "@/shared/recent";
import { scannedPath } from "@/entities/scanning/openLine";
import type { Language } from "@/shared/language";
import type { StandingLine } from "@/entities/standing/standing";
import { holds, mayOpen } from "../guard";
import { isPagedCatalog, isReport, ROUTES, type AppRoute, type PageTitle } from "../routes";

const SHOWN = 8;

export type PageWords = Record<Language, Words>;
interface Words {
  shell: typeof shell;
  catalogs: typeof catalogs;
  keyboard: typeof keyboard;
  reports: typeof reports;
}

type Kind = "recent" | "makes" | "pages" | "commands" | keyof Found;

export interface Choice {
  id: string;
  kind: Kind;
  /** The address that the choice opens, or the action that it runs. */
  to: string | (() => void);
  title: string;
  /** The keyboard shortcut of the same action. */
  letter?: string;
  note?: string;
  status?: OrderStatus | LineStatus;
  /** The address of the picture; null without a picture. Absent for kinds that never have one. */
  picture?: string | null;
  /**
   * Whether the typed text names this line, by the short code of its sheet or by its PO# and
   * position.
   */
  named?: boolean;
}

interface Called extends Choice {
  /** The folded words by which the choice is found. */
  called: readonly string[];
}
interface Page extends Called {
  to: string;
}

/**
 * Areas of pages, named by the first part of the path: daily work first, setup last. Other areas
 * come after these.
 */
const AREAS = [
  "home",
  "dashboard",
  "operations",
  "shop-floor",
  "reports",
  "catalogs",
  "administration",
];
const rankOf = ({ to }: Page): number => {
  const area = AREAS.indexOf(to.split("/")[1] ?? "");
  return area < 0 ? AREAS.length : area;
};

/**
 * Return the pages that the user may open, those that make something new too, and the stations of
 * their processes. Leaves out the sign-in, wall screens and paths with parameters.
 */
export function pagesOf(
  words: PageWords,
  language: Language,
  permissions: readonly Permission[],
  stations: readonly { process: OwnProcess; title: string }[] = [],
): Page[] {
  const routes = ROUTES.filter(
    ({ path, bare, access, title }) =>
      !path.includes(":") &&
      !["/login", "/company"].includes(path) &&
      !bare &&
      holds(permissions, access) &&
      (title !== "newOrder" || permissions.includes("CreateSalesOrder")),
  );
  const pages = [
    ...stations.map(({ process, title }): Page => {
      const to = `/shop-floor/station/${process.productionProcessId}`;
      const called = `${words.es.shell.pages.station} ${words.en.shell.pages.station} ${process.productionProcessName}`;
      return { id: to, kind: "pages", to, title, called: wordsOf(called) };
    }),
    ...routes.map((route): Page => ({
      id: route.path,
      kind: route.title === "newOrder" || route.title === "newBill" ? "makes" : "pages",
      to: route.path,
      title: titleOf(route, words[language]),
      called: [words.es, words.en].flatMap((each) =>
        wordsOf(`${titleOf(route, each)} ${groupOf(route, each)}`),
      ),
    })),
    ...routes.flatMap(({ path, title }): Page[] => {
      if (!isPagedCatalog(title) || !permissions.includes(CATALOGS[title].Create)) return [];
      const called = `${words.es.catalogs[title].add} ${words.en.catalogs[title].add}`;
      const to = `${path}?record=new`;
      const name = words[language].catalogs[title].add;
      return [{ id: to, kind: "makes", to, title: name, called: wordsOf(called) }];
    }),
  ];
  return pages.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** Return the title of a page. The title of an import starts with that of its catalog. */
function titleOf({ path, title }: AppRoute, words: Words): string {
  const name = nameOf(title, words);
  const of = title === "import" && ROUTES.find((each) => path === `${each.path}/import`);
  return of ? `${nameOf(of.title, words)} · ${name}` : name;
}

function nameOf(title: PageTitle, { shell, catalogs, reports }: Words): string {
  if (isPagedCatalog(title)) return catalogs[title].title;
  return isReport(title) ? reports[title].title : shell.pages[title];
}

function groupOf({ menu: group }: AppRoute, { shell }: Words): string {
  return group === undefined ? "" : shell.menu.groups[group];
}

const wordsOf = (text: string) =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * Return at most 8 matching choices: each word of `text` begins one of the choice's words. An empty
 * text returns all choices.
 */
export function calledBy<C extends Called>(text: string, choices: readonly C[]): C[] {
  if (text.trim() === "") return [...choices];
  const words = wordsOf(text);
  const isCalled = ({ called }: C) =>
    words.length > 0 && words.every((word) => called.some((each) => each.startsWith(word)));
  return choices.filter(isCalled).slice(0, SHOWN);
}

/** Return the actions that can be run on the page now, in the order of the locale file. */
export function commandsOf(
  words: PageWords,
  language: Language,
  shortcuts: readonly Shortcut[],
): Called[] {
  const { does: names } = words[language].keyboard;
  const order = Object.keys(names);
  return shortcuts
    .toSorted((one, other) => order.indexOf(one.does) - order.indexOf(other.does))
    .flatMap(({ does, key, from, press }): Called[] => {
      // Leave out actions that need the focus in a certain element, or a message on screen.
      if (press === undefined || from !== undefined || does === "saved") return [];
      const called = `${words.es.keyboard.does[does]} ${words.en.keyboard.does[does]}`;
      return [
        {
          id: `command-${does}`,
          kind: "commands",
          to: press,
          title: names[does],
          called: wordsOf(called),
          ...(key === undefined ? {} : { letter: key }),
        },
      ];
    });
}

/** What the user opened last and may still open. */
export function recentChoices(
  recent: readonly Recent[],
  permissions: readonly Permission[],
  words: { line: (po: string, position: number) => string; kind: (kind: Recent["kind"]) => string },
): Choice[] {
  return recent
    .filter(({ path }) => mayOpen(path.split("?")[0]!, permissions, ROUTES))
    .map(({ kind, path, name, position }) => ({
      id: `recent-${path}`,
      kind: "recent",
      to: path,
      title: position === undefined ? name : words.line(name, position),
      note: words.kind(kind),
    }));
}

/** The form of a work sheet's short code, whether or not the code exists. */
const SHORT_CODE = /^\d+-\d+$/;

/** A word for "line" before a position, attached to it or separate. */
const BEFORE_POSITION = /^(?:l|linea|line)(?=\d*$)/;

/** The words of a text, sorted, without separators. */
const named = (text: string) =>
  wordsOf(text)
    .map((word) => word.replace(BEFORE_POSITION, ""))
    .filter(Boolean)
    .toSorted()
    .join(" ");

/**
 * Whether Enter may open this choice before it is shown. A text in the form of a short code may
 * open only the line that it names.
 */
export const isMeant = (text: string, { named: isNamed }: Choice) =>
  isNamed === true || !SHORT_CODE.test(folded(text).trim());

type Opened = Choice & { to: string };

/** The server's results that the user may open. Lines come before orders if the text names a line. */
export function choicesOf(
  text: string,
  { orders, lines, customers, products }: Found,
  permissions: readonly Permission[],
  words: {
    line: (po: string, position: number) => string;
    shortCode: (code: string) => string;
    standing: (line: StandingLine) => string;
  },
): Choice[] {
  const ofOrders = orders.map(({ id, customerSalesOrderId, customerName, status }): Opened => ({
    id: `order-${id}`,
    kind: "orders",
    to: `/operations/sales-orders/${id}`,
    title: customerSalesOrderId,
    note: customerName,
    status,
  }));
  const typed = named(text);
  const ofLines = lines.map((line): Opened => {
    const { salesOrderId, position, customerSalesOrderId, shortCode } = line;
    const note = [words.standing(line), line.itemName, line.customerName];
    if (shortCode) note.unshift(words.shortCode(shortCode));
    return {
      id: `line-${salesOrderId}-${position}`,
      kind: "lines",
      to: scannedPath(salesOrderId, position),
      title: words.line(customerSalesOrderId, position),
      note: note.join(" · "),
      status: line.status,
      picture: line.thumbnail,
      named: Boolean(shortCode) || named(`${customerSalesOrderId} ${position}`) === typed,
    };
  });
  const choices = [
    ...(ofLines.some((line) => line.named) ? [...ofLines, ...ofOrders] : [...ofOrders, ...ofLines]),
    ...customers.map(({ id, name }): Opened => ({
      id: `customer-${id}`,
      kind: "customers",
      to: `/catalogs/customers?record=${id}`,
      title: name,
    })),
    ...products.map(({ id, key, name, thumbnail }): Opened => ({
      id: `product-${id}`,
      kind: "products",
      to: `/catalogs/products?record=${id}`,
      title: name,
      note: key,
      picture: thumbnail,
    })),
  ];
  return choices.filter(({ to }) => mayOpen(to.split("?")[0]!, permissions, ROUTES));
}
