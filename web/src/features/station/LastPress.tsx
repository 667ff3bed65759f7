/** Show the last press for five seconds, with a button that undoes it. */
import RollbackOutlined from "@ant-design/icons/es/icons/RollbackOutlined";
import Button from "antd/es/button";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Line, Station } from "@/contract";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { BetweenNote, LossNote } from "@/entities/weight/LossNote";
import { lossOfExit, missingAtEntry } from "@/entities/weight/weights";
import type { Movement } from "./queue/storage";
import { movements, useSettled } from "./queue/useMovements";
import { useMovementWords } from "./useMovementWords";
import { useUndo } from "./useUndo";
import type { Show, Worker } from "./types";

const SECONDS = 5;

interface Props {
  movement: Movement;
  station: Station;
  worker: Worker;
  show: Show;
  onEnd: () => void;
}

export function LastPress({ movement, station, worker, show, onEnd }: Props) {
  const { t } = useTranslation("station");
  const words = useMovementWords();
  const undo = useUndo(station, worker);
  const [left, setLeft] = useState(SECONDS);
  const [busy, setBusy] = useState(false);
  /** Whether a finger is on the button. It stays until the finger leaves it. */
  const [held, setHeld] = useState(false);
  const [line, setLine] = useState<Line | null>(null);

  useSettled(({ movement: { key }, sent }) => {
    if (key !== movement.key) return;
    if (sent.kind === "refused")
      onEnd(); // the list shows it with its reason
    else setLine(sent.line);
  });

  useEffect(() => {
    if (busy || held) return undefined;
    if (left <= 0) {
      onEnd();
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left, busy, held, onEnd]);

  async function takeBack() {
    setBusy(true);
    try {
      const taken = await movements.takeBack(movement.key);
      const found = taken !== "gone" || (await undo.press(movement, line));
      show(found ? "yes" : "no");
      // If it was gone, the toast comes once it is undone.
      if (taken === "dropped") toast.success(t("done.undone"));
      if (taken === "undoing") toast.note(t("done.willUndo"));
      if (!found) toast.error(t("waiting.tooLate"));
    } catch (reason) {
      show("no");
      toastError(reason);
    }
    onEnd();
  }

  const isExit = movement.type === "out" || movement.type === "hand-over";
  const isWeighedExit = isExit && movement.weights?.grams !== undefined;
  const loss =
    line === null || !isWeighedExit
      ? null
      : lossOfExit(line.productionProcesses, movement.productionProcessId);

  const entered =
    movement.to?.productionProcessId ?? (isExit ? null : movement.productionProcessId);
  const missing =
    line === null || entered === null || movement.weights?.grams === undefined
      ? null
      : missingAtEntry(line.productionProcesses, entered);

  return (
    <aside className="ob-row ob-apart ob-station__last" aria-live="polite">
      <p>
        <strong>{words.done(movement)}</strong>{" "}
        <span>
          {movement.line.customerSalesOrderId} · {t("line", { position: movement.line.position })}
        </span>
      </p>
      {loss !== null && <LossNote loss={loss} />}
      {missing !== null && <BetweenNote grams={missing} />}
      <Button
        size="large"
        className="ob-station__button"
        icon={<RollbackOutlined aria-hidden />}
        loading={busy}
        onPointerDown={() => setHeld(true)}
        onPointerUp={() => setHeld(false)}
        onPointerLeave={() => setHeld(false)}
        onClick={() => void takeBack()}
      >
        {busy ? t("done.undoing") : t("done.undoIn", { count: left })}
      </Button>
    </aside>
  );
}
