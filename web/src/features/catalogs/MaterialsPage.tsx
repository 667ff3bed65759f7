/** Catalog of materials: what components are made of. */
import type { Material, MaterialIn } from "@/contract";
import type { Catalog } from "./catalog";
import { CatalogPage } from "./CatalogPage";

type Values = Required<MaterialIn>;

const MATERIALS: Catalog<Material, Values, MaterialIn> = {
  resource: "materials",
  nameOf: ({ name }) => name,
  columns: ({ name, text, status }) => [name("name"), text("description"), status()],
  card: ({ description }) => [description],
  sections: [
    {
      fields: [
        { name: "name", kind: "text", required: true },
        { name: "nameEnglish", kind: "text" },
        { name: "description", kind: "long" },
        { name: "descriptionEnglish", kind: "long" },
        { name: "status", kind: "switch" },
      ],
    },
  ],
  blank: { name: "", nameEnglish: "", description: "", descriptionEnglish: "", status: true },
  valuesOf: ({ id: _i, version: _v, ...values }) => values,
  bodyOf: (values) => ({
    ...values,
    name: values.name.trim(),
    nameEnglish: values.nameEnglish.trim(),
  }),
  inactive: { status: false },
};

export default function MaterialsPage() {
  return <CatalogPage catalog={MATERIALS} />;
}
