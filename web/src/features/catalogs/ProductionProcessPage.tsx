/** Production processes, in the order that pieces go through them. */
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProductionProcess, ProductionProcessIn } from "@/contract";
import { formatMoney } from "@/shared/format/numbers";
import { formatInstant, plantCurrency } from "@/shared/format/plant";
import { taken, type Typed } from "@/shared/format/typedNumber";
import { useAnswer } from "@/shared/http/data";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { Catalog } from "./catalog";
import { CatalogPage } from "./CatalogPage";
import { PeopleCount, PeopleSelect } from "./form/PeopleSelect";

const ReorderDrawer = lazyPart(() => import("./reorder/ReorderDrawer"));

const MOST_ORDER = 1_000_000;
type Values = Required<Omit<ProductionProcessIn, "order" | "price">> & {
  order: Typed;
  price: Typed;
};

const PROCESSES: Catalog<ProductionProcess, Values, ProductionProcessIn> = {
  resource: "production-processes",
  permission: "ProductionProcess",
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
        { name: "order", kind: "number", least: 1, most: MOST_ORDER, half: true },
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
  ],
  blank: { name: "", order: 1, status: true, price: 0, userIds: [] },
  valuesOf: ({ name, order, status, price, userIds }) => ({ name, order, status, price, userIds }),
  bodyOf: (values) => ({
    ...values,
    name: values.name.trim(),
    order: taken(values.order),
    price: taken(values.price),
  }),
  inactive: { status: false },
  importable: true,
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

const SHOWN = 12;

/** The piece prices that a process has had, the present one first: what left is paid at that of its day. */
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
