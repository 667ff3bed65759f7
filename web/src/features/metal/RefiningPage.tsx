/**
 * Dust and scrap sent to the refinery: what was sent, what came back, and the difference to the
 * books.
 */
import { useTranslation } from "react-i18next";
import { MetalTabs } from "@/entities/metal/MetalTabs";
import { formatDay } from "@/shared/format/plant";
import type { RecordList } from "@/shared/list/list";
import { RecordListPage } from "@/shared/list/RecordListPage";
import { Chip } from "@/shared/ui/Chip";
import { Grams } from "@/shared/ui/Facts";
import { lazyPart } from "@/shared/ui/lazyPart";
import { RecordLink } from "@/shared/ui/RecordLink";
import { REFININGS, type Refining } from "./metal.api";
import { RefiningDrawer } from "./RefiningDrawer";
import "./metal.css";

const RefineDrawer = lazyPart(() => import("./RefineDrawer"));

const LIST: RecordList<Refining, "pending"> = {
  path: REFININGS,
  title: "metal:refining.title",
  search: "metal:search.refinings",
  empty: "metal:refining.empty",
  emptyHint: "metal:refining.emptyHint",
  drawing: "crucible",
  columns: ({ link, text, grams, own }) => [
    link("sentAt", "metal:column.sent", ({ sentAt }) => formatDay(sentAt), { width: 120 }),
    text("partner", "metal:column.refinery"),
    text("alloyName", "metal:column.alloy"),
    grams("sentGrams", "metal:column.sentGrams"),
    grams("expectedFineGrams", "metal:column.expectedFine"),
    grams("returnedFineGrams", "metal:column.returnedFine"),
    grams("differenceFineGrams", "metal:column.missingFine"),
    own("state", "metal:column.state", (refining) => <RefiningState refining={refining} />),
  ],
  card: (refining) => (
    <RecordLink id={refining.id} className="ob-stack ob-stack--tight ob-card">
      <span className="ob-words ob-apart">
        <strong>{refining.partner}</strong>
        <RefiningState refining={refining} />
      </span>
      <span className="ob-words ob-apart">
        <span className="ob-quiet">
          {formatDay(refining.sentAt)} · {refining.alloyName}
        </span>
        <Grams grams={refining.sentGrams} />
      </span>
    </RecordLink>
  ),
  filterNames: ["pending"],
  filters: [
    {
      choice: "pending",
      values: [
        ["true", "metal:refining.pending"],
        ["false", "metal:refining.returned"],
      ],
      label: "metal:column.state",
    },
  ],
  add: {
    label: "metal:refining.send",
    permission: "ManageMetal",
    drawer: (close) => <RefineDrawer onClose={close} />,
  },
  record: {
    path: `${REFININGS}/{refining_id}`,
    id: "refining_id",
    drawer: (refining, close) => <RefiningDrawer refining={refining} onClose={close} />,
  },
  Actions: MetalTabs,
};

export default function RefiningPage() {
  return <RecordListPage list={LIST} />;
}

function RefiningState({ refining: { returnedAt } }: { refining: Refining }) {
  const { t } = useTranslation("metal");
  return (
    <Chip tone={returnedAt === null ? "warning" : "good"}>
      {t(returnedAt === null ? "refining.pending" : "refining.returned")}
    </Chip>
  );
}
