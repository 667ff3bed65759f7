/** Catalog of products, with their components. */
import type { Item, ItemIn } from "@/contract";
import { OptionsSelect } from "@/shared/form/OptionsSelect";
import { TermSelect } from "@/shared/form/TermSelect";
import { plantCurrency } from "@/shared/format/plant";
import { taken, type Typed } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import type { Catalog } from "./catalog";
import { CatalogPage } from "./CatalogPage";
import { ComponentRows, type ComponentRow } from "./form/ComponentRows";
import { EntrySelect } from "./form/EntrySelect";
import { componentsText } from "./form/labels";
import { BLANK_PRODUCT_EXPORT, PRODUCT_EXPORT, type ProductExport } from "./form/origin";
import { TariffSelect } from "./form/TariffSelect";

interface Values extends ProductExport {
  key: string;
  taxItemKey: string;
  satUnitMeasurement: string;
  name: string;
  descriptionSpanish: string;
  descriptionEnglish: string;
  taxAmount: Typed;
  sellPrice: Typed;
  currency: string;
  priority: Typed;
  antique: boolean;
  measures: string;
  origin: string;
  alloyId: number | null;
  netGrams: Typed;
  otherGrams: Typed;
  components: ComponentRow[];
  processIds: number[];
  status: boolean;
}

const Currency = (props: object) => <TermSelect {...props} terms="currencies" withCode />;
const Country = (props: object) => <TermSelect {...props} terms="countries" withCode />;
const AlloySelect = (props: object) => <EntrySelect {...props} catalog="alloys" />;
const WaySelect = (props: object) => (
  <OptionsSelect {...props} catalog="production-processes" numbered />
);
const GRAMS = { most: 1_000_000, decimals: 3, optional: true };
const SatUnit = (props: object) => <TermSelect {...props} terms="satUnits" withCode />;

/** The description in the user's language, or the other one if that is empty. */
function Description({ item }: { item: Item }) {
  const spanish = useLanguage() === "es";
  const { descriptionSpanish, descriptionEnglish } = item;
  return (
    <span className="ob-two-rows ob-catalog__text">
      {spanish
        ? descriptionSpanish || descriptionEnglish
        : descriptionEnglish || descriptionSpanish}
    </span>
  );
}

export const PRODUCTS: Catalog<Item, Values, ItemIn> = {
  resource: "items",
  nameOf: ({ key, name }) => `${key} · ${name}`,
  columns: ({ picture, name, text, own, number, status }) => [
    picture(),
    name("key"),
    text("name", { sorts: true }),
    own("description", (item) => <Description item={item} />),
    text("taxItemKey"),
    number("sellPrice", { sorts: true, currency: ({ currency }) => currency }),
    number("priority", { sorts: true }),
    status(),
  ],
  card: ({ measures, taxItemKey }) => [measures, taxItemKey],
  sections: [
    {
      fields: [
        { name: "key", kind: "text", required: true, half: true },
        { name: "name", kind: "text", required: true, half: true },
        { name: "descriptionSpanish", kind: "long" },
        { name: "descriptionEnglish", kind: "long" },
        { name: "sellPrice", kind: "price", currency: ({ currency }) => currency, half: true },
        { name: "currency", kind: "choice", Part: Currency, required: true, half: true },
        { name: "taxAmount", kind: "number", least: 0, most: 100, decimals: 4, half: true },
        { name: "priority", kind: "number", least: 0, most: 9, half: true },
        { name: "measures", kind: "text", half: true },
        { name: "processIds", kind: "choice", Part: WaySelect },
        { name: "antique", kind: "switch", half: true },
        { name: "status", kind: "switch", half: true },
      ],
    },
    {
      title: "exportAndTax",
      folded: true,
      fields: [
        { name: "taxItemKey", kind: "choice", Part: TariffSelect, half: true },
        { name: "satUnitMeasurement", kind: "choice", Part: SatUnit, half: true },
        { name: "origin", kind: "choice", Part: Country, required: true, half: true },
        ...PRODUCT_EXPORT,
      ],
    },
    {
      title: "metal",
      folded: true,
      fields: [
        { name: "alloyId", kind: "choice", Part: AlloySelect, half: true },
        { name: "netGrams", kind: "number", least: 0.001, ...GRAMS, half: true },
        { name: "otherGrams", kind: "number", least: 0, ...GRAMS, half: true },
      ],
    },
    {
      title: "components",
      fields: [
        {
          name: "components",
          kind: "part",
          Part: ComponentRows,
          spoken: ({ components }) => componentsText(components),
        },
      ],
    },
  ],
  blank: {
    key: "",
    taxItemKey: "",
    satUnitMeasurement: "",
    name: "",
    descriptionSpanish: "",
    descriptionEnglish: "",
    taxAmount: 0,
    sellPrice: 0,
    get currency() {
      return plantCurrency();
    },
    priority: 0,
    antique: false,
    measures: "",
    origin: "MX",
    alloyId: null,
    netGrams: null,
    otherGrams: null,
    components: [],
    processIds: [],
    status: true,
    ...BLANK_PRODUCT_EXPORT,
  },
  valuesOf: ({
    id: _i,
    version: _v,
    image: _p,
    thumbnail: _t,
    nameImage: _n,
    alloyName: _a,
    ...values
  }) => ({
    ...values,
    originCriterion: values.originCriterion as ProductExport["originCriterion"],
    components: values.components.map((row) => ({
      componentId: row.componentId,
      componentName: row.componentName,
      materialId: row.materialId,
      materialName: row.materialName ?? "",
      notes: row.notes,
    })),
  }),
  bodyOf: (values) => ({
    ...values,
    key: values.key.trim(),
    name: values.name.trim(),
    taxAmount: taken(values.taxAmount),
    sellPrice: taken(values.sellPrice),
    priority: taken(values.priority),
    netGrams: values.netGrams === null ? null : taken(values.netGrams),
    otherGrams: values.otherGrams === null ? null : taken(values.otherGrams),
    // Never null here: the form requires a component.
    components: values.components.map(({ componentId, materialId, notes }) => ({
      componentId: componentId ?? 0,
      materialId,
      notes: notes.trim(),
    })),
  }),
  inactive: { status: false },
  pictured: true,
  width: 680,
};

export default function ProductsPage() {
  return <CatalogPage catalog={PRODUCTS} />;
}
