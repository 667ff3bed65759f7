/** 'Out of …', 'Enter to …' or 'No process'; a button where the server offers a movement. */
import DownOutlined from "@ant-design/icons/es/icons/DownOutlined";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import type { LineActions } from "../useLineActions";
import { processChip } from "./pieces";
import "./chips.css";

export function ProcessButton({ line, actions }: { line: Line; actions: LineActions }) {
  const { t } = useTranslation("orders");
  const chip = processChip(line);
  const text =
    chip.kind === "none" ? t("line.noProcess") : t(`line.${chip.kind}`, { process: chip.process });
  const look = `ob-process-chip ob-process-chip--${chip.kind}`;
  if (!actions.answers("move", line)) return <span className={look}>{text}</span>;
  return (
    <button
      type="button"
      className="ob-chip-button"
      aria-haspopup="dialog"
      aria-label={t("line.processChip", { process: text })}
      onClick={() => actions.open("move", line)}
    >
      <span className={look}>{text}</span>
      <DownOutlined aria-hidden />
    </button>
  );
}
