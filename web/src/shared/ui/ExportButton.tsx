/** Export a list with its present filters and order as XLSX or CSV. The button shows the number of rows. */
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useSubmit } from "./useSubmit";
import { fetchFile, type FileCall } from "@/shared/http/download";
import { saveFile } from "@/shared/http/files";
import { useLanguage } from "@/shared/i18n";
import { toastError } from "./errors";

const FORMATS = ["xlsx", "csv"] as const;
export type ExportFormat = (typeof FORMATS)[number];

export interface ListFile {
  /** Requests the list in a format, with `parseAs: "blob"`. */
  ask: (format: ExportFormat) => FileCall;
  /** The file's name without extension, used if the server gives none. */
  name: string;
}

interface Props extends ListFile {
  /** The number of rows, undefined while the list loads; a minimum unless `exact`. */
  total: number | undefined;
  exact?: boolean;
}

export function ExportButton({ ask, name, total, exact = true }: Props) {
  const { t } = useTranslation("forms");
  const language = useLanguage();
  const { submit, busy } = useSubmit((_headers, format: ExportFormat) =>
    fetchFile(ask(format), `${name}.${format}`),
  );

  async function save(format: ExportFormat) {
    try {
      const served = await submit(format);
      if (served !== undefined) saveFile(served.file, served.name);
    } catch (reason) {
      toastError(reason);
    }
  }

  return (
    <Dropdown
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the keys then move in the menu that was opened
      autoFocus
      trigger={["click"]}
      disabled={total === 0}
      menu={{
        items: FORMATS.map((format) => ({ key: format, label: t(`list.as.${format}`) })),
        onClick: ({ key }) => void save(key as ExportFormat),
      }}
    >
      <Button icon={<DownloadOutlined aria-hidden />} loading={busy}>
        {total === undefined || total === 0
          ? t("list.export")
          : t(exact ? "list.exportRows" : "list.exportMore", {
              count: total,
              shown: formatNumber(total, language),
            })}
      </Button>
    </Dropdown>
  );
}
