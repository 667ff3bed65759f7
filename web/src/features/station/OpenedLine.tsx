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
import type { Station, StationScan } from "@/contract";
import { activityOf, isAbout, useActivityText } from "@/live/lineActivity";
import { useLastByOthers } from "@/live/useLastByOthers";
import { sayDay } from "@/shared/format/days";
import { useView } from "@/shared/http/store";
import { useLanguage } from "@/shared/i18n";
import { Standing } from "@/shared/standing/Standing";
import { Amount } from "./Amount";
import { FOCUS_HOME } from "./hands";
import { Notes } from "./Notes";
import { PassedNotes } from "./PassedNotes";
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
  /** Another code is being read, so nothing may be pressed. */
  reading: boolean;
  onDraft: (draft: Draft) => void;
  onClose: () => void;
  onPress: (what: Pressed) => Promise<void>;
}

export function OpenedLine(props: Props) {
  const { station, worker, turn, draft, resumed, problem, reading } = props;
  const { onDraft, onClose, onPress } = props;
  const { work, direction, scan } = props.line;
  const shown = useView(scan?.line ?? null);
  const { t } = useTranslation(["station", "shared"]);
  const language = useLanguage();
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
  // What waits here, even if more may enter: the rest is still in earlier processes.
  const whole = type === "in" && work.ready > 0 ? Math.min(work.ready, most) : most;
  const quantity = typed === null ? whole : Number(typed);
  const wrong = quantity < 1 || quantity > most;
  const targets = type === "out" ? (scan?.handOver ?? []) : [];
  const others = targets.filter(({ usual }) => !usual);
  const isMovable = work.maxOut > 0 || mayEnter > 0;
  // What this tablet has not sent yet is not in the sentence.
  const standing = shown !== null && !work.waits && <Standing line={shown} />;

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

  const handOver = (offer: StationScan["handOver"][number]) => {
    const { maxQuantity, productionProcessId, productionProcessName: name } = offer;
    const to = { productionProcessId, productionProcessName: name };
    return (
      <Button
        key={productionProcessId}
        block
        className="ob-opened__over"
        disabled={reading || wrong || quantity > maxQuantity}
        onClick={() => void onPress(movement(to))}
      >
        {said(to)}
        {!wrong && quantity > maxQuantity && (
          <small>{t("amount.onlyIn", { count: maxQuantity })}</small>
        )}
      </Button>
    );
  };

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
          <div className="ob-stack">
            <p className="ob-opened__item">{work.itemName}</p>
            <p className="ob-quiet ob-large">
              {work.customerName}
              {work.deliveryDate !== null &&
                ` · ${t("due", { date: sayDay(work.deliveryDate, language) })}`}
              {work.late && standing === false && <em className="ob-wrong"> {t("late")}</em>}
            </p>
            {isMovable && standing !== false && <p className="ob-large">{standing}</p>}
            {shown !== null && <Instructions line={shown} />}
            {shown !== null && <PassedNotes records={shown.productionProcesses} />}
          </div>
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
          {work.notes !== "" && (
            <p className="ob-opened__notes ob-opened__notes--line">{work.notes}</p>
          )}
          {!isMovable ? (
            <p
              className="ob-stack ob-note ob-note--warning ob-doubtful ob-large ob-strong ob-station__band--loud"
              role="alert"
            >
              <span>
                {t("why")}
                {scan?.why !== null && scan?.why !== undefined && `: ${scan.why.message}`}
              </span>
              {standing}
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
                disabled={reading || wrong}
                onClick={() => void onPress(movement(null))}
              >
                {said(null)}
              </Button>
              {targets.filter(({ usual }) => usual).map(handOver)}
              {others.length > 0 && (
                <details className="ob-station__later">
                  <summary>{t("others", { count: others.length })}</summary>
                  <div className="ob-stack">{others.map(handOver)}</div>
                </details>
              )}
              <Amount
                type={type}
                whole={whole}
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

/** How the line is made: measures, and components with their materials. */
function Instructions({ line }: { line: StationScan["line"] }) {
  const { t } = useTranslation("station");
  return (
    <div className="ob-stack ob-opened__how">
      {line.measures !== "" && (
        <p>
          {t("how.measures")}: <strong>{line.measures}</strong>
        </p>
      )}
      {line.components.length > 0 && (
        <ul aria-label={t("how.components")}>
          {line.components.map((component) => (
            <li key={component.componentId}>
              <strong>{component.componentName}</strong> {component.materialName}
              {component.notes !== "" && (
                <span className="ob-opened__notes"> {component.notes}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
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
