/**
 * The opened line, over the whole station: its picture, and one button that says everything a press
 * will do.
 */
import ArrowLeftOutlined from "@ant-design/icons/es/icons/ArrowLeftOutlined";
import UserOutlined from "@ant-design/icons/es/icons/UserOutlined";
import Button from "antd/es/button";
import type { InputRef } from "antd/es/input";
import Segmented from "antd/es/segmented";
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { activityOf, isAbout, useActivityText } from "@/live/lineActivity";
import { useLastByOthers } from "@/live/useLastByOthers";
import { sayDay } from "@/shared/format/days";
import { useQuestion } from "@/shared/form/useQuestion";
import { useView } from "@/shared/http/store";
import { useLanguage } from "@/shared/i18n";
import { isCovered } from "@/shared/keyboard/shortcuts";
import { useOpenAddress } from "@/shared/http/picturePass";
import { mostOfPart, partOf, partProblem } from "@/entities/scrapping/part";
import { ScrapPart } from "@/entities/scrapping/ScrapPart";
import { Standing } from "@/entities/standing/Standing";
import {
  areWrong,
  expectedLoss,
  gramsThatEntered,
  netOf,
  NO_WEIGHTS,
  weightsOf,
} from "@/entities/weight/weights";
import { WeightFields } from "@/entities/weight/WeightFields";
import { Amount } from "./Amount";
import { HandOvers } from "./HandOvers";
import { CallButtons, type Saying } from "./Calls";
import { FOCUS_HOME } from "./hands";
import { Instructions } from "./Instructions";
import { Notes } from "./Notes";
import { PassedNotes } from "./PassedNotes";
import { lineOf, weighsMost } from "./possible";
import { ScrapDetails, ScrapReasons, useScrap } from "./Scrapping";
import { useMovementWords } from "./useMovementWords";
import type { Draft, Opened, Pressed, Weighs, Worker } from "./types";
import "./opened.css";

const OVER_THE_LINE = '[role="dialog"]:not(.ob-opened)';

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
  /** Nothing can be sent now, so a required weight may be left out. */
  offline: boolean;
  onDraft: (draft: Draft) => void;
  onClose: () => void;
  onPress: (what: Pressed) => Promise<void>;
  onSay: Saying;
}

export function OpenedLine(props: Props) {
  const { station, worker, turn, draft, resumed, problem, reading, offline } = props;
  const { onDraft, onClose, onPress, onSay } = props;
  const { work, direction, scan } = props.line;
  const picture = useOpenAddress(work.image);
  const shown = useView(scan?.line ?? null);
  const { t } = useTranslation(["station", "shared"]);
  const language = useLanguage();
  const words = useMovementWords();
  const change = useChangeByOthers(work, worker);
  const dialog = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const weight = useRef<InputRef>(null);
  const focused = useRef("");
  const { ask, question } = useQuestion();
  const { chosen, typed, notes, weights, refused } = draft;

  const { productionProcessId: here, productionProcessName } = station.process;
  const isRequired = work.weighs === "required";
  const mayEnter = station.process.active ? work.maxIn : 0;
  // By default, take out pieces that are inside. A direction that the user chose stays, even if the
  // line changes. A direction from a scan is dropped once no pieces can move that way.
  const isMeant = direction !== null && (direction === "out" ? work.maxOut : mayEnter) > 0;
  const scrap = useScrap(props.line, worker, station);
  const maxOf = { out: work.maxOut, in: mayEnter, scrap: scrap.most };
  const possible = (["out", "in", "scrap"] as const).filter((one) => maxOf[one] > 0);
  const type = chosen ?? (isMeant ? direction : (possible[0] ?? "out"));
  const most = maxOf[type];
  // Propose only the pieces that wait here, even if more may enter: the others are still in earlier
  // processes.
  const whole = type === "in" && work.ready > 0 ? Math.min(work.ready, most) : most;
  const start = type === "scrap" ? 1 : whole;
  const quantity = typed === null ? start : Number(typed);
  // The part belongs to an exit: it stays typed while another direction is looked at.
  const part = type === "out" ? draft.part : null;
  const isPartWrong = partProblem(part, mostOfPart(quantity, scrap.most)) !== null;
  const scrapped = isPartWrong ? undefined : partOf(part, scrap.weighs !== "no");
  const good = quantity - (scrapped?.quantity ?? 0);
  const isMiscounted = quantity < 1 || quantity > most || isPartWrong;
  const mayLack = offline || type === "scrap";
  const lacksWeight = (weighs: Weighs) =>
    weighs !== "no" && areWrong(weights, type, weighs === "required" && !mayLack);
  const records = type === "out" ? (scan?.line.productionProcesses ?? []) : [];
  const exit = { processId: here, pieces: quantity, by: worker.id, part: scrapped };
  const targets = type === "out" ? (scan?.handOver ?? []) : [];
  const weighsAnywhere = weighsMost(work.weighs, ...targets.map(({ weighs }) => weighs));
  const isMovable = possible.length > 0;
  // Hide the server's sentence while movements of the line wait to be sent, because it does not
  // include them.
  const standing = shown !== null && !work.waits && <Standing line={shown} />;

  useModal(onClose);
  useEffect(() => {
    // The answer to a scan may say only later that the weight is required.
    const now = `${turn} ${isRequired}`;
    if (focused.current === now) return;
    focused.current = now;
    const first = isRequired || refused !== null ? weight.current : null;
    (first ?? button.current ?? dialog.current)?.focus();
  }, [turn, isRequired, refused]);

  const movement = (to: Pressed["to"], weighs = work.weighs): Pressed => ({
    type: to === null ? type : "hand-over",
    to,
    quantity,
    ...(scrapped !== undefined && { part: scrapped }),
    notes: notes.trim(),
    weights: weighs === "no" ? {} : weightsOf(weights, type),
    line: lineOf(work, work.image),
  });
  /** All pieces of a lot are asked about once: «Todas» and a reason are two touches beside each other. */
  async function scrapFor(reason: string): Promise<void> {
    const isAll = quantity === most && quantity > 1;
    const counted = { count: quantity, process: productionProcessName };
    if (
      isAll &&
      !(await ask({
        title: t("scrap.all.title", counted),
        text: t("scrap.all.text", { po: work.customerSalesOrderId, position: work.position }),
        accept: t("scrap.all.accept", counted),
        decline: t("scrap.all.decline"),
      }))
    )
      return;
    void onPress({ ...movement(null, scrap.weighs), scrap: { reason, photo: draft.photo } });
  }
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
        <div
          className={`ob-stack ob-opened__what${work.image === null ? "" : " ob-opened__what--pictured"}`}
        >
          {work.image !== null &&
            (picture === null ? (
              <span className="ob-opened__picture" />
            ) : (
              <img
                className="ob-opened__picture"
                src={picture}
                alt={t("picture", { item: work.itemName })}
              />
            ))}
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
            <CallButtons work={work} onSay={onSay} />
          </div>
        </div>
        <div className="ob-stack ob-stack--wide">
          {change !== null && (
            <p className="ob-note ob-note--warning ob-doubtful ob-large ob-strong" role="status">
              {change}. {t(type === "in" ? "amount.onlyIn" : "amount.onlyOut", { count: most })}.
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
              {possible.length > 1 && (
                <Segmented
                  block
                  size="large"
                  className="ob-opened__direction"
                  aria-label={t("direction.label")}
                  value={type}
                  options={possible.map((value) => ({
                    value,
                    label: t(`direction.${value}`),
                  }))}
                  onChange={(value) =>
                    onDraft({ ...draft, chosen: value, typed: null, weights: NO_WEIGHTS })
                  }
                />
              )}
              {type !== "scrap" && weighsAnywhere !== "no" && (
                <WeightFields
                  key={type}
                  ref={weight}
                  type={type}
                  required={isRequired}
                  offline={offline}
                  value={weights}
                  refused={refused}
                  entered={type === "out" ? gramsThatEntered(records, exit) : null}
                  good={scrapped && good}
                  loss={expectedLoss(records, exit, netOf(weights, type))}
                  onChange={(next) => onDraft({ ...draft, weights: next, refused: null })}
                  onEnter={() => button.current?.focus()}
                />
              )}
              {type === "scrap" ? (
                <ScrapReasons
                  question={said(null)}
                  count={quantity}
                  reasons={scrap.reasons}
                  disabled={reading || isMiscounted || lacksWeight(scrap.weighs)}
                  onChoose={(reason) => void scrapFor(reason)}
                />
              ) : (
                <Button
                  ref={button}
                  block
                  type="primary"
                  className={`ob-opened__press ob-opened__press--${type}`}
                  disabled={reading || isMiscounted || lacksWeight(work.weighs)}
                  onClick={() => void onPress(movement(null))}
                >
                  {said(null)}
                </Button>
              )}
              <HandOvers
                offers={targets}
                quantity={good}
                disabled={reading || isMiscounted}
                lacksWeight={(offer) => lacksWeight(weighsMost(work.weighs, offer.weighs))}
                sayMovement={said}
                onPress={(to, { weighs }) =>
                  void onPress(movement(to, weighsMost(work.weighs, weighs)))
                }
              />
              <Amount
                type={type}
                whole={whole}
                most={most}
                start={start}
                typed={typed}
                onType={(next) => onDraft({ ...draft, typed: next })}
              />
              {type === "out" && (
                <ScrapPart
                  value={part}
                  leaving={quantity}
                  mayScrap={scrap.most}
                  reasons={scrap.reasons}
                  weighs={scrap.weighs !== "no"}
                  onChange={(next) => onDraft({ ...draft, part: next })}
                />
              )}
              {type === "scrap" && (
                <ScrapDetails weighs={scrap.weighs} draft={draft} onDraft={onDraft} />
              )}
              <Notes value={notes} onChange={(next) => onDraft({ ...draft, notes: next })} />
            </>
          )}
        </div>
      </div>
      {question}
    </section>,
    document.body,
  );
}

/** Make everything behind the line inert, and close it with Escape. */
function useModal(onClose: () => void): void {
  const onKey = useEffectEvent(
    ({ key }: KeyboardEvent) => key === "Escape" && !isCovered(OVER_THE_LINE) && onClose(),
  );
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
