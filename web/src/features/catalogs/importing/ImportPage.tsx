/**
 * Import a file into a catalog, the list of people or the piece prices: template, upload, preview of each row, and only then the change.
 */
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import type { Import } from "@/contract";
import { importPath, listPath } from "@/shared/catalogPaths";
import { useAnswers } from "@/shared/http/data";
import { at, CATALOG_NAMES } from "@/shared/http/keys";
import { PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { ChooseFile } from "./ChooseFile";
import { useImport, type Imported } from "./imports.api";
import { Preview } from "./Preview";
import { Failed, Result, UnderWay } from "./States";
import "./importing.css";

/** Address parameter: the id of the upload, so that a reload shows it again. */
const UPLOAD = "upload";
const LISTS: readonly Imported[] = [...CATALOG_NAMES, "users", "process-item-prices"];

export default function ImportPage() {
  const { t } = useTranslation(["catalogs", "shared"]);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const name = LISTS.find((each) => importPath(each) === pathname);
  if (name === undefined) return null;
  return (
    <div className="ob-page">
      <PageTitle
        title={t("import.title", { catalog: t(`${name}.title`) })}
        actions={<Button onClick={() => void navigate(listPath(name))}>{t("import.back")}</Button>}
      />
      <Steps key={name} name={name} />
    </div>
  );
}

function Steps({ name }: { name: Imported }) {
  const { t } = useTranslation("catalogs");
  const { put, reload } = useAnswers();
  const [params, setParams] = useSearchParams();
  const text = params.get(UPLOAD);
  const id = text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  const { data, error, mutate } = useImport(id);
  const [note, setNote] = useState<string | null>(null);

  async function follow(upload: Import) {
    await put("/api/imports/{import_id}", { path: { import_id: upload.id } }, () => upload);
    // A new preview has different rows.
    void reload(at("/api/imports/{import_id}/rows", { import_id: upload.id }));
    // The filter and the search stay with their upload.
    if (upload.id !== id) setParams({ [UPLOAD]: String(upload.id) }, { replace: true });
  }
  const begin = () => {
    setNote(null);
    setParams({}, { replace: true });
  };

  if (id === null) return <ChooseFile name={name} onUploaded={(done) => void follow(done)} />;
  if (data !== undefined && data.catalog === name) {
    switch (data.state) {
      case "reading":
      case "applying":
        return <UnderWay upload={data} />;
      case "ready":
        return (
          <Preview
            name={name}
            upload={data}
            note={note}
            onNote={setNote}
            onChange={follow}
            onDiscarded={begin}
          />
        );
      case "applied":
        return <Result name={name} upload={data} onAgain={begin} />;
      case "failed":
        return <Failed upload={data} onAgain={begin} />;
    }
  }
  if (error !== undefined && error.status !== 404) {
    return (
      <div className="ob-surface">
        <LoadFailed error={error} onRetry={() => void mutate()} />
      </div>
    );
  }
  if (data === undefined && error === undefined) return null;
  return (
    <div className="ob-surface">
      <EmptyState
        drawing="gone"
        title={t("import.gone")}
        action={<Button onClick={begin}>{t("import.again")}</Button>}
      />
    </div>
  );
}
