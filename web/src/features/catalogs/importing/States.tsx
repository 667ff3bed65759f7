/** States of an import: running, done or failed. */
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import Button from "antd/es/button";
import Progress from "antd/es/progress";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Import } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { listPath } from "@/shared/catalogPaths";
import { toastError } from "@/shared/ui/errors";
import { downloadRefused, type Imported } from "./imports.api";

export function UnderWay({ upload }: { upload: Import }) {
  const { t } = useTranslation(["catalogs", "forms"]);
  const language = useLanguage();
  const { rowsDone, rowsTotal, fileName, state } = upload;
  const title = state === "reading" ? t("import.reading") : t("import.applying");
  const number = (value: number) => formatNumber(value, language);
  return (
    <section className="ob-surface ob-padded ob-import ob-state" aria-busy="true">
      <h2>{title}</h2>
      <p className="ob-quiet">{fileName}</p>
      <Progress
        className="ob-import__progress"
        percent={rowsTotal ? Math.floor((rowsDone / rowsTotal) * 100) : 0}
        status="active"
        aria-label={title}
      />
      <p role="status">
        {rowsTotal === null
          ? t("import.rowsSoFar", { count: rowsDone, shown: number(rowsDone) })
          : t("import.rowsOf", { done: number(rowsDone), total: number(rowsTotal) })}
      </p>
    </section>
  );
}

interface ResultProps {
  name: Imported;
  upload: Import;
  onAgain: () => void;
}

export function Result({ name, upload, onAgain }: ResultProps) {
  const { t } = useTranslation(["catalogs", "shared", "forms"]);
  const language = useLanguage();
  const navigate = useNavigate();
  const { counts } = upload;
  return (
    <section className="ob-surface ob-padded ob-import ob-state">
      <h2 role="status">{t("import.applied")}</h2>
      <dl className="ob-row ob-above ob-below ob-import__counts">
        {(["new", "changed", "unchanged", "refused"] as const).map((outcome) => (
          <div key={outcome}>
            <dt>{t(`import.done.${outcome}`)}</dt>
            <dd className="ob-figure">{formatNumber(counts[outcome], language)}</dd>
          </div>
        ))}
      </dl>
      {name === "users" && counts.new > 0 && <p className="ob-quiet">{t("import.peopleDone")}</p>}
      <div className="ob-row ob-import__buttons">
        {counts.refused > 0 && (
          <Button
            icon={<DownloadOutlined aria-hidden />}
            onClick={() => void downloadRefused(upload).catch(toastError)}
          >
            {t("forms:file.refused", {
              count: counts.refused,
              formatted: formatNumber(counts.refused, language),
            })}
          </Button>
        )}
        <Button onClick={onAgain}>{t("import.again")}</Button>
        <Button type="primary" onClick={() => void navigate(listPath(name))}>
          {t("import.see", { catalog: t(`${name}.title`) })}
        </Button>
      </div>
    </section>
  );
}

export function Failed({ upload, onAgain }: Omit<ResultProps, "name">) {
  const { t } = useTranslation(["catalogs", "forms"]);
  return (
    <section className="ob-surface ob-padded ob-import ob-state" role="alert">
      <h2>{t("import.failed")}</h2>
      <p>{upload.errorMessage}</p>
      <p className="ob-quiet">{t("import.nothingChanged")}</p>
      <Button type="primary" onClick={onAgain}>
        {t("import.again")}
      </Button>
    </section>
  );
}
