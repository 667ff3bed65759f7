/**
 * Catalogs of the short lists, which the forms of customers and releases offer. Entries have a name
 * in both languages.
 */
import Segmented from "antd/es/segmented";
import { useTranslation } from "react-i18next";
import type { ShortListIn, ShortListRow } from "@/contract";
import { useAddress } from "@/shared/hooks/useAddress";
import { SHORT_LISTS } from "@/shared/http/keys";
import { ActiveChip } from "@/shared/ui/Chip";
import type { Catalog } from "./catalog";
import { CatalogPage } from "./CatalogPage";

/** Only a reason to scrap pieces says whether the lost work is paid. */
type Row = ShortListRow & { payable?: boolean };
type Body = ShortListIn & { payable?: boolean };
type Values = Required<Body>;
type ShortList = Catalog<Row, Values, Body>;

const MOST_KEY = 40;
/** Address parameters of one list, removed when another list is shown. */
const OF_ONE_LIST = ["search", "ordering", "show", "status", "record"];

const ROWS: Omit<ShortList, "resource"> = {
  nameOf: ({ name }) => name,
  columns: ({ name, text, own }) => [
    name("nameSpanish"),
    text("nameEnglish", { sorts: true }),
    text("key", { sorts: true }),
    own("active", ({ active }) => <ActiveChip active={active} />, { sorts: true }),
  ],
  card: ({ key, nameSpanish, nameEnglish }) => [`${nameSpanish} · ${nameEnglish}`, key],
  sections: [
    {
      fields: [
        {
          name: "key",
          kind: "text",
          required: true,
          most: MOST_KEY,
          pattern: /^[\p{L}\p{N}_.-]+$/u,
        },
        { name: "nameSpanish", kind: "text", required: true },
        { name: "nameEnglish", kind: "text", required: true },
        { name: "active", kind: "switch" },
      ],
    },
  ],
  blank: { key: "", nameSpanish: "", nameEnglish: "", active: true, payable: false },
  valuesOf: ({ key, nameSpanish, nameEnglish, active, payable = false }) => ({
    key,
    nameSpanish,
    nameEnglish,
    active,
    payable,
  }),
  bodyOf: ({ key, nameSpanish, nameEnglish, active }) => ({
    key: key.trim(),
    nameSpanish: nameSpanish.trim(),
    nameEnglish: nameEnglish.trim(),
    active,
  }),
  inactive: { active: false },
};

const SCRAP_REASONS: typeof ROWS = {
  ...ROWS,
  sections: [...ROWS.sections, { fields: [{ name: "payable", kind: "switch" }] }],
  bodyOf: (values) => ({ ...ROWS.bodyOf(values), payable: values.payable }),
};

const LISTS = SHORT_LISTS.map((resource): ShortList => ({
  ...(resource === "scrap-reasons" ? SCRAP_REASONS : ROWS),
  resource,
}));

export default function ShortListsPage() {
  const { t } = useTranslation("catalogs");
  const [params, change] = useAddress();
  const shown = LISTS.find(({ resource }) => resource === params.get("list")) ?? LISTS[0]!;
  return (
    <CatalogPage
      key={shown.resource}
      catalog={shown}
      above={
        <Segmented
          aria-label={t("lists")}
          value={shown.resource}
          options={SHORT_LISTS.map((list) => ({ value: list, label: t(`${list}.title`) }))}
          onChange={(list) =>
            change((next) => {
              for (const name of OF_ONE_LIST) next.delete(name);
              next.set("list", list);
            })
          }
        />
      }
    />
  );
}
