/** Catalog of trays and bags in which pieces are weighed. */
import type { Tray, TrayIn } from "@/contract";
import { taken, type Typed } from "@/shared/format/typedNumber";
import { Grams } from "@/shared/ui/Facts";
import { MOST_GRAMS } from "@/entities/weight/readings";
import { MetalTabs } from "@/entities/metal/MetalTabs";
import type { Catalog } from "./catalog";
import { CatalogPage } from "./CatalogPage";

interface Values {
  code: string;
  grams: Typed;
  status: boolean;
}

const TRAYS: Catalog<Tray, Values, TrayIn> = {
  resource: "metal/trays",
  nameOf: ({ code }) => code,
  columns: ({ name, own, status }) => [
    name("code"),
    own("grams", ({ grams }) => <Grams grams={grams} />),
    status(),
  ],
  card: ({ grams }) => [<Grams key="grams" grams={grams} />],
  sections: [
    {
      fields: [
        { name: "code", kind: "text", required: true, most: 40 },
        { name: "grams", kind: "number", least: 0.001, most: MOST_GRAMS, decimals: 3 },
        { name: "status", kind: "switch" },
      ],
    },
  ],
  blank: { code: "", grams: null, status: true },
  valuesOf: ({ code, grams, status }) => ({ code, grams, status }),
  bodyOf: ({ code, grams, status }) => ({ code: code.trim(), grams: taken(grams), status }),
  inactive: { status: false },
};

export default function TraysPage() {
  return <CatalogPage catalog={TRAYS} actions={<MetalTabs />} />;
}
