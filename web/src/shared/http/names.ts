/**
 * English names of products, processes, components and materials. Answers carry the Spanish name and, beside it, the
 * English one; documents of lines name processes by id. The one place that chooses: every answer on screen passes here.
 */
import { external } from "@/shared/external";
import i18next from "i18next";
import { useLanguage } from "@/shared/language";

/** The English names of the plant's processes by id, and the answers that were translated with them. */
interface English {
  processes: ReadonlyMap<number, string>;
  done: WeakMap<object, object>;
}

const english = external<English>({ processes: new Map(), done: new WeakMap() });

/** Set the English names of processes. Those without one keep their name. */
export function nameInEnglish(processes: ReadonlyMap<number, string>): void {
  english.set({ processes, done: new WeakMap() });
}

/** Return an answer with the names in the user's language. It stays the same object while nothing changes. */
export function useNamed<T>(answer: T): T {
  const names = english.use();
  return useLanguage() === "en" ? named(answer, names) : answer;
}

/** Return an answer that no hook loads, with the names in the user's present language. */
export const inTheirLanguage = <T>(answer: T): T =>
  i18next.language === "en" ? named(answer, english.get()) : answer;

/** Texts that have an English one beside them in every answer that a screen only shows. */
const PAIRED = ["itemName", "componentName", "materialName", "materialDescription"] as const;

type Paired = (typeof PAIRED)[number];

interface Names extends Partial<Record<Paired | `${Paired}English`, unknown>> {
  key?: unknown;
  name?: unknown;
  nameEnglish?: unknown;
  productionProcessId?: unknown;
  productionProcessName?: unknown;
  productionProcessNameEnglish?: unknown;
}

function named<T>(value: T, names: English): T {
  if (typeof value !== "object" || value === null) return value;
  const before = names.done.get(value);
  if (before !== undefined) return before as T;
  const parts = Object.entries(value).map(([key, part]) => [key, named(part, names)] as const);
  const chosen = { ...Object.fromEntries(parts), ...namesOf(value, names) } as Record<
    string,
    unknown
  >;
  const isSame = Object.entries(value).every(([key, part]) => chosen[key] === part);
  const now = isSame ? value : Array.isArray(value) ? parts.map(([, part]) => part) : chosen;
  names.done.set(value, now);
  return now as T;
}

/** The names of one object that differ in English. */
function namesOf(value: Names, { processes }: English): Names {
  // A product to choose or to price. A process has no key, so that its form shows both of its names.
  const product = value.key !== undefined && value.name !== undefined && value.nameEnglish;
  const process =
    value.productionProcessNameEnglish || processes.get(value.productionProcessId as number);
  return {
    ...(product ? { name: product } : {}),
    ...Object.fromEntries(
      PAIRED.flatMap((name) => {
        const inEnglish = value[`${name}English`];
        return inEnglish ? [[name, inEnglish]] : [];
      }),
    ),
    ...(process && value.productionProcessName ? { productionProcessName: process } : {}),
  };
}
