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
        { name: "description", kind: "long" },
        { name: "status", kind: "switch" },
      ],
    },
  ],
  blank: { name: "", description: "", status: true },
  valuesOf: ({ name, description, status }) => ({ name, description, status }),
  bodyOf: (values) => ({ ...values, name: values.name.trim() }),
  inactive: { status: false },
};

export default function MaterialsPage() {
  return <CatalogPage catalog={MATERIALS} />;
}
