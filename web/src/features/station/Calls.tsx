/**
 * Calls at a station: three buttons on the opened line call somebody at one touch, and the open
 * calls of the station's lines are answered at one touch. Both wait in the queue if the server is
 * away.
 */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { CallChip } from "@/entities/talk/CallChip";
import { CALL_KINDS, type Call } from "@/entities/talk/talk.api";
import { newKey } from "@/shared/http/client";
import { operatorWorked } from "./operator";
import { lineOf, nameOf } from "./possible";
import type { Said } from "./queue/storage";
import { movements as queue } from "./queue/useMovements";
import { serverTime } from "./serverTime";
import type { Show, Work, Worker } from "./types";

/** Return a function that says something about a line. */
export function useSaying({ process }: Station, worker: Worker, show: Show) {
  return (work: Work, said: Said) => {
    void queue.press({
      type: "talk",
      said,
      to: null,
      quantity: 0,
      notes: "",
      line: lineOf(work, work.image),
      key: newKey(),
      userId: worker.id,
      userName: worker.fullName,
      operatorToken: worker.operatorToken,
      productionProcessId: process.productionProcessId,
      productionProcessName: process.productionProcessName,
      madeAt: new Date(serverTime()).toISOString(),
      undo: null,
    });
    show("yes");
    operatorWorked(worker);
  };
}

export type Saying = ReturnType<typeof useSaying>;

/** The open call of the line, and the buttons that call. */
export function CallButtons({ work, onSay }: { work: Work; onSay: Saying }) {
  const { t } = useTranslation(["station", "talk"]);
  return (
    <div className="ob-stack ob-stack--tight" role="group" aria-label={t("calls.label")}>
      <OpenCall work={work} onSay={onSay} />
      <div className="ob-row">
        {CALL_KINDS.map((kind) => (
          <Button
            key={kind}
            className="ob-station__button"
            danger={kind === "stop"}
            disabled={work.call?.kind === kind}
            onClick={() => onSay(work, { kind, comesTo: null })}
          >
            {t(`talk:kind.${kind}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** The open calls of the station's lines, the oldest first. Renders nothing without one. */
export function StationCalls({ rows, onSay }: { rows: readonly Work[]; onSay: Saying }) {
  const { t } = useTranslation(["station", "talk"]);
  const called = rows
    .filter(({ call }) => call !== null)
    .toSorted((one, other) => Date.parse(one.call!.at) - Date.parse(other.call!.at));
  if (called.length === 0) return null;
  return (
    <section className="ob-surface ob-padded ob-stack" aria-labelledby="station-calls">
      <h2 id="station-calls" role="status">
        {t("talk:calls")} ({called.length})
      </h2>
      <ul className="ob-stack">
        {called.map((work) => (
          <li key={nameOf(work)} className="ob-row ob-large">
            <strong>{work.customerSalesOrderId}</strong>
            <span>{t("line", { position: work.position })}</span>
            <OpenCall work={work} onSay={onSay} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OpenCall({ work, onSay }: { work: Work; onSay: Saying }) {
  const { t } = useTranslation("talk");
  const { call, customerSalesOrderId: po, position } = work;
  if (call === null) return null;
  const come = ({ id, kind }: Call) => onSay(work, { kind, comesTo: id });
  return (
    <span className="ob-row">
      <CallChip call={call} pending={call.pending} />
      {!call.pending && (
        <Button
          type="primary"
          className="ob-station__button"
          aria-label={t("comeTo", { kind: t(`kind.${call.kind}`), po, position })}
          onClick={() => come(call)}
        >
          {t("come")}
        </Button>
      )}
    </span>
  );
}
