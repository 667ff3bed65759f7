/** A list as a file, with the filters and the order it is shown in: XLSX for a spreadsheet, CSV for a program. It says how many rows it takes. */
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/shared/format/numbers";
import { useSubmit } from "@/shared/hooks/useSubmit";
import { fetchFile, saveFile } from "@/shared/http/download";
import { useLanguage } from "@/shared/i18n";
import { toastError } from "./errors";

const FORMATS = ["xlsx", "csv"] as const;
export type ExportFormat = (typeof FORMATS)[number];

export interface ListFile {
  /** Asks the server for the list in a format, with `parseAs: "blob"`. */
  ask: (format: ExportFormat) => Promise<unknown>;
  /** What the file is called where the server gives it no name; without its ending. */
  name: string;
}

interface Props extends ListFile {
  /** How many rows it will have, unknown while the list loads; where not `exact`, at least so many. */
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
      trigger={["click"]}
      disabled={total === 0}
      menu={{
        items: FORMATS.map((format) => ({ key: format, label: t(`list.as.${format}`) })),
        onClick: ({ key }) => void save(key as ExportFormat),
      }}
    >
      <Button icon={<DownloadOutlined aria-hidden />} loading={busy}>
        {total === undefined
          ? t("list.export")
          : t(exact ? "list.exportRows" : "list.exportMore", {
              count: total,
              shown: formatNumber(total, language),
            })}
      </Button>
    </Dropdown>
  );
}
