/** What became of the scans: which are under way, the last that is on the batch, and each refusal. */
import CloseOutlined from "@ant-design/icons/es/icons/CloseOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { Scan } from "./useScans";

/** Who chose the line far below would not see why it was refused. */
const showWhole = (row: HTMLElement | null) => row?.scrollIntoView({ block: "nearest" });

/** How much of a code is shown. */
const MOST_SHOWN = 24;

interface Named {
  salesOrderId: number;
  position: number;
  customerSalesOrderId: string;
}

interface Props {
  scans: readonly Scan[];
  /** The lines that are on the batch or offered: they name a line that was refused. */
  known: readonly Named[];
  onAgain: (scan: Scan) => void;
  onDrop: (scan: Scan) => void;
}

export function Scans({ scans, known, onAgain, onDrop }: Props) {
  const { t } = useTranslation(["batches", "shared"]);

  function nameOf({ on, line, code }: Scan): string {
    if (on !== null) return t("line", { po: on.customerSalesOrderId, position: on.position });
    const found = known.find(
      (each) => each.salesOrderId === line?.salesOrderId && each.position === line.position,
    );
    if (found !== undefined) {
      return t("line", { po: found.customerSalesOrderId, position: found.position });
    }
    if (line !== null) return `${line.salesOrderId}-${line.position}`;
    const text = code ?? "";
    return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  }

  return (
    <ul className="ob-stack ob-stack--tight" aria-live="polite" aria-label={t("scans.title")}>
      {scans.map((scan) => {
        const name = nameOf(scan);
        if (scan.state === "waiting") {
          return (
            <li key={scan.id} className="ob-note ob-breaks">
              <strong>{name}</strong> {t("scans.waiting")}
            </li>
          );
        }
        if (scan.state === "on") {
          return (
            <li key={scan.id} className="ob-note ob-breaks">
              <strong>{name}</strong> {t("scans.on", { count: scan.on?.quantity ?? 0 })}
            </li>
          );
        }
        return (
          <li
            key={scan.id}
            ref={showWhole}
            className="ob-note ob-note--danger ob-row ob-apart"
            role="alert"
          >
            <span className="ob-breaks">
              <strong>{name}:</strong> {scan.why?.text}
            </span>
            <span className="ob-row">
              {scan.why?.again === true && (
                <Button onClick={() => onAgain(scan)}>{t("shared:action.retry")}</Button>
              )}
              <Button
                icon={<CloseOutlined aria-hidden />}
                aria-label={t("scans.drop", { line: name })}
                onClick={() => onDrop(scan)}
              />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
