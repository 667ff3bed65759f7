/** First step of an import: download the template and upload the filled file. */
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import InboxOutlined from "@ant-design/icons/es/icons/InboxOutlined";
import SnippetsOutlined from "@ant-design/icons/es/icons/SnippetsOutlined";
import Button from "antd/es/button";
import Progress from "antd/es/progress";
import { useRef, useState, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Import } from "@/contract";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { ENDINGS, usePastedCells, whyNot } from "@/entities/importing/files";
import { errorText, toastError } from "@/shared/ui/errors";
import { downloadTemplate, upload, type Imported, type Kind } from "./imports.api";

const KINDS: readonly Kind[] = ["xlsx", "csv"];

interface Props {
  name: Imported;
  onUploaded: (upload: Import) => void;
}

export function ChooseFile({ name, onUploaded }: Props) {
  const { t } = useTranslation(["catalogs", "shared", "forms"]);
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [sent, setSent] = useState(0);
  // `_mark` identifies the file in the arguments, because a File is empty in JSON.
  const { submit, busy } = useSubmit((headers, file: File, _mark: string) =>
    upload(headers, name, file, setSent),
  );

  async function take(file: File | undefined) {
    if (file === undefined) return;
    setRefusal(null);
    const refused = whyNot(file);
    if (refused !== null) return setRefusal(t(`forms:file.${refused}`));
    setSent(0);
    try {
      const done = await submit(file, [file.name, file.size, file.lastModified].join("/"));
      if (done !== undefined) onUploaded(done);
    } catch (reason) {
      setRefusal(errorText(asApiError(reason)));
    }
    return undefined;
  }

  const paste = usePastedCells((text) => void take(new File([text], `${t("import.pasted")}.tsv`)));

  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  return (
    <section className="ob-surface ob-padded ob-import">
      <h2>{t("import.templateTitle")}</h2>
      <p className="ob-quiet">
        {t(name === "users" ? "import.peopleHint" : "import.templateHint")}
      </p>
      <div className="ob-row ob-import__buttons">
        {KINDS.map((kind) => (
          <Button
            key={kind}
            icon={<DownloadOutlined aria-hidden />}
            onClick={() => void downloadTemplate(name, kind).catch(toastError)}
          >
            {t("import.template", { kind: kind.toUpperCase() })}
          </Button>
        ))}
      </div>
      <h2>{t("import.fileTitle")}</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping needs a mouse; the button does not */}
      <div
        className={`ob-state ob-above ob-import__drop ${over ? "ob-import__drop--over" : ""}`}
        role="group"
        aria-label={t("import.fileTitle")}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <InboxOutlined aria-hidden className="ob-quiet ob-import__mark" />
        <span className="ob-row">
          <Button type="primary" size="large" loading={busy} onClick={() => input.current?.click()}>
            {t("import.choose")}
          </Button>
          <Button
            size="large"
            icon={<SnippetsOutlined aria-hidden />}
            disabled={busy}
            onClick={() => void paste()}
          >
            {t("forms:file.paste")}
          </Button>
        </span>
        <p className="ob-quiet">{t("import.fileHint")}</p>
        {busy && (
          <Progress
            className="ob-import__progress"
            percent={Math.round(sent * 100)}
            aria-label={t("import.uploading")}
          />
        )}
        {refusal !== null && (
          <p className="ob-wrong" role="alert">
            {refusal}
          </p>
        )}
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t("import.fileTitle")}
          accept={ENDINGS.join()}
          onChange={({ target }) => {
            void take(target.files?.[0]);
            target.value = "";
          }}
        />
      </div>
    </section>
  );
}
