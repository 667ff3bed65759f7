/**
 * The opened line, over the whole station: its picture, and one button that says everything a press
 * will do.
 */
import ArrowLeftOutlined from "@ant-design/icons/es/icons/ArrowLeftOutlined";
import UserOutlined from "@ant-design/icons/es/icons/UserOutlined";
import Button from "antd/es/button";
import Segmented from "antd/es/segmented";
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { activityOf, isAbout, useActivityText } from "@/live/lineActivity";
import { useLastByOthers } from "@/live/useLastByOthers";
import { Amount } from "./Amount";
import { FOCUS_HOME } from "./hands";
import { Notes } from "./Notes";
import { lineOf } from "./possible";
import { useMovementWords } from "./useMovementWords";
import type { Draft, Opened, Pressed, Worker } from "./types";
import "./opened.css";

interface Props {
  station: Station;
  line: Opened;
  worker: Worker;
  /** Changes each time the line is opened, even if it is open already. */
  turn: number;
  draft: Draft;
  /** The draft was typed before another line was opened. */
  resumed: boolean;
  problem: string | null;
  onDraft: (draft: Draft) => void;
  onClose: () => void;
  onPress: (what: Pressed) => Promise<void>;
}

export function OpenedLine(props: Props) {
  const { station, worker, turn, draft, resumed, problem, onDraft, onClose, onPress } = props;
  const { work, direction, scan } = props.line;
  const { t } = useTranslation(["station", "shared"]);
  const words = useMovementWords();
  const change = useChangeByOthers(work, worker);
  const dialog = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const focused = useRef<number | null>(null);
  const { chosen, typed, notes } = draft;

  const { productionProcessName } = station.process;
  const mayEnter = station.process.active ? work.maxIn : 0;
  // Pieces that are inside leave first. What the user chose stays, even if the line changes in the
  // meantime; what a scan chose does not, once nothing is left to move that way.
  const isMeant = direction !== null && (direction === "out" ? work.maxOut : mayEnter) > 0;
  const fallback = work.maxOut > 0 || mayEnter === 0 ? "out" : "in";
  const type = chosen ?? (isMeant ? direction : fallback);
  const most = type === "out" ? work.maxOut : mayEnter;
  const quantity = typed === null ? most : Number(typed);
  const wrong = quantity < 1 || quantity > most;
  const targets = type === "out" ? (scan?.handOver ?? []) : [];

  useModal(onClose);
  useEffect(() => {
    if (focused.current === turn) return;
    focused.current = turn;
    (button.current ?? dialog.current)?.focus();
  }, [turn]);

  const movement = (to: Pressed["to"]): Pressed => ({
    type: to === null ? type : "hand-over",
    to,
    quantity,
    notes: notes.trim(),
    line: lineOf(work, work.image),
  });
  const said = (to: Pressed["to"]) => words.toDo({ ...movement(to), productionProcessName });

  return createPortal(
    <section
      ref={dialog}
      className="ob-stack ob-stack--wide ob-opened"
      role="dialog"
      aria-modal
      aria-label={work.customerSalesOrderId}
      {...FOCUS_HOME}
    >
      <header className="ob-words ob-opened__head">
        <Button
          className="ob-station__button"
          icon={<ArrowLeftOutlined aria-hidden />}
          onClick={onClose}
        >
          {t("back")}
        </Button>
        <h2>
          {work.customerSalesOrderId} <span>{t("line", { position: work.position })}</span>
        </h2>
        <p className="ob-last ob-large ob-strong">
          <UserOutlined aria-hidden /> {t("operator.welcome", { name: worker.fullName })}
        </p>
      </header>
      <div className="ob-opened__body">
        <div className="ob-stack ob-opened__what">
          {work.image === null ? (
            <span className="ob-opened__picture ob-opened__picture--none" />
          ) : (
            <img
              className="ob-opened__picture"
              src={work.image}
              alt={t("picture", { item: work.itemName })}
            />
          )}
          <p className="ob-opened__item">{work.itemName}</p>
          <p className="ob-quiet ob-large">
            {work.customerName}
            {work.deliveryDate !== null && ` · ${t("due", { date: work.deliveryDate })}`}
            {work.late && <em className="ob-wrong"> {t("late")}</em>}
          </p>
        </div>
        <div className="ob-stack ob-stack--wide">
          {change !== null && (
            <p className="ob-note ob-note--warning ob-doubtful ob-large ob-strong" role="status">
              {change}. {t(type === "out" ? "amount.onlyOut" : "amount.onlyIn", { count: most })}.
            </p>
          )}
          {resumed && (
            <p className="ob-note ob-note--warning ob-doubtful ob-large ob-strong" role="status">
              {t("resumed")}
            </p>
          )}
          {problem !== null && (
            <p
              className="ob-note ob-note--warning ob-doubtful ob-large ob-strong ob-station__band--loud"
              role="alert"
            >
              {problem}
            </p>
          )}
          {most === 0 && work.maxOut === 0 && mayEnter === 0 ? (
            <p
              className="ob-note ob-note--warning ob-doubtful ob-large ob-strong ob-station__band--loud"
              role="alert"
            >
              {t("why")}
              {scan?.why !== null && scan?.why !== undefined && `: ${scan.why.message}`}
            </p>
          ) : (
            <>
              {work.maxOut > 0 && mayEnter > 0 && (
                <Segmented
                  block
                  size="large"
                  className="ob-opened__direction"
                  aria-label={t("direction.label")}
                  value={type}
                  options={(["out", "in"] as const).map((value) => ({
                    value,
                    label: t(`direction.${value}`),
                  }))}
                  onChange={(value) => onDraft({ ...draft, chosen: value, typed: null })}
                />
              )}
              <Button
                ref={button}
                block
                type="primary"
                className={`ob-opened__press ob-opened__press--${type}`}
                disabled={wrong}
                onClick={() => void onPress(movement(null))}
              >
                {said(null)}
              </Button>
              {targets.map(({ maxQuantity, ...to }) => (
                <Button
                  key={to.productionProcessId}
                  block
                  className="ob-opened__over"
                  disabled={wrong || quantity > maxQuantity}
                  onClick={() => void onPress(movement(to))}
                >
                  {said(to)}
                </Button>
              ))}
              <Amount
                type={type}
                most={most}
                typed={typed}
                onType={(next) => onDraft({ ...draft, typed: next })}
              />
              <Notes value={notes} onChange={(next) => onDraft({ ...draft, notes: next })} />
            </>
          )}
        </div>
      </div>
    </section>,
    document.body,
  );
}

/** Make everything behind the line inert, and close it with Escape. */
function useModal(onClose: () => void): void {
  const onKey = useEffectEvent(({ key }: KeyboardEvent) => key === "Escape" && onClose());
  useLayoutEffect(() => {
    const behind = document.querySelector("#root");
    const onKeyDown = (event: KeyboardEvent) => onKey(event);
    behind?.toggleAttribute("inert", true);
    window.addEventListener("keydown", onKeyDown);
    return () => {
      behind?.toggleAttribute("inert", false);
      window.removeEventListener("keydown", onKeyDown);
    };
  }, []);
}

/** Return what others did to the line while it is open; null if nothing. */
function useChangeByOthers(
  line: { salesOrderId: number; position: number },
  worker: Worker,
): string | null {
  const textOf = useActivityText();
  const change = useLastByOthers((event) => isAbout(event, line), worker.id);
  return change && textOf(activityOf(change));
}
