/** Catalog of export tax items: the tariff that products are declared under. */
import type { ExportTaxItem, ExportTaxItemIn } from "@/contract";
import type { Catalog } from "./catalog";
import { CatalogPage } from "./CatalogPage";

type Values = Required<ExportTaxItemIn>;

const EXPORT_TAX_ITEMS: Catalog<ExportTaxItem, Values, ExportTaxItemIn> = {
  resource: "export-tax-items",
  nameOf: ({ code }) => code,
  columns: ({ name, text }) => [
    name("code"),
    text("spanishDescription"),
    text("englishDescription"),
    text("spanishMetalName"),
    text("englishMetalName"),
  ],
  card: ({ spanishDescription, spanishMetalName }) => [spanishDescription, spanishMetalName],
  sections: [
    {
      fields: [
        {
          name: "code",
          kind: "text",
          required: true,
          pattern: /^\d{8,10}$/,
          most: 10,
          digits: true,
        },
        { name: "spanishDescription", kind: "long" },
        { name: "englishDescription", kind: "long" },
        { name: "spanishMetalName", kind: "text", half: true },
        { name: "englishMetalName", kind: "text", half: true },
      ],
    },
  ],
  blank: {
    code: "",
    spanishDescription: "",
    englishDescription: "",
    spanishMetalName: "",
    englishMetalName: "",
  },
  valuesOf: ({ id: _id, version: _version, ...values }) => values,
  bodyOf: (values) => ({ ...values, code: values.code.trim() }),
};

export default function ExportTaxItemsPage() {
  return <CatalogPage catalog={EXPORT_TAX_ITEMS} />;
}
