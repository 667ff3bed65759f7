/** The head of a station: the process, who works there, and the way in for a code that no scanner types. */
import ScanOutlined from "@ant-design/icons/es/icons/ScanOutlined";
import UserOutlined from "@ant-design/icons/es/icons/UserOutlined";
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { useScannerTyping } from "@/shared/scanning/scanning";
import { lazyPart } from "@/shared/ui/lazyPart";
import type { Worker } from "./operator";
import type { Show } from "./StationScreen";

const ScanDialog = lazyPart(() => import("@/shared/scanning/ScanDialog"), "dialog");
const OperatorDialog = lazyPart(() => import("./OperatorDialog"), "dialog");

/** Here even a short text is a scan if it was typed that quickly, and a slow one is no press of what has the focus. */
const SHORTEST = 3;
const HEARING = { isShort: (text: string) => text.length >= SHORTEST, slowly: true };

interface Props {
  station: Station;
  worker: Worker;
  /** False where the code leads nowhere. */
  onCode: (code: string) => Promise<boolean>;
  show: Show;
}

export function StationHead({ station, worker, onCode, show }: Props) {
  const { t } = useTranslation("station");
  const [open, setOpen] = useState<"scan" | "operator" | null>(null);
  useScannerTyping((code) => void onCode(code), HEARING);
  const close = () => setOpen(null);
  return (
    <header className="ob-station__head">
      <h1>{station.process.productionProcessName}</h1>
      <Button
        className="ob-station__button"
        icon={<UserOutlined aria-hidden />}
        aria-label={t("operator.button", { name: worker.fullName })}
        onClick={() => setOpen("operator")}
      >
        {worker.fullName}
      </Button>
      <Button
        className="ob-station__button"
        type="primary"
        icon={<ScanOutlined aria-hidden />}
        onClick={() => setOpen("scan")}
      >
        {t("scan.button")}
      </Button>
      {open === "scan" && <ScanDialog onCode={onCode} onClose={close} />}
      {open === "operator" && (
        <OperatorDialog station={station} worker={worker} show={show} onClose={close} />
      )}
    </header>
  );
}
