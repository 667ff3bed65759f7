/**
 * The dialog of every import: how the file was read, what its columns mean, its rows, and what to do with them.
 */
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FileChoices, FileRead } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { ColumnMeanings, type MeaningsProps } from "./ColumnMeanings";
import { FileReading } from "./FileReading";
import "./importing.css";

interface Props {
  open: boolean;
  title: string;
  /** A sentence about the rows, such as how many are good and how many are refused. */
  status: string;
  /** The rows cannot be taken as they are. */
  wrong?: boolean;
  /** How the file was read. Absent for pasted rows. */
  read?: { read: FileRead; choices: FileChoices } | undefined;
  busy: boolean;
  /** Read the file again. Undefined if the file is no longer at hand. */
  onChoose: ((choices: FileChoices) => void) | undefined;
  /** Absent if the rows cannot be shown. */
  columns: MeaningsProps | undefined;
  /** The rows that can be downloaded to be corrected elsewhere. */
  refused: { count: number; onDownload: () => void } | undefined;
  /** The buttons beside "close": what to do with the rows. */
  actions: ReactNode;
  onClose: () => void;
  /** Questions and the table of the rows. */
  children: ReactNode;
}

export function ImportDialog(props: Props) {
  const { open, title, status, wrong = false, read, busy, onChoose, columns, refused } = props;
  const { t } = useTranslation(["shared", "forms"]);
  const language = useLanguage();
  return (
    <Modal
      open={open}
      centered
      width="min(1240px, 96vw)"
      styles={{ body: { display: "grid", gap: "var(--ob-space-3)" } }}
      title={title}
      closable={{ "aria-label": t("action.close") }}
      onCancel={props.onClose}
      footer={
        <div className="ob-row ob-import-dialog__foot">
          {refused !== undefined && refused.count > 0 && (
            <Button icon={<DownloadOutlined aria-hidden />} onClick={refused.onDownload}>
              {t("forms:file.refused", {
                count: refused.count,
                formatted: formatNumber(refused.count, language),
              })}
            </Button>
          )}
          <Button onClick={props.onClose}>{t("action.close")}</Button>
          {props.actions}
        </div>
      }
    >
      <p className={wrong ? "ob-strong ob-wrong" : "ob-strong"} role="status">
        {status}
      </p>
      {read !== undefined && <FileReading {...read} busy={busy} onChoose={onChoose} />}
      {columns !== undefined && <ColumnMeanings {...columns} />}
      {props.children}
    </Modal>
  );
}
