/** Piece prices by process and product, as a grid: typed, pasted or imported, from now or from a later day on. */
import Button from "antd/es/button";
import Skeleton from "antd/es/skeleton";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { ProcessItemPricesIn } from "@/contract";
import { useLeaveGuard } from "@/shared/form/useLeaveGuard";
import { plantCurrency, startOf, today } from "@/shared/format/plant";
import { useStable } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/ui/useSubmit";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { asApiError } from "@/shared/http/ApiError";
import { api, call, newKey } from "@/shared/http/client";
import { useAnswer, useAnswers, useList } from "@/shared/http/data";
import { listAsFile } from "@/shared/http/download";
import { RESOURCES, under } from "@/shared/http/keys";
import { importPath } from "@/shared/catalogPaths";
import { useMay } from "@/shared/session/session";
import { DayField } from "@/shared/form/DayField";
import { toastError } from "@/shared/ui/errors";
import { ExportButton } from "@/shared/ui/ExportButton";
import { ChoiceFilter } from "@/shared/form/filters";
import { PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { Toolbar } from "@/shared/ui/Toolbar";
import { cellKey, changesOf, NO_EDITS, withTyped, type Edit, type Edits } from "./grid";
import { PriceTable } from "./PriceTable";
import "@/shared/ui/SelectionBar.css";
import "./prices.css";

const NAME = "process-item-prices";
const PRICES = RESOURCES[NAME];
const GRID = "/api/process-item-prices/grid";
const FILTERS = ["priced"] as const;
const NONE: ReadonlyMap<string, string> = new Map();

export default function PiecePricesPage() {
  const { t } = useTranslation(["catalogs", "shared"]);
  const navigate = useNavigate();
  const mayUpdate = useMay("UpdatePiecePrices");
  const query = useTableQuery(FILTERS);
  const list = useList(GRID, { query: query.server }, query);
  const columns = useAnswer("/api/process-item-prices/columns");
  const { reload } = useAnswers();
  const [edits, setEdits] = useState(NO_EDITS);
  const [refused, setRefused] = useState(NONE);
  const { question } = useLeaveGuard(edits.size > 0, forget, undefined, true);

  const onType = useStable((typed: readonly Edit[]) => {
    setEdits((was) => withTyped(was, typed));
    const gone = new Set(typed.map(cellKey));
    if (refused.size > 0) setRefused(new Map([...refused].filter(([key]) => !gone.has(key))));
  });
  const onUnplan = useStable((id: number) => {
    const unplan = async () => {
      try {
        await call(
          api.DELETE("/api/process-item-prices/{price_id}", {
            params: { path: { price_id: id } },
            headers: { "Idempotency-Key": newKey() },
          }),
        );
        toast.success(t("piecePrices.unplanned"));
      } catch (reason) {
        toastError(reason);
      }
      void reload(under(PRICES));
    };
    void unplan();
  });
  function forget() {
    setEdits(NO_EDITS);
    setRefused(NONE);
  }

  const error = list.error ?? columns.error;
  const { rows } = list;
  return (
    <div className="ob-page">
      <PageTitle
        title={t(`${NAME}.title`)}
        actions={
          <>
            {mayUpdate && (
              <Button onClick={() => void navigate(importPath(NAME))}>{t("list.import")}</Button>
            )}
            <ExportButton
              name={NAME}
              ask={(format) => listAsFile(GRID, query.server, format)}
              total={rows === undefined ? undefined : list.total}
              exact={list.exact}
            />
          </>
        }
      />
      <p className="ob-quiet">{t(mayUpdate ? "piecePrices.hint" : "piecePrices.readHint")}</p>
      <Toolbar
        query={query}
        searchLabel={t("piecePrices.search")}
        filters={
          <ChoiceFilter
            query={query}
            name="priced"
            label={t("piecePrices.which")}
            placeholder={t("piecePrices.every")}
            options={[{ value: "true", label: t("piecePrices.priced") }]}
          />
        }
      />
      {error !== undefined && (
        <div className="ob-surface">
          <LoadFailed
            error={error}
            onRetry={() => {
              list.retry();
              void columns.mutate();
            }}
          />
        </div>
      )}
      {error === undefined && (rows === undefined || columns.data === undefined) && (
        <div className="ob-surface ob-section" aria-busy="true">
          <Skeleton active title={false} paragraph={{ rows: 8 }} />
        </div>
      )}
      {error === undefined && rows !== undefined && columns.data !== undefined && (
        <>
          {columns.data.length === 0 ? (
            <div className="ob-surface">
              <EmptyState drawing="crucible" title={t("production-processes.empty")} />
            </div>
          ) : (
            <PriceTable
              columns={columns.data}
              rows={rows}
              edits={edits}
              refused={refused}
              onType={mayUpdate ? onType : undefined}
              onUnplan={onUnplan}
            />
          )}
          {list.more !== undefined && <Button onClick={list.more}>{t("shared:table.more")}</Button>}
        </>
      )}
      {edits.size > 0 && (
        <SaveBar edits={edits} onRefused={setRefused} onSaved={forget} onDiscard={forget} />
      )}
      {question}
    </div>
  );
}

interface BarProps {
  edits: Edits;
  onRefused: (refused: ReadonlyMap<string, string>) => void;
  onSaved: () => void;
  onDiscard: () => void;
}

/** The bar below the grid: how many prices are changed, and from which day they apply. */
function SaveBar({ edits, onRefused, onSaved, onDiscard }: BarProps) {
  const { t } = useTranslation(["catalogs", "shared"]);
  const { reload } = useAnswers();
  const [since, setSince] = useState<string | null>(null);
  const { changes, wrong } = changesOf(edits, plantCurrency());
  const isPast = since !== null && since < today();
  const { submit, busy } = useSubmit((headers, body: ProcessItemPricesIn) =>
    call(api.PUT("/api/process-item-prices", { body, headers })),
  );

  async function save() {
    try {
      const written = await submit({
        cells: changes.map(({ edit, unit, price }) => ({
          productionProcessId: edit.processId,
          itemId: edit.itemId,
          unit,
          price,
        })),
        ...(since === null || since <= today() ? {} : { since: startOf(since) }),
      });
      if (written === undefined) return;
      toast.success(t("piecePrices.saved", { count: changes.length }));
      onSaved();
      void reload(under(PRICES));
    } catch (reason) {
      const failed = asApiError(reason);
      const messages = failed.errors.flatMap(({ field, message }) => {
        const [part, place] = field.split(".");
        const change = part === "cells" ? changes[Number(place)] : undefined;
        return change === undefined ? [] : [[cellKey(change.edit), message] as const];
      });
      onRefused(new Map(messages));
      if (messages.length === 0) toastError(failed);
    }
  }

  return (
    <div className="ob-selection" role="region" aria-label={t("piecePrices.changes")}>
      <span className="ob-first ob-strong ob-selection__said" role="status">
        {t("piecePrices.changed", { count: changes.length })}
        {wrong > 0 && (
          <span className="ob-selection__outside">{t("piecePrices.wrong", { count: wrong })}</span>
        )}
        {isPast && <span className="ob-selection__outside">{t("piecePrices.past")}</span>}
      </span>
      <DayField
        aria-label={t("piecePrices.from")}
        placeholder={t("piecePrices.fromNow")}
        value={since}
        onChange={setSince}
      />
      <Button
        type="primary"
        loading={busy}
        disabled={changes.length === 0 || wrong > 0 || isPast}
        onClick={() => void save()}
      >
        {t("shared:action.save")}
      </Button>
      <Button type="text" disabled={busy} onClick={onDiscard}>
        {t("piecePrices.discard")}
      </Button>
    </div>
  );
}
