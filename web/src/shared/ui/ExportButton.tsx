/** A list as a file, with the filters and the order it is shown in: XLSX for a spreadsheet, CSV for a program. */
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown";
import { useTranslation } from "react-i18next";
import { useSubmit } from "@/shared/hooks/useSubmit";
import { fetchFile, saveFile } from "@/shared/http/download";
import { toastError } from "./errors";

const FORMATS = ["xlsx", "csv"] as const;
export type ExportFormat = (typeof FORMATS)[number];

interface Props {
  /** Asks the server for the list in a format, with `parseAs: "blob"`. */
  ask: (format: ExportFormat) => Promise<unknown>;
  /** What the file is called where the server gives it no name; without its ending. */
  name: string;
  disabled?: boolean;
}

export function ExportButton({ ask, name, disabled = false }: Props) {
  const { t } = useTranslation("forms");
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
      disabled={disabled}
      menu={{
        items: FORMATS.map((format) => ({ key: format, label: t(`list.as.${format}`) })),
        onClick: ({ key }) => void save(key as ExportFormat),
      }}
    >
      <Button icon={<DownloadOutlined aria-hidden />} loading={busy}>
        {t("list.export")}
      </Button>
    </Dropdown>
  );
}
