/** Preview an import row by row: added, changed, unchanged, or refused and why. */
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FileChoices, Import } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useSubmit } from "@/shared/hooks/useSubmit";
import { useTableQuery } from "@/shared/hooks/useTableQuery";
import { asApiError } from "@/shared/http/ApiError";
import { useLanguage } from "@/shared/i18n";
import { FileReading } from "@/shared/importing/FileReading";
import { DataTable } from "@/shared/ui/DataTable";
import { toastError } from "@/shared/ui/errors";
import { SearchField } from "@/shared/ui/SearchField";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import type { CatalogName } from "@/shared/http/keys";
import { applyImport, discardImport, previewAgain, useImportRows } from "./imports.api";
import { RowCard, rowColumns } from "./rows";

const OUTCOMES = ["new", "changed", "unchanged", "refused", "doubtful"] as const;
const FILTERS = ["outcome"] as const;

interface Props {
  name: CatalogName;
  upload: Import;
  onChange: (upload: Import) => Promise<void>;
  onDiscarded: () => void;
}

export function Preview({ name, upload, onChange, onDiscarded }: Props) {
  const { t } = useTranslation(["catalogs", "shared"]);
  const language = useLanguage();
  const [stale, setStale] = useState(
    upload.errorCode === "import_stale" ? upload.errorMessage : null,
  );
  const query = useTableQuery(FILTERS);
  const { id, doubtful } = upload;
  const counts = { ...upload.counts, doubtful };
  const list = useImportRows(id, query);
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

  async function act(what: "apply" | "again" | "discard", choices?: FileChoices) {
    try {
      const now = await submit(what, choices);
      if (now === undefined) return;
      if (what === "discard") onDiscarded();
      else await onChange(now);
    } catch (reason) {
      const refusal = asApiError(reason);
      if (refusal.code === "import_stale") setStale(refusal.message);
      else toastError(reason);
    }
  }

  const all = changes + counts.unchanged + counts.refused + doubtful;
  const nothing = doubtful > 0 ? t("import.doubtful") : t("import.nothing");
  const outcome = query.filters.outcome ?? "";
  const tab = (value: string, label: string, count: number) => (
    <button
      key={value}
      type="button"
      className="ob-import__tab"
      aria-pressed={outcome === value}
      onClick={() => query.set({ outcome: value })}
    >
      {label} <strong>{number(count)}</strong>
    </button>
  );

  return (
    <>
      <section
        className="ob-surface ob-row ob-apart ob-padded ob-import__head"
        aria-label={t("import.previewOf")}
      >
        <div>
          <h2>{upload.fileName || t("import.previewOf")}</h2>
          <p className="ob-quiet">
            {counts.refused > 0 ? t("import.refusedHint") : t("import.previewHint")}
          </p>
        </div>
        <div className="ob-row ob-import__buttons">
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
        </div>
        {(stale !== null || changes === 0) && (
          <div className="ob-row ob-note ob-note--warning ob-import__stale" role="alert">
            <p>{stale ?? nothing}</p>
            {stale !== null && (
              <Button loading={busy} onClick={() => void act("again")}>
                {t("import.previewAgain")}
              </Button>
            )}
          </div>
        )}
        <FileReading
          read={upload}
          choices={upload.choices}
          busy={busy}
          onChoose={(choices) => void act("again", choices)}
        />
      </section>
      <div className="ob-row ob-import__tabs" role="group" aria-label={t("import.outcomes")}>
        {tab("", t("import.all"), all)}
        {OUTCOMES.filter((each) => each !== "doubtful" || doubtful > 0).map((each) =>
          tab(each, t(`import.outcome.${each}`), counts[each]),
        )}
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
          columns={rowColumns(t, name)}
          rows={list.rows}
          total={list.total}
          onMore={list.more}
          renderCard={(row) => <RowCard row={row} name={name} />}
          empty={<EmptyState drawing="loupe" title={t("import.noRows")} />}
        />
      ) : (
        <div className="ob-surface">
          <LoadFailed error={list.error} onRetry={list.retry} />
        </div>
      )}
    </>
  );
}
