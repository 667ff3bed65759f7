/** Movements that the server has not taken yet: those on their way, and those that somebody must decide about. */
import Button from "antd/es/button";
import Popconfirm from "antd/es/popconfirm";
import { useTranslation } from "react-i18next";
import { formatTime } from "@/shared/format/plant";
import { useNow } from "@/shared/hooks/browser";
import { nameOf } from "./possible";
import { AT_ONCE } from "./queue/sending";
import type { Movement } from "./queue/storage";
import { movements as queue, useMovements } from "./queue/useMovements";
import { useMovementWords } from "./useMovementWords";

const EVERY_SECOND = 1_000;

export function WaitingList({ processId }: { processId: number }) {
  const { t } = useTranslation("station");
  const { movements, reached, awaited } = useMovements();
  const now = useNow(EVERY_SECOND);
  // Movements that the server takes at once are not listed.
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
      <ul>
        {[...refused, ...shown.filter((each) => each.refused === null)].map((movement) => (
          <Waiting
            key={movement.key}
            movement={movement}
            here={movement.productionProcessId === processId}
            behind={isBehind(movement, movements)}
            awaited={awaited.has(movement.userId)}
          />
        ))}
      </ul>
    </section>
  );
}

/** Whether an earlier one of the same line was refused: what follows from it waits for what becomes of it. */
function isBehind(movement: Movement, all: readonly Movement[]): boolean {
  return all.some(
    (each) =>
      each.refused !== null &&
      each.turn < movement.turn &&
      nameOf(each.line) === nameOf(movement.line),
  );
}

interface Props {
  movement: Movement;
  here: boolean;
  behind: boolean;
  awaited: boolean;
}

function Waiting({ movement, here, behind, awaited }: Props) {
  const { t } = useTranslation("station");
  const words = useMovementWords();
  const { refused, line, userName, productionProcessName: process } = movement;
  const what = words.toDo(movement);
  const wrongTime = refused?.code === "made_at_out_of_range";
  return (
    <li className={refused === null ? "ob-waiting__row" : "ob-waiting__row ob-waiting__row--no"}>
      <span className="ob-station__what">
        <strong>{what}</strong> {line.customerSalesOrderId} ·{" "}
        {t("line", { position: line.position })}
        <small>
          {t("waiting.at", { time: formatTime(movement.madeAt), name: userName })}
          {!here && ` · ${t("waiting.elsewhere", { process })}`}
        </small>
        {refused === null ? (
          <small>
            {behind
              ? t("waiting.behind")
              : awaited
                ? t("waiting.person", { name: userName })
                : t("waiting.sending")}
          </small>
        ) : (
          <span className="ob-waiting__why">
            {t("waiting.refused", { why: refused.message })}{" "}
            {t(wrongTime ? "waiting.doTime" : "waiting.do")}
          </span>
        )}
      </span>
      {refused !== null && (
        <Button
          className="ob-station__button"
          onClick={() => void queue.retry(movement.key, { untimed: wrongTime })}
        >
          {t(wrongTime ? "waiting.untimed" : "waiting.retry")}
        </Button>
      )}
      <Popconfirm
        title={t("waiting.dropTitle")}
        description={t("waiting.dropText", { what })}
        okText={t("waiting.dropAccept")}
        cancelText={t("waiting.keep")}
        onConfirm={() => void queue.cancel(movement.key)}
      >
        <Button className="ob-station__button">{t("waiting.drop")}</Button>
      </Popconfirm>
    </li>
  );
}
