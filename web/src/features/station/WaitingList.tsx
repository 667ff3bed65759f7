/**
 * Movements that the server has not accepted yet: those on their way, and those that a user must
 * decide about.
 */
import Button from "antd/es/button";
import Popconfirm from "antd/es/popconfirm";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { sayMoment } from "@/shared/format/days";
import { useNow, useStable } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { isWeightRefusal } from "@/entities/weight/weights";
import { laneOf } from "./queue/MovementQueue";
import { AT_ONCE } from "./queue/sending";
import type { Movement, Refused } from "./queue/storage";
import { movements as queue, useMovements } from "./queue/useMovements";
import { useMovementWords } from "./useMovementWords";

const EVERY_SECOND = 1_000;
/** Codes of a refusal because the author may not make the movement. */
const LACKS_RIGHT = new Set(["not_your_process", "permission_denied"]);
/**
 * Whether a retry would be refused too: the author may not make the movement, or its weight is
 * refused.
 */
const isRefusedAgain = ({ code }: Refused) => LACKS_RIGHT.has(code) || isWeightRefusal(code);

interface Props {
  processId: number;
  /** Called with the line of each movement that the worker takes back. */
  onTakeBack: (line: Movement["line"]) => void;
}

export function WaitingList({ processId, onTakeBack }: Props) {
  const { t } = useTranslation("station");
  const takeBack = useStable(({ key, line }: Movement) => {
    void queue.takeBack(key);
    onTakeBack(line);
  });
  const { movements, reached, awaited } = useMovements();
  const now = useNow(EVERY_SECOND);
  // Do not list movements that the server accepts at once.
  const shown = movements.filter(
    (each) => each.refused !== null || !reached || now - each.turn >= AT_ONCE || awaited.size > 0,
  );
  const refused = shown.filter((each) => each.refused !== null);
  const waiting = shown.length - refused.length;
  if (shown.length === 0) return null;
  return (
    <section className="ob-waiting" aria-labelledby="waiting">
      <h2 id="waiting" role="status">
        {[
          refused.length > 0 && t("waiting.refusedTitle", { count: refused.length }),
          waiting > 0 && t("waiting.title", { count: waiting }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </h2>
      <ul className="ob-stack">
        {[...refused, ...shown.filter((each) => each.refused === null)].map((movement) => (
          <Waiting
            key={movement.key}
            movement={movement}
            here={movement.productionProcessId === processId}
            behind={isBehind(movement, movements)}
            awaited={awaited.has(movement.userId)}
            onTakeBack={takeBack}
          />
        ))}
      </ul>
    </section>
  );
}

/** Whether an earlier movement of the line was refused. Later ones wait until it is settled. */
function isBehind(movement: Movement, all: readonly Movement[]): boolean {
  return all.some(
    (each) =>
      each.refused !== null &&
      each.undo === null &&
      each.turn < movement.turn &&
      laneOf(each) === laneOf(movement),
  );
}

interface RowProps {
  movement: Movement;
  here: boolean;
  behind: boolean;
  awaited: boolean;
  onTakeBack: (movement: Movement) => void;
}

/** Memoized, because hundreds may wait and each one that is sent changes the list three times. */
const Waiting = memo(function Waiting({ movement, here, behind, awaited, onTakeBack }: RowProps) {
  const { t } = useTranslation("station");
  const language = useLanguage();
  const words = useMovementWords();
  const { refused, undo, line, userName: name, productionProcessName: process } = movement;
  const what =
    undo === null ? words.toDo(movement) : t("waiting.undo", { what: words.toDo(movement) });
  return (
    <li
      className={
        refused === null
          ? "ob-surface ob-row ob-waiting__row"
          : "ob-surface ob-row ob-waiting__row ob-waiting__row--no"
      }
    >
      <span className="ob-station__what">
        <strong>{what}</strong> {line.customerSalesOrderId} ·{" "}
        {t("line", { position: line.position })}
        <small className="ob-quiet">
          {t("waiting.at", { time: sayMoment(movement.madeAt, language), name })}
          {!here && ` · ${t("waiting.elsewhere", { process })}`}
        </small>
        {refused === null ? (
          <small className="ob-quiet">
            {behind
              ? t("waiting.behind")
              : awaited
                ? t("waiting.person", { name })
                : t(undo === null ? "waiting.sending" : "done.willUndo")}
          </small>
        ) : (
          <Why movement={movement} refused={refused} />
        )}
      </span>
      <Choices movement={movement} what={what} onTakeBack={onTakeBack} />
    </li>
  );
});

function Why({ movement, refused }: { movement: Movement; refused: Refused }) {
  const { t } = useTranslation("station");
  const why = refused.message;
  const todo =
    refused.code === "made_at_out_of_range"
      ? t("waiting.doTime")
      : LACKS_RIGHT.has(refused.code)
        ? t("waiting.doOther", { name: movement.userName })
        : t(isWeightRefusal(refused.code) ? "waiting.doWeigh" : "waiting.do");
  return (
    <span className="ob-wrong">
      {movement.undo === null ? t("waiting.refused", { why }) : t("waiting.notUndone", { why })}
      <small className="ob-quiet">{movement.undo === null ? todo : t("waiting.doRelease")}</small>
    </span>
  );
}

/** Buttons to decide about a movement. There are none while it is being undone. */
function Choices({
  movement,
  what,
  onTakeBack,
}: Pick<RowProps, "movement" | "onTakeBack"> & { what: string }) {
  const { t } = useTranslation("station");
  const { key, refused, undo, inDoubt, said } = movement;
  const takeBack = () => onTakeBack(movement);
  if (undo !== null) {
    return (
      refused !== null && (
        <Button className="ob-station__button" onClick={takeBack}>
          {t("waiting.understood")}
        </Button>
      )
    );
  }
  // What was said cannot be unsaid: it is sent again until the server answers.
  if (said !== undefined && inDoubt) return null;
  const untimed = refused?.code === "made_at_out_of_range";
  const step = inDoubt ? "undo" : "drop";
  return (
    <>
      {refused !== null && !isRefusedAgain(refused) && (
        <Button className="ob-station__button" onClick={() => void queue.retry(key, { untimed })}>
          {t(untimed ? "waiting.untimed" : "waiting.retry")}
        </Button>
      )}
      <Popconfirm
        title={t(`waiting.${step}Title`)}
        description={t(`waiting.${step}Text`, { what })}
        okText={t(`waiting.${step}Accept`)}
        cancelText={t("waiting.keep")}
        onConfirm={takeBack}
      >
        <Button className="ob-station__button">{t(inDoubt ? "done.undo" : "waiting.drop")}</Button>
      </Popconfirm>
    </>
  );
}
