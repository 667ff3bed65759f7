/** Preview an import row by row: added, changed, unchanged, or refused and why. Refused cells can be corrected here. */
import Button from "antd/es/button";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FileChoices, Import } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useSubmit } from "@/shared/ui/useSubmit";
import { useStable } from "@/shared/hooks/browser";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { asApiError } from "@/shared/http/ApiError";
import { newKey } from "@/shared/http/client";
import { useLanguage } from "@/shared/i18n";
import { ImportDialog } from "@/entities/importing/ImportDialog";
import { DataTable } from "@/shared/ui/DataTable";
import { toastError } from "@/shared/ui/errors";
import { SearchField } from "@/shared/ui/SearchField";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import {
  applyImport,
  discardImport,
  downloadRefused,
  mendRow,
  previewAgain,
  useImportRows,
  type Imported,
  type Outcome,
} from "./imports.api";
import { RowCard, rowColumns } from "./rows";

const OUTCOMES = ["refused", "new", "changed", "unchanged", "doubtful"] as const;
const FILTERS = ["outcome"] as const;
const ALL = "all" as const;
const STALE = "import_stale";

interface Props {
  name: Imported;
  upload: Import;
  /**
   * A message if the last chosen column took its meaning from another column; null if not. The page
   * holds it, because it must stay when a new preview is loaded.
   */
  note: string | null;
  onNote: (note: string | null) => void;
  onChange: (upload: Import) => Promise<void>;
  onDiscarded: () => void;
}

export function Preview({ name, upload, note, onNote, onChange, onDiscarded }: Props) {
  const { t } = useTranslation(["catalogs", "shared"]);
  const language = useLanguage();
  const [open, setOpen] = useState(true);
  const isRefused = upload.errorCode !== null && upload.errorCode !== STALE;
  const [stale, setStale] = useState(upload.errorCode === STALE ? upload.errorMessage : null);
  const query = useTableQuery(FILTERS);
  const { id, doubtful } = upload;
  const counts = { ...upload.counts, doubtful };
  // Show the refused rows first. Keep this choice when the last refused row is corrected.
  const [first] = useState<Outcome | typeof ALL>(counts.refused > 0 ? "refused" : ALL);
  const tabs = OUTCOMES.filter((each) => each !== "doubtful" || doubtful > 0);
  const shown = [ALL, ...tabs].find((each) => each === query.filters.outcome) ?? first;
  const list = useImportRows(id, query, shown);
  const changes = counts.new + counts.changed;
  const number = (value: number) => formatNumber(value, language);
  const { submit, busy } = useSubmit(
    (headers, what: "apply" | "again" | "discard", choices?: FileChoices) =>
      ({ apply: applyImport, again: previewAgain, discard: discardImport })[what](
        headers,
        id,
        choices,
      ),
  );

  // Corrections are sent one after the other, while the user is already typing the next one.
  const mends = useRef<Promise<void>>(Promise.resolve());
  const mend = useStable((row: number, cells: Record<string, string>) => {
    const before = mends.current;
    mends.current = (async () => {
      await before;
      try {
        await onChange(await mendRow({ "Idempotency-Key": newKey() }, id, row, cells));
      } catch (reason) {
        toastError(reason);
      }
    })();
  });

  async function act(what: "apply" | "again" | "discard", choices?: FileChoices) {
    try {
      await mends.current;
      const now = await submit(what, choices);
      if (now === undefined) return;
      if (what === "discard") onDiscarded();
      else await onChange(now);
    } catch (reason) {
      const error = asApiError(reason);
      if (error.code === STALE) setStale(error.message);
      else toastError(reason);
    }
  }

  // The columns that the user has chosen. The file is read again once every required field has a
  // column.
  const [pending, setPending] = useState<readonly (string | null)[] | null>(null);
  function chooseColumns(chosen: (string | null)[], said: string | null) {
    onNote(said);
    setPending(chosen);
    const required = upload.fields.filter((field) => field.required).map((field) => field.name);
    if (required.every((field) => chosen.includes(field))) {
      void act("again", { columns: chosen.map((column) => column ?? "").join(",") });
    }
  }

  const all = changes + counts.unchanged + counts.refused + doubtful;
  const nothing = doubtful > 0 ? t("import.doubtful") : t("import.nothing");
  const warning =
    stale ?? (isRefused ? upload.errorMessage : null) ?? (changes === 0 ? nothing : null);
  const tab = (value: Outcome | typeof ALL, label: string, count: number) => (
    <button
      key={value}
      type="button"
      className="ob-import__tab"
      aria-pressed={shown === value}
      onClick={() => query.set({ outcome: value })}
    >
      {label} <strong>{number(count)}</strong>
    </button>
  );
  const title = upload.fileName || t("import.previewOf");
  const labels = new Map(upload.fields.map((field) => [field.name, field.label]));
  const hint = counts.refused > 0 ? t("import.refusedHint") : t("import.previewHint");

  return (
    <>
      <section className="ob-surface ob-row ob-apart ob-padded" aria-label={t("import.previewOf")}>
        <div>
          <h2>{title}</h2>
          <p className="ob-quiet">{t("import.waits")}</p>
        </div>
        <div className="ob-row">
          <Button disabled={busy} onClick={() => void act("discard")}>
            {t("import.discard")}
          </Button>
          <Button onClick={() => setOpen(true)}>{t("import.review")}</Button>
        </div>
      </section>
      <ImportDialog
        open={open}
        title={title}
        status={hint}
        read={{ read: upload, choices: upload.choices }}
        busy={busy}
        onChoose={(choices) => void act("again", choices)}
        columns={{
          columns: upload.heads.map((head, place) => ({
            ...head,
            column: pending === null ? head.column : (pending[place] ?? null),
          })),
          options: upload.fields.map((field) => ({ value: field.name, label: field.label })),
          byHeads: true,
          doubt: upload.doubts.find(({ code }) => code === "columns"),
          disabled: busy,
          note,
          onChange: chooseColumns,
        }}
        refused={{
          count: counts.refused,
          onDownload: () => void downloadRefused(upload).catch(toastError),
        }}
        onClose={() => setOpen(false)}
        actions={
          <>
            <Button disabled={busy} onClick={() => void act("discard")}>
              {t("import.discard")}
            </Button>
            <Button
              type="primary"
              loading={busy}
              disabled={changes === 0 || stale !== null}
              onClick={() => void act("apply")}
            >
              {t("import.apply", { count: changes, shown: number(changes) })}
            </Button>
          </>
        }
      >
        {warning !== null && (
          <div className="ob-row ob-note ob-note--warning" role="alert">
            <p>{warning}</p>
            {stale !== null && (
              <Button loading={busy} onClick={() => void act("again")}>
                {t("import.previewAgain")}
              </Button>
            )}
          </div>
        )}
        <div className="ob-row ob-import__tabs" role="group" aria-label={t("import.outcomes")}>
          {tab(ALL, t("import.all"), all)}
          {tabs.map((each) => tab(each, t(`import.outcome.${each}`), counts[each]))}
          <SearchField
            value={query.search}
            label={t("import.search")}
            onSearch={(search) => query.set({ search })}
          />
        </div>
        {list.error === undefined ? (
          <DataTable
            rowKey={(row) => String(row.number)}
            label={t("import.rows")}
            columns={rowColumns(t, name, labels, mend)}
            rows={list.rows}
            total={list.total}
            onMore={list.more}
            renderCard={(row) => <RowCard row={row} labels={labels} onMend={mend} />}
            empty={<EmptyState drawing="loupe" title={t("import.noRows")} />}
          />
        ) : (
          <div className="ob-surface">
            <LoadFailed error={list.error} onRetry={list.retry} />
          </div>
        )}
      </ImportDialog>
    </>
  );
}
