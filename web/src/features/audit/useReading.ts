/** Fields and values of the audit in the person's words: names for ids, days, amounts, yes and no. */
import { useTranslation } from "react-i18next";
import { namesOf, useWholeOptions } from "@/shared/form/OptionsSelect";
import { formatInstant } from "@/shared/format/plantClock";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { isNothing } from "./changes";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

export interface Reading {
  entity: (entity: string) => string;
  action: (action: string) => string;
  field: (path: readonly string[]) => string;
  value: (path: readonly string[], value: unknown) => string;
}

export function useReading(): Reading {
  const { t, i18n } = useTranslation(["audit", "forms", "shared"]);
  const language = useLanguage();
  const people = useWholeOptions("users");
  const options = {
    companyId: useWholeOptions("companies"),
    customerId: useWholeOptions("customers"),
    itemId: useWholeOptions("items"),
    productionProcessIds: useWholeOptions("production-processes"),
    roleIds: useWholeOptions("roles"),
    userIds: people,
    payeeId: people,
    createdById: people,
    billedById: people,
    canceledById: people,
  };

  /** A word of the dictionary, or the name itself where the server is newer than it. */
  function word(kind: "entity" | "action" | "field", name: string): string {
    const key = `audit:${kind}.${name}`;
    return i18n.exists(key) ? i18n.t(key as "audit:title") : name;
  }

  function one(field: string, value: unknown): string {
    if (isNothing(value)) return t("forms:none");
    if (typeof value === "boolean") return t(value ? "forms:yes" : "forms:no");
    if (typeof value === "number") {
      const known = options[field as keyof typeof options];
      return known === undefined ? formatNumber(value, language) : namesOf(known, [value]);
    }
    if (Array.isArray(value)) return value.map((each) => one(field, each)).join("; ");
    if (typeof value === "object" && value !== null) {
      return Object.entries(value)
        .filter(([, part]) => !isNothing(part))
        .map(([name, part]) => `${word("field", name)}: ${one(name, part)}`)
        .join(", ");
    }
    const text = String(value);
    if (INSTANT.test(text)) return formatInstant(text);
    const status = `shared:status.${text}`;
    return field === "status" && i18n.exists(status) ? i18n.t(status as "shared:status.New") : text;
  }

  return {
    entity: (entity) => word("entity", entity),
    action: (action) => word("action", action),
    field: (path) => path.map((name) => word("field", name)).join(" · "),
    value: (path, value) => one(path.at(-1) ?? "", value),
  };
}
