/** Header of a station: the process, who works there, and the dialogs for a code and a PIN. */
import ScanOutlined from "@ant-design/icons/es/icons/ScanOutlined";
import UserOutlined from "@ant-design/icons/es/icons/UserOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { useScannerTyping } from "@/shared/scanning/scanning";
import { lazyPart } from "@/shared/ui/lazyPart";
import { FOCUS_HOME } from "./hands";
import type { Asking, Show, Worker } from "./types";
import { isBadge, type useOpened } from "./useOpened";

const ScanDialog = lazyPart(() => import("@/shared/scanning/ScanDialog"), "dialog");
const OperatorDialog = lazyPart(() => import("./OperatorDialog"), "dialog");

/**
 * At a station, even a short text that is typed this fast is a scan, and a slow scan must not press
 * the focused button.
 */
const SHORTEST = 3;
const SCANNING = { isShort: (text: string) => text.length >= SHORTEST, slowly: true };

interface Props {
  station: Station;
  worker: Worker;
  opened: ReturnType<typeof useOpened>;
  asking: Asking;
  onAsk: (asking: Asking) => void;
  show: Show;
}

export function StationHead({ station, worker, opened, asking, onAsk, show }: Props) {
  const { t } = useTranslation("station");

  function ask(next: Asking): void {
    opened.clearProblem();
    onAsk(next);
  }

  async function take(code: string): Promise<void> {
    if (asking === "operator" && !isBadge(code)) {
      // Digits alone are a PIN, which the dialog reads itself.
      if (!/^\d+$/.test(code)) opened.refuse(t("operator.first"));
    } else if (await opened.scan(code)) onAsk(null);
  }

  useScannerTyping((code) => void take(code), SCANNING);

  return (
    <header className="ob-row ob-station__head">
      <h1 {...FOCUS_HOME}>{station.process.productionProcessName}</h1>
      <Button
        className="ob-station__button"
        icon={<UserOutlined aria-hidden />}
        aria-label={t("operator.button", { name: worker.fullName })}
        onClick={() => ask("operator")}
      >
        {worker.fullName}
      </Button>
      <Button
        className="ob-station__button"
        type="primary"
        icon={<ScanOutlined aria-hidden />}
        onClick={() => ask("scan")}
      >
        {t("scan.button")}
      </Button>
      {asking === "scan" && (
        <ScanDialog onCode={opened.scan} problem={opened.problem} onClose={() => onAsk(null)} />
      )}
      {asking === "operator" && (
        <OperatorDialog
          station={station}
          worker={worker}
          show={show}
          problem={opened.problem}
          onProblem={opened.clearProblem}
          onClose={() => ask(null)}
        />
      )}
    </header>
  );
}
