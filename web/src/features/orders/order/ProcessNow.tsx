/** Show which processes a line is in, and how many pieces are inside. */
import { useTranslation } from "react-i18next";
import type { LineRow } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { useLanguage } from "@/shared/i18n";
import { piecesByProcess } from "../line/pieces";
import "./order.css";

export function ProcessNow({ line }: { line: LineRow }) {
  const { t } = useTranslation("orders");
  const language = useLanguage();
  const inside = piecesByProcess(line).filter((process) => process.inside > 0);
  if (inside.length === 0) {
    const last = line.lastProductionProcess;
    return (
      <span className="ob-quiet">
        {last === null
          ? t("line.noProcess")
          : t("line.outside", { process: last.productionProcessName })}
      </span>
    );
  }
  return (
    <span className="ob-stack ob-stack--tight">
      {inside.map((process) => (
        <span key={process.productionProcessId} className="ob-process-now__one">
          <strong>{process.productionProcessName}</strong>
          <span className="ob-quiet">
            {formatNumber(process.inside, language)} / {formatNumber(line.quantity, language)}
          </span>
        </span>
      ))}
    </span>
  );
}
