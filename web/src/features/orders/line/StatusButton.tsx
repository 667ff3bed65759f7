/** The status chip. It is a button if the server offers another status. */
import DownOutlined from "@ant-design/icons/es/icons/DownOutlined";
import { useTranslation } from "react-i18next";
import type { Line } from "@/contract";
import { StatusChip } from "@/shared/ui/Chip";
import { Refused } from "@/shared/ui/Refused";
import type { LineActions } from "../useLineActions";
import "./StatusButton.css";

export function StatusButton({ line, actions }: { line: Line; actions: LineActions }) {
  return (
    <>
      <Status line={line} actions={actions} />
      <Refused of={line} />
    </>
  );
}

function Status({ line, actions }: { line: Line; actions: LineActions }) {
  const { t } = useTranslation(["orders", "shared"]);
  if (!actions.answers("status", line)) return <StatusChip status={line.status} />;
  return (
    <button
      type="button"
      className="ob-chip-button"
      aria-haspopup="dialog"
      aria-label={t("line.statusChip", { status: t(`shared:status.${line.status}`) })}
      onClick={() => actions.open("status", line)}
    >
      <StatusChip status={line.status} />
      <DownOutlined aria-hidden />
    </button>
  );
}
