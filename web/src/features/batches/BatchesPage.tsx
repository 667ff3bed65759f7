/** List the batches. Search and filters are kept in the address; rows follow live events. */
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import type { Batch, BatchHead } from "@/contract";
import { batchPath } from "@/entities/batches/batches.api";
import { useBatchTitle } from "@/entities/batches/useBatchTitle";
import { formatNumber } from "@/shared/format/numbers";
import { formatInstant } from "@/shared/format/plant";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import type { Columns } from "@/shared/ui/DataTable";
import { ChoiceFilter, OptionFilter } from "@/shared/form/filters";
import { lazyPart } from "@/shared/ui/lazyPart";
import { ListPage } from "@/shared/ui/ListPage";
import { BATCH_FILTERS, useBatches } from "./batches.api";
import { BatchState } from "./BatchState";

const BatchDrawer = lazyPart(() => import("./BatchDrawer"));

export default function BatchesPage() {
  const { t } = useTranslation("batches");
  const language = useLanguage();
  const titleOf = useBatchTitle();
  const navigate = useNavigate();
  const mayManage = useMay("ManageBatches");
  const query = useTableQuery(BATCH_FILTERS);
  const list = useBatches(query);
  const [adding, setAdding] = useState(false);
  const made = useRef<Batch>(null);
  const columns = useMemo<Columns<BatchHead>>(
    () => [
      {
        key: "number",
        title: t("column.number"),
        sorter: true,
        render: (_, batch) => (
          <Link
            className="ob-record-link"
            to={batchPath(batch.id)}
            onClick={(event) => event.stopPropagation()}
          >
            {titleOf(batch)}
          </Link>
        ),
      },
      { key: "process", title: t("column.process"), dataIndex: "productionProcessName" },
      {
        key: "state",
        title: t("column.state"),
        render: (_, { state }) => <BatchState state={state} />,
      },
      {
        key: "lines",
        title: t("column.lines"),
        align: "right",
        render: (_, { linesCount }) => formatNumber(linesCount, language),
      },
      {
        key: "pieces",
        title: t("column.pieces"),
        align: "right",
        render: (_, { quantity }) => formatNumber(quantity, language),
      },
      { key: "alloy", title: t("column.alloy"), dataIndex: "alloyName" },
      {
        key: "made",
        title: t("column.made"),
        render: (_, { createdAt, createdBy }) => `${formatInstant(createdAt)} · ${createdBy}`,
      },
    ],
    [t, language, titleOf],
  );
  return (
    <ListPage<BatchHead>
      title={t("list.title")}
      query={query}
      list={list}
      columns={columns}
      rowKey="id"
      searchLabel={t("list.search")}
      filters={
        <>
          <ChoiceFilter
            query={query}
            name="open"
            label={t("column.state")}
            placeholder={t("list.open")}
            options={[{ value: "false", label: t("list.closed") }]}
          />
          <OptionFilter
            query={query}
            name="productionProcessId"
            catalog="production-processes"
            label={t("column.process")}
            placeholder={t("list.anyProcess")}
          />
        </>
      }
      add={mayManage ? { label: t("list.new"), onClick: () => setAdding(true) } : undefined}
      emptyTitle={t("list.empty")}
      emptyHint={t("list.emptyHint")}
      emptyDrawing="crucible"
      onOpen={({ id }) => void navigate(batchPath(id))}
      renderCard={(batch) => (
        <Link className="ob-stack ob-stack--tight ob-card" to={batchPath(batch.id)}>
          <span className="ob-words ob-apart">
            <strong>{titleOf(batch)}</strong>
            <BatchState state={batch.state} />
          </span>
          <span>{batch.productionProcessName}</span>
          <span className="ob-quiet">
            {t("lines", { count: batch.linesCount })} · {t("pieces", { count: batch.quantity })}
            {batch.alloyName !== null && ` · ${batch.alloyName}`}
          </span>
        </Link>
      )}
    >
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
    </ListPage>
  );
}
