/** The counts of the vault: who counted, what differed, and the slip. See infra/docs/rules.md#metal-counts. */
import { useTranslation } from "react-i18next";
import { MetalTabs } from "@/entities/metal/MetalTabs";
import type { RecordList } from "@/shared/list/list";
import { RecordListPage } from "@/shared/list/RecordListPage";
import { Grams } from "@/shared/ui/Facts";
import { lazyPart } from "@/shared/ui/lazyPart";
import { differenceName, SlipButton } from "./ClosedDays";
import { COUNTS, fetchCountSlip, type VaultCount } from "./metal.api";
import "./metal.css";

const CountDrawer = lazyPart(() => import("./CountDrawer"));

const LIST: RecordList<VaultCount> = {
  path: COUNTS,
  title: "metal:counts.title",
  search: "metal:field.notes",
  empty: "metal:counts.empty",
  emptyHint: "metal:counts.emptyHint",
  drawing: "scale",
  columns: ({ instant, text, own }) => [
    instant("at", "metal:column.at"),
    text("countedBy", "metal:field.countedById"),
    text("witness", "metal:field.witnessId"),
    own("difference", "metal:day.difference", (count) => <Differences count={count} />),
    own("slip", "metal:day.slipHead", ({ id }) => <SlipButton load={() => fetchCountSlip(id)} />),
  ],
  add: {
    label: "metal:counts.open",
    permission: "ManageMetal",
    drawer: (close) => <CountDrawer onClose={close} />,
  },
  Actions: MetalTabs,
};

export default function CountsPage() {
  return <RecordListPage list={LIST} />;
}

/** What is missing or too much of each alloy, and why. */
function Differences({ count: { alloys } }: { count: VaultCount }) {
  const { t } = useTranslation("metal");
  return (
    <ul>
      {alloys.map(({ alloyId, alloyName, differenceGrams, reason }) => (
        <li key={alloyId} className="ob-words">
          <span>{alloyName}</span>
          <strong>{t(differenceName(differenceGrams))}</strong>
          {differenceGrams !== 0 && <Grams grams={Math.abs(differenceGrams)} />}
          {reason !== "" && <span className="ob-quiet ob-breaks">{reason}</span>}
        </li>
      ))}
    </ul>
  );
}
