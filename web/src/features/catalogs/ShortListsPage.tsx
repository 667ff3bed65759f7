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

type Values = Required<ShortListIn>;
type ShortList = Catalog<ShortListRow, Values, ShortListIn>;

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
  blank: { key: "", nameSpanish: "", nameEnglish: "", active: true },
  valuesOf: ({ key, nameSpanish, nameEnglish, active }) => ({
    key,
    nameSpanish,
    nameEnglish,
    active,
  }),
  bodyOf: ({ key, nameSpanish, nameEnglish, active }) => ({
    key: key.trim(),
    nameSpanish: nameSpanish.trim(),
    nameEnglish: nameEnglish.trim(),
    active,
  }),
  inactive: { active: false },
};

const LISTS = SHORT_LISTS.map((resource): ShortList => ({ ...ROWS, resource }));

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
