/** Catalog of alloys: the metals of the workshop, each with its fineness. */
import type { Alloy, AlloyIn } from "@/contract";
import { FinenessField } from "@/shared/form/FinenessField";
import { taken, type Typed } from "@/shared/format/typedNumber";
import type { Catalog } from "./catalog";
import { CatalogPage } from "./CatalogPage";
import { EntrySelect } from "./form/EntrySelect";

interface Values {
  name: string;
  fineness: Typed;
  materialId: number | null;
  waxRatio: Typed;
  status: boolean;
}

const MaterialSelect = (props: object) => <EntrySelect {...props} catalog="materials" />;

const ALLOYS: Catalog<Alloy, Values, AlloyIn> = {
  resource: "alloys",
  nameOf: ({ name }) => name,
  columns: ({ name, number, status }) => [name("name"), number("fineness"), status()],
  card: ({ fineness }) => [`${fineness} ‰`],
  sections: [
    {
      fields: [
        { name: "name", kind: "text", required: true },
        { name: "fineness", kind: "choice", Part: FinenessField, half: true },
        {
          name: "waxRatio",
          kind: "number",
          least: 0.001,
          most: 100,
          decimals: 3,
          optional: true,
          half: true,
        },
        { name: "materialId", kind: "choice", Part: MaterialSelect },
        { name: "status", kind: "switch" },
      ],
    },
  ],
  blank: { name: "", fineness: null, materialId: null, waxRatio: null, status: true },
  valuesOf: ({ name, fineness, materialId, waxRatio, status }) => ({
    name,
    fineness,
    materialId,
    waxRatio,
    status,
  }),
  bodyOf: ({ fineness, waxRatio, ...values }) => ({
    ...values,
    name: values.name.trim(),
    fineness: taken(fineness),
    waxRatio: waxRatio === null ? null : taken(waxRatio),
  }),
  inactive: { status: false },
};

export default function AlloysPage() {
  return <CatalogPage catalog={ALLOYS} />;
}
