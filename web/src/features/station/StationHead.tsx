/** Header of a station: the process, who works there, and the dialogs for a code and a PIN. */
import ScanOutlined from "@ant-design/icons/es/icons/ScanOutlined";
import UserOutlined from "@ant-design/icons/es/icons/UserOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { isCovered } from "@/shared/keyboard/shortcuts";
import { useScannerTyping } from "@/entities/scanning/scanning";
import { useMayMove } from "@/shared/session/session";
import { lazyPart } from "@/shared/ui/lazyPart";
import { toast } from "@/shared/ui/toast";
import { FOCUS_HOME } from "./hands";
import type { Asking, Show, Worker } from "./types";
import { isBadge, type useOpened } from "./useOpened";

const ScanDialog = lazyPart(() => import("@/entities/scanning/ScanDialog"), "dialog");
const OperatorDialog = lazyPart(() => import("./OperatorDialog"), "dialog");

/**
 * At a station, even a short text that is typed this fast is a scan, and a slow scan must not press
 * the focused button.
 */
const SHORTEST = 3;
const SCANNING = { isShort: (text: string) => text.length >= SHORTEST, slowly: true };
/** Dialogs, menus and questions over the station, but not the opened line: a scan replaces that. */
const OVER_THE_STATION =
  '[role="dialog"]:not(.ob-opened), [role="alertdialog"], [role="menu"], .ant-popconfirm';

const COVERED_SECONDS = 6;

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
  const isSomebody = useMayMove() || worker.operatorToken !== null;
  const name = worker.fullName;

  function ask(next: Asking): void {
    opened.clearProblem();
    onAsk(next);
  }

  async function take(code: string): Promise<void> {
    if (asking === "operator" && !isBadge(code)) {
      // Digits alone are a PIN, which the dialog reads itself.
      if (!/^\d+$/.test(code)) opened.refuse(t("operator.first"));
    } else if (asking === null && isCovered(OVER_THE_STATION)) {
      // A line that opened behind the dialog would be hidden, or moved by mistake.
      show("no");
      toast.error(t("scan.covered"), COVERED_SECONDS);
    } else if (await opened.scan(code)) onAsk(null);
  }

  useScannerTyping((code) => void take(code), SCANNING);

  return (
    <header className="ob-row ob-station__head">
      <h1 {...FOCUS_HOME}>{station.process.productionProcessName}</h1>
      <Button
        className="ob-station__button ob-station__worker"
        icon={<UserOutlined aria-hidden />}
        aria-label={isSomebody ? t("operator.button", { name }) : t("operator.title")}
        onClick={() => ask("operator")}
      >
        {isSomebody ? t("operator.welcome", { name }) : t("operator.title")}
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
