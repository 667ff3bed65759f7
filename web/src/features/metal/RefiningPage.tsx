/**
 * Dust and scrap sent to the refinery: what was sent, what came back, and the difference to the
 * books.
 */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatDay } from "@/shared/format/plant";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useMay } from "@/shared/session/session";
import { Chip } from "@/shared/ui/Chip";
import type { Columns } from "@/shared/ui/DataTable";
import { Grams } from "@/shared/ui/Facts";
import { ChoiceFilter } from "@/shared/form/filters";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { RecordLink } from "@/shared/ui/RecordLink";
import { RecordGone } from "@/shared/ui/states";
import { useRefining, useRefinings, type Refining } from "./metal.api";
import { MetalTabs } from "@/entities/metal/MetalTabs";
import { RefiningDrawer } from "./RefiningDrawer";
import "./metal.css";

const RefineDrawer = lazyPart(() => import("./RefineDrawer"));

export default function RefiningPage() {
  const { t } = useTranslation("metal");
  const query = useTableQuery(["pending"]);
  const list = useRefinings(query);
  const mayManage = useMay("ManageMetal");
  const { opened, open, close } = useOpenRecord();
  const one = useRefining(typeof opened === "number" ? opened : null);
  const columns = useMemo<Columns<Refining>>(
    () => [
      {
        key: "sentAt",
        title: t("column.sent"),
        width: 120,
        render: (_, { id, sentAt }) => <RecordLink id={id}>{formatDay(sentAt)}</RecordLink>,
      },
      { key: "partner", title: t("column.refinery"), dataIndex: "partner" },
      { key: "alloy", title: t("column.alloy"), dataIndex: "alloyName" },
      {
        key: "sentGrams",
        title: t("column.sentGrams"),
        align: "right",
        render: (_, { sentGrams }) => <Grams grams={sentGrams} />,
      },
      {
        key: "expected",
        title: t("column.expectedFine"),
        align: "right",
        render: (_, { expectedFineGrams }) => <Grams grams={expectedFineGrams} />,
      },
      {
        key: "returned",
        title: t("column.returnedFine"),
        align: "right",
        render: (_, { returnedFineGrams }) => <Grams grams={returnedFineGrams} />,
      },
      {
        key: "difference",
        title: t("column.missingFine"),
        align: "right",
        render: (_, { differenceFineGrams }) => <Grams grams={differenceFineGrams} />,
      },
      {
        key: "state",
        title: t("column.state"),
        render: (_, refining) => <RefiningState refining={refining} />,
      },
    ],
    [t],
  );
  return (
    <ListPage<Refining>
      title={t("refining.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey={({ id }) => String(id)}
      searchLabel={t("search.refinings")}
      filters={
        <ChoiceFilter
          query={query}
          name="pending"
          label={t("column.state")}
          options={[
            { value: "true", label: t("refining.pending") },
            { value: "false", label: t("refining.returned") },
          ]}
        />
      }
      add={mayManage ? { label: t("refining.send"), onClick: () => open("new") } : undefined}
      actions={<MetalTabs />}
      emptyTitle={t("refining.empty")}
      emptyHint={t("refining.emptyHint")}
      emptyDrawing="crucible"
      onOpen={({ id }) => open(id)}
      renderCard={(refining) => (
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
      )}
    >
      {opened === "new" && mayManage && <RefineDrawer onClose={close} />}
      {one.data !== undefined && <RefiningDrawer refining={one.data} onClose={close} />}
      {one.data === undefined && one.error !== undefined && (
        <RecordGone error={one.error} onClose={close} />
      )}
    </ListPage>
  );
}

function RefiningState({ refining: { returnedAt } }: { refining: Refining }) {
  const { t } = useTranslation("metal");
  return (
    <Chip tone={returnedAt === null ? "warning" : "good"}>
      {t(returnedAt === null ? "refining.pending" : "refining.returned")}
    </Chip>
  );
}
