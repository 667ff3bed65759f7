/** Show the fields and values of the audit as text: names for ids, formatted days and amounts. */
import { useTranslation } from "react-i18next";
import { CATALOGS, type AuditEntry } from "@/contract";
import { namesOf, useWholeOptions } from "@/shared/form/OptionsSelect";
import { formatMoney, formatNumber } from "@/shared/format/numbers";
import { formatInstant, plantCurrency } from "@/shared/format/plant";
import { useLanguage } from "@/shared/i18n";
import { isNothing } from "./changes";

/** Records with all amounts in the plant's currency. */
const IN_PLANT_CURRENCY = ["production-processes", "process-item-prices", "payment"];
const MONEY = ["price", "sellPrice", "subtotal", "tax", "total", "amount", "shippingPrice"];
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

export interface Reading {
  entity: (entity: string) => string;
  action: (action: string) => string;
  field: (path: readonly string[]) => string;
  value: (path: readonly string[], value: unknown, currency: string) => string;
}

/** The currency of the amounts in an entry; "" if the entry does not say. */
export function currencyOf({ entity, changes }: AuditEntry, when: "before" | "after"): string {
  if (IN_PLANT_CURRENCY.includes(entity)) return plantCurrency();
  const said = changes["currency"]?.[when];
  return typeof said === "string" ? said : "";
}

export function useReading(): Reading {
  const { t, i18n } = useTranslation(["audit", "orders", "forms", "shared"]);
  const language = useLanguage();
  const people = useWholeOptions("users");
  const processes = useWholeOptions("production-processes");
  const alloys = useWholeOptions("alloys");
  const options = {
    companyId: useWholeOptions("companies"),
    customerId: useWholeOptions("customers"),
    itemId: useWholeOptions("items"),
    productionProcessIds: processes,
    processId: processes,
    roleIds: useWholeOptions("roles"),
    userIds: people,
    payeeId: people,
    createdById: people,
    billedById: people,
    canceledById: people,
    closedById: people,
    byId: people,
    personId: people,
    returnedById: people,
    alloyId: alloys,
    addedAlloyId: alloys,
    returnedAlloyId: alloys,
  };

  /**
   * Translate a name. Names that the dictionary does not know, from a newer server, are returned
   * verbatim.
   */
  function word(kind: "entity" | "action" | "field", name: string): string {
    const own =
      kind === "entity" && name in CATALOGS ? `catalogs:${name}.one` : `audit:${kind}.${name}`;
    // A line's fields have their words in the forms.
    const keys = kind === "field" ? [own, `orders:field.${name}`] : [own];
    const key = keys.find((known) => i18n.exists(known));
    return key === undefined ? name : i18n.t(key as "audit:title");
  }

  function one(field: string, value: unknown, currency: string): string {
    if (isNothing(value)) return t("forms:none");
    if (typeof value === "boolean") return t(value ? "forms:yes" : "forms:no");
    if (typeof value === "number") {
      if (MONEY.includes(field)) return formatMoney(value, currency, language);
      const known = options[field as keyof typeof options];
      return known === undefined ? formatNumber(value, language) : namesOf(known, [value]);
    }
    if (Array.isArray(value)) return value.map((each) => one(field, each, currency)).join("; ");
    if (typeof value === "object" && value !== null) {
      return Object.entries(value)
        .filter(([, part]) => !isNothing(part))
        .map(([name, part]) => `${word("field", name)}: ${one(name, part, currency)}`)
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
    value: (path, value, currency) => one(path.at(-1) ?? "", value, currency),
  };
}
