/** Catalog of production processes, in the order that pieces go through them. */
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProductionProcess, ProductionProcessIn } from "@/contract";
import { NumberField } from "@/shared/form/NumberField";
import { Select } from "@/shared/form/Select";
import { formatMoney } from "@/shared/format/numbers";
import { formatInstant, plantCurrency } from "@/shared/format/plant";
import { taken, type Typed } from "@/shared/format/typedNumber";
import { useAnswer } from "@/shared/http/data";
import { RESOURCES } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { Catalog } from "./catalog";
import { CatalogPage } from "./CatalogPage";
import { PeopleCount, PeopleSelect } from "./form/PeopleSelect";

const ReorderDrawer = lazyPart(() => import("./reorder/ReorderDrawer"));

const ORDER = { least: 1, most: 1_000_000 };
const PATH = RESOURCES["production-processes"];
const WEIGHS = ["no", "optional", "required"] as const;
type Values = Required<Omit<ProductionProcessIn, "order" | "price" | "allowedLoss">> & {
  /** Undefined if nothing was typed. The server then puts a new process last. */
  order: Typed | undefined;
  price: Typed;
  allowedLoss: Typed;
};

export const PROCESSES: Catalog<ProductionProcess, Values, ProductionProcessIn> = {
  resource: "production-processes",
  nameOf: ({ name }) => name,
  columns: ({ number, name, own, status }) => [
    number("order", { sorts: true }),
    name("name"),
    own("userIds", ({ userIds }) => <PeopleCount ids={userIds} />),
    number("price", { sorts: true, currency: ({ currency }) => currency }),
    status(),
  ],
  card: ({ userIds }) => [<PeopleCount key="people" ids={userIds} />],
  sections: [
    {
      fields: [
        { name: "name", kind: "text", required: true },
        { name: "nameEnglish", kind: "text" },
        { name: "order", kind: "choice", Part: OrderField, half: true },
        { name: "price", kind: "price", currency: plantCurrency, half: true },
        {
          name: "userIds",
          kind: "choice",
          Part: PeopleSelect,
          spoken: ({ userIds }) => String(userIds.length),
        },
        { name: "status", kind: "switch" },
      ],
    },
    {
      title: "metal",
      fields: [
        { name: "weighs", kind: "choice", Part: WeighsSelect, half: true },
        {
          name: "allowedLoss",
          kind: "number",
          least: 0,
          most: 1_000,
          decimals: 1,
          optional: true,
          half: true,
        },
        { name: "recovers", kind: "switch" },
        { name: "gains", kind: "switch" },
      ],
    },
  ],
  blank: {
    name: "",
    nameEnglish: "",
    order: undefined,
    status: true,
    price: 0,
    userIds: [],
    weighs: "no",
    allowedLoss: null,
    recovers: false,
    gains: false,
  },
  valuesOf: ({ kind: _k, id: _i, version: _v, currency: _c, ...values }) => values,
  bodyOf: ({ order, ...values }) => ({
    ...values,
    name: values.name.trim(),
    nameEnglish: values.nameEnglish.trim(),
    ...(order === undefined ? {} : { order: taken(order) }),
    price: taken(values.price),
    allowedLoss: values.allowedLoss === null ? null : taken(values.allowedLoss),
  }),
  inactive: { status: false },
  Below: PriceHistory,
};

export default function ProductionProcessPage() {
  const { t } = useTranslation("catalogs");
  const mayUpdate = useMay("UpdateProductionProcess");
  const [ordering, setOrdering] = useState(false);
  return (
    <CatalogPage
      catalog={PROCESSES}
      actions={
        mayUpdate && <Button onClick={() => setOrdering(true)}>{t("reorder.button")}</Button>
      }
    >
      {ordering && <ReorderDrawer onClose={() => setOrdering(false)} />}
    </CatalogPage>
  );
}

interface OrderProps {
  id?: string;
  value?: Typed;
  onChange?: (order: Typed) => void;
  disabled?: boolean;
}

/**
 * Field for the order of a process. While nothing is typed, it shows the order that a new process
 * gets.
 */
function OrderField({ value, ...rest }: OrderProps) {
  const isNew = value === undefined;
  const { data } = useAnswer<typeof PATH, ProductionProcess[]>(
    PATH,
    isNew ? { query: { ordering: "-order", limit: 1 } } : null,
    { quiet: true },
  );
  const next = data && Math.min(ORDER.most, (data[0]?.order ?? 0) + 1);
  return (
    <NumberField
      {...rest}
      rule={isNew ? { ...ORDER, optional: true } : ORDER}
      value={isNew ? (next ?? null) : value}
    />
  );
}

interface WeighsProps {
  id?: string;
  value?: Values["weighs"];
  onChange?: (weighs: Values["weighs"]) => void;
  disabled?: boolean;
}

/** Whether pieces enter and leave the process with their weight. */
function WeighsSelect(props: WeighsProps) {
  const { t } = useTranslation("catalogs");
  return (
    <Select
      {...props}
      options={WEIGHS.map((weighs) => ({ value: weighs, label: t(`weighs.${weighs}`) }))}
    />
  );
}

const SHOWN = 12;

/**
 * The piece prices of a process, newest first. Pieces are paid at the price of the day they left.
 */
function PriceHistory({ record }: { record: ProductionProcess }) {
  const { t } = useTranslation("catalogs");
  const language = useLanguage();
  const { data = [] } = useAnswer(
    "/api/production-processes/{entry_id}/prices",
    { path: { entry_id: record.id }, query: { limit: SHOWN } },
    { quiet: true },
  );
  if (data.length === 0) return null;
  return (
    <section className="ob-prices" aria-labelledby="prices">
      <h3 id="prices">{t("prices.title")}</h3>
      <ol>
        {data.map(({ id, price, currency, since, username }) => (
          <li key={id}>
            <strong>{formatMoney(price, currency, language)}</strong>
            <span className="ob-quiet">
              {t("prices.since", { when: formatInstant(since) })}
              {username !== null && ` · ${username}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
