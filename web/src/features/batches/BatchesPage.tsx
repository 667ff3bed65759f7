/** List the batches. Search and filters are kept in the address; rows follow live events. */
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import type { Batch, BatchHead } from "@/contract";
import { batchPath } from "@/entities/batches/batches.api";
import { useBatchTitle } from "@/entities/batches/useBatchTitle";
import { formatInstant } from "@/shared/format/plant";
import { BATCHES } from "@/shared/http/keys";
import type { RecordList } from "@/shared/list/list";
import { RecordListPage } from "@/shared/list/RecordListPage";
import { lazyPart } from "@/shared/ui/lazyPart";
import { BatchState } from "./BatchState";

const BatchDrawer = lazyPart(() => import("./BatchDrawer"));

const LIST: RecordList<BatchHead, "open" | "productionProcessId"> = {
  path: BATCHES,
  title: "batches:list.title",
  search: "batches:list.search",
  empty: "batches:list.empty",
  emptyHint: "batches:list.emptyHint",
  drawing: "crucible",
  columns: ({ link, text, own, number }) => [
    link("number", "batches:column.number", (batch) => <Title batch={batch} />, { sorts: true }),
    text("productionProcessName", "batches:column.process"),
    own("state", "batches:column.state", ({ state }) => <BatchState state={state} />),
    number("linesCount", "batches:column.lines"),
    number("quantity", "batches:column.pieces"),
    text("alloyName", "batches:column.alloy"),
    own(
      "made",
      "batches:column.made",
      ({ createdAt, createdBy }) => `${formatInstant(createdAt)} · ${createdBy}`,
    ),
  ],
  card: (batch) => <BatchCard batch={batch} />,
  filterNames: ["open", "productionProcessId"],
  unfiltered: { open: "true" },
  filters: [
    {
      choice: "open",
      values: [["false", "batches:list.closed"]],
      label: "batches:column.state",
      any: "batches:list.open",
    },
    {
      option: "productionProcessId",
      catalog: "production-processes",
      label: "batches:column.process",
      any: "batches:list.anyProcess",
    },
  ],
  add: { label: "batches:list.new", permission: "ManageBatches" },
  pathOf: ({ id }) => batchPath(id),
};

export default function BatchesPage() {
  const navigate = useNavigate();
  const [adding, setAdding] = useState(false);
  const made = useRef<Batch>(null);
  return (
    <RecordListPage list={LIST} onAdd={() => setAdding(true)}>
      {adding && (
        <BatchDrawer
          onSaved={(batch) => {
            made.current = batch;
          }}
          onClose={() => {
            setAdding(false);
            // Navigate only after the form has closed, because an open form blocks it.
            if (made.current !== null) void navigate(batchPath(made.current.id));
          }}
        />
      )}
    </RecordListPage>
  );
}

function Title({ batch }: { batch: BatchHead }) {
  return useBatchTitle()(batch);
}

function BatchCard({ batch }: { batch: BatchHead }) {
  const { t } = useTranslation("batches");
  return (
    <Link className="ob-stack ob-stack--tight ob-card" to={batchPath(batch.id)}>
      <span className="ob-words ob-apart">
        <strong>
          <Title batch={batch} />
        </strong>
        <BatchState state={batch.state} />
      </span>
      <span>{batch.productionProcessName}</span>
      <span className="ob-quiet">
        {t("lines", { count: batch.linesCount })} · {t("pieces", { count: batch.quantity })}
        {batch.alloyName !== null && ` · ${batch.alloyName}`}
      </span>
    </Link>
  );
}
