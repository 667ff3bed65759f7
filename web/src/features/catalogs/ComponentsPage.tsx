/** Catalog of components: the parts of products. */
import type { Component, ComponentIn } from "@/contract";
import type { Catalog } from "./catalog";
import { CatalogPage } from "./CatalogPage";

type Values = Required<ComponentIn>;

const COMPONENTS: Catalog<Component, Values, ComponentIn> = {
  resource: "components",
  nameOf: ({ name }) => name,
  columns: ({ name, status }) => [name("name"), status()],
  card: () => [],
  sections: [
    {
      fields: [
        { name: "name", kind: "text", required: true },
        { name: "nameEnglish", kind: "text" },
        { name: "status", kind: "switch" },
      ],
    },
  ],
  blank: { name: "", nameEnglish: "", status: true },
  valuesOf: ({ name, nameEnglish, status }) => ({ name, nameEnglish, status }),
  bodyOf: ({ name, nameEnglish, status }) => ({
    name: name.trim(),
    nameEnglish: nameEnglish.trim(),
    status,
  }),
  inactive: { status: false },
};

export default function ComponentsPage() {
  return <CatalogPage catalog={COMPONENTS} />;
}
