/** Show a line: its state, actions, work sheet and pieces. Updates live while open. */
import ArrowRightOutlined from "@ant-design/icons/es/icons/ArrowRightOutlined";
import DownOutlined from "@ant-design/icons/es/icons/DownOutlined";
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown";
import Skeleton from "antd/es/skeleton";
import type { TFunction } from "i18next";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Line } from "@/contract";
import { activityOf, isAbout, useActivityText } from "@/live/lineActivity";
import { useOthersAt } from "@/live/LiveProvider";
import { useLastByOthers } from "@/live/useLastByOthers";
import { Forecast } from "@/entities/forecast/Forecast";
import { formatTime } from "@/shared/format/plant";
import { useHand } from "@/shared/hooks/browser";
import { useShortcut } from "@/shared/keyboard/shortcuts";
import { Key, KeyButton } from "@/shared/ui/KeyButton";
import { newBillPath } from "@/entities/newBill";
import { useRecent } from "@/shared/recent";
import { scannedPath } from "@/entities/scanning/openLine";
import { useIsCustomer, useMay, useSignedIn } from "@/shared/session/session";
import { OpenCall } from "@/entities/talk/OpenCall";
import { Standing } from "@/entities/standing/Standing";
import { lazyPart } from "@/shared/ui/lazyPart";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { isToBill } from "../isToBill";
import { useLine } from "../orders.api";
import { usePrinting } from "../printing/usePrinting";
import { useLineActions, type LineActions } from "../useLineActions";
import { isFinished, mayFinish, processChip } from "./pieces";
import { PiecesPanel } from "./PiecesPanel";
import { StatusButton } from "./StatusButton";
import { UndoButton } from "./UndoButton";
import { WorkSheet } from "./WorkSheet";
import "./line.css";

const Talk = lazyPart(() => import("@/entities/talk/Talk"), "unseen");
const LabelsDialog = lazyPart(() => import("@/entities/labels/LabelsDialog"));
const WhyDialog = lazyPart(() => import("../forecast/WhyDialog"));

interface Props {
  salesOrderId: number;
  position: number;
  onClose: () => void;
  /** Whether the actions have keyboard shortcuts: on a page, but not in a dialog. */
  keyed?: boolean;
}

export function LineDetail({ salesOrderId, position, onClose, keyed = false }: Props) {
  const { t } = useTranslation(["orders", "shared"]);
  const { data: line, error, mutate } = useLine(salesOrderId, position);
  const missing = error?.status === 404;
  if (line !== undefined && !missing) {
    return <WholeLine line={line} keyed={keyed} onClose={onClose} />;
  }
  return (
    <div className="ob-stack ob-stack--wide ob-line">
      {error === undefined && <Skeleton active paragraph={{ rows: 12 }} />}
      {missing && (
        <EmptyState drawing="gone" title={t("line.missing")} hint={t("order.missingHint")} />
      )}
      {error !== undefined && !missing && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
      <Button onClick={onClose}>{t("shared:action.close")}</Button>
    </div>
  );
}

function WholeLine(props: { line: Line; keyed: boolean; onClose: () => void }) {
  const { line, keyed, onClose } = props;
  const { t } = useTranslation(["orders", "shared"]);
  const actions = useLineActions(() => line);
  const customer = useIsCustomer();
  const navigate = useNavigate();
  const { customerId } = line;
  const mayBill = useMay("CreateDelivery") && isToBill(line);
  const printing = usePrinting();
  const { salesOrderId, position, customerSalesOrderId: name } = line;
  useRecent({ kind: "line", path: scannedPath(salesOrderId, position), name, position });
  const look = { keyed };
  const offers = (type: "in" | "out") =>
    line.actions.movements.some((movement) => movement.type === type);
  const finishes = mayFinish(line);

  return (
    <article
      className="ob-stack ob-stack--wide ob-line"
      aria-label={t("line.dialog", {
        position: line.position,
        po: line.customerSalesOrderId,
      })}
    >
      <header className="ob-stack ob-line__head">
        <div className="ob-words">
          <h1>
            {t("field.po")} {line.customerSalesOrderId}
          </h1>
          <StatusButton line={line} actions={actions} />
          {!customer && <ProcessButton line={line} actions={actions} />}
          {!isFinished(line) && <LineForecast key={line.id} line={line} />}
        </div>
        <p>
          <Standing line={line} /> <OpenCall line={line} />
        </p>
        <div className="ob-row ob-line__buttons">
          <div className="ob-row ob-line__group">
            {finishes && (
              <KeyButton
                {...look}
                letter="f"
                does="finish"
                type="primary"
                onClick={() => actions.open("status", line, "Done")}
              >
                {t("action.finish")}
              </KeyButton>
            )}
            {mayBill && customerId !== null && (
              <KeyButton
                {...look}
                letter="f"
                does="bill"
                type="primary"
                onClick={() => void navigate(newBillPath({ customerId, lines: [line] }))}
              >
                {t("order.bill", { count: 1 })}
              </KeyButton>
            )}
            {offers("out") && (
              <KeyButton
                {...look}
                letter="s"
                does="leave"
                type="primary"
                onClick={() => actions.open("move", line, "out")}
              >
                {movementWords(line, "out", t)}
              </KeyButton>
            )}
            {offers("in") && (
              <KeyButton
                {...look}
                letter="m"
                does="enter"
                type={offers("out") || finishes ? "default" : "primary"}
                onClick={() => actions.open("move", line, "in")}
              >
                {movementWords(line, "in", t)}
              </KeyButton>
            )}
            <UndoButton line={line} {...look} onUndo={() => actions.open("undo", line)} />
          </div>
          <div className="ob-row ob-line__group ob-line__others">
            {!customer && (
              <>
                <KeyButton
                  {...look}
                  letter="p"
                  does="print"
                  loading={printing.busy}
                  onClick={() => void printing.print([{ salesOrderId, position }])}
                >
                  {t("print.one")}
                </KeyButton>
                <KeyButton
                  {...look}
                  letter="h"
                  does="history"
                  onClick={() => actions.openHistory(line)}
                >
                  {t("action.history")}
                </KeyButton>
                <KeyButton
                  {...look}
                  letter="r"
                  does="release"
                  disabled={!actions.answers("release", line)}
                  title={actions.answers("release", line) ? "" : t("action.nothingToRelease")}
                  onClick={() => actions.open("release", line)}
                >
                  {t("action.release")}
                </KeyButton>
                <MoreActions line={line} actions={actions} keyed={keyed} />
              </>
            )}
            <Button title={t("line.cancelHint")} onClick={onClose}>
              {t("shared:action.close")}
            </Button>
          </div>
        </div>
      </header>
      <OthersHere line={line} />
      <LiveNote line={line} />
      <div className="ob-line__body">
        <WorkSheet line={line} />
        <PiecesPanel line={line} onReplace={() => actions.open("replace", line)} />
      </div>
      {!customer && <Talk line={line} keyed={keyed} />}
      {actions.dialog}
      {printing.dialog}
    </article>
  );
}

/** The menu of a line's other actions: labels, scrap, and the forecasts of a finished line. */
function MoreActions(props: { line: Line; actions: LineActions; keyed: boolean }) {
  const { line, actions, keyed } = props;
  const { t } = useTranslation(["orders", "labels", "forecast"]);
  const hand = useHand();
  const mayPrint = useMay("PrintWorkSheet");
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<"labels" | "why" | null>(null);
  const open = (what: typeof opened) => {
    // The dialog returns the focus to where it was, and the menu is gone by then.
    button.current?.focus();
    setOpened(what);
  };
  const labels = () => open("labels");
  useShortcut({ key: "t", does: "labels", press: labels }, { is: keyed && mayPrint });
  if (!mayPrint && line.actions.scrap.length === 0 && !isFinished(line)) return null;
  const items = [
    ...(mayPrint
      ? [
          {
            key: "labels",
            label: t("labels:open"),
            ...(keyed && !hand ? { extra: <Key letter="t" /> } : {}),
            onClick: labels,
          },
        ]
      : []),
    ...(line.actions.scrap.length > 0
      ? [{ key: "scrap", label: t("action.scrap"), onClick: () => actions.open("scrap", line) }]
      : []),
    ...(isFinished(line)
      ? [{ key: "why", label: t("forecast:earlier"), onClick: () => open("why") }]
      : []),
  ];
  const { salesOrderId, position } = line;
  return (
    <>
      <Dropdown
        trigger={["click"]}
        placement="bottomRight"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the keys then move in the menu that was opened
        autoFocus
        menu={{ items }}
      >
        <Button ref={button} aria-haspopup="menu">
          {t("line.more")}
        </Button>
      </Dropdown>
      {opened === "labels" && (
        <LabelsDialog
          source={{ documents: [{ salesOrderId, position }] }}
          pieces={[line.quantityGood]}
          onClose={() => setOpened(null)}
        />
      )}
      {opened === "why" && <WhyDialog line={line} onClose={() => setOpened(null)} />}
    </>
  );
}

/** Show when the line will probably be done. Staff can open the reasons. */
function LineForecast({ line }: { line: Line }) {
  const { t } = useTranslation("forecast");
  const customer = useIsCustomer();
  const [asked, setAsked] = useState(false);
  const { forecast, forecastWhy, late } = line;
  if (customer && forecast === null) return null;
  return (
    <div className="ob-words">
      <span className="ob-quiet">{t("title")}</span>
      <Forecast forecast={forecast} late={late} due={line.deliveryDate} why={forecastWhy} />
      {!customer && (
        <Button size="small" aria-haspopup="dialog" onClick={() => setAsked(true)}>
          {t("ask")}
        </Button>
      )}
      {asked && <WhyDialog line={line} onClose={() => setAsked(false)} />}
    </div>
  );
}

/** Show which other users have the line open now. */
function OthersHere({ line }: { line: Line }) {
  const { t } = useTranslation("orders");
  const others = useOthersAt(line);
  const names = others.map(({ fullName }) => fullName).join(", ");
  return (
    <p className="ob-bar ob-quiet ob-small ob-others" role="status" aria-label={t("line.others")}>
      {others.length > 0 && (
        <>
          <span className="ob-others__faces" aria-hidden>
            {others.slice(0, MOST_FACES).map(({ id, fullName }) => (
              <span key={id} className="ob-face ob-others__face" title={fullName}>
                {initialsOf(fullName)}
              </span>
            ))}
          </span>
          <span>{t("line.othersHere", { count: others.length, names })}</span>
        </>
      )}
    </p>
  );
}

const MOST_FACES = 5;

const initialsOf = (name: string) =>
  name
    .split(" ")
    .slice(0, 2)
    .map((word) => Array.from(word)[0] ?? "")
    .join("");

/** Show the last change of the line by others, or by the user in another window. */
function LiveNote({ line }: { line: Line }) {
  const { t } = useTranslation("orders");
  const say = useActivityText();
  const me = useSignedIn().user.id;
  const heard = useLastByOthers((event) => isAbout(event, line));

  return (
    <p className="ob-live-note" role="status" aria-label={t("line.news")}>
      {heard !== null && (
        <span className="ob-note ob-live-note__text" key={heard.at}>
          <time dateTime={heard.at}>{formatTime(heard.at)}</time>{" "}
          {say(activityOf(heard), heard.by?.id === me)}
        </span>
      )}
    </p>
  );
}

/** Name the button: the only possible movement with its pieces and process, else only a verb. */
function movementWords(line: Line, type: "in" | "out", t: TFunction<["orders", "shared"]>): string {
  const [one, ...others] = line.actions.movements.filter((movement) => movement.type === type);
  if (one === undefined || others.length > 0)
    return t(type === "in" ? "action.enter" : "action.leave");
  const said = { count: one.maxQuantity, process: one.productionProcessName };
  return t(type === "in" ? "action.enterOne" : "action.leaveOne", said);
}

/** The process chip: a hint at the next movement. It is a button if the server offers one. */
function ProcessButton({ line, actions }: { line: Line; actions: LineActions }) {
  const { t } = useTranslation("orders");
  const chip = processChip(line);
  if (chip === null) return null;
  const isNone = chip.kind === "none";
  const text = isNone ? t("line.noProcess") : t(`line.${chip.kind}`, { process: chip.process });
  const drawn = (
    <span className={`ob-chip ob-chip--plain ${isNone ? "" : "ob-chip--next"}`}>
      {!isNone && <ArrowRightOutlined aria-hidden />}
      {text}
    </span>
  );
  if (!actions.answers("move", line)) return drawn;
  return (
    <button
      type="button"
      className="ob-chip-button"
      aria-haspopup="dialog"
      aria-label={t("line.processChip", { process: text })}
      onClick={() => actions.open("move", line)}
    >
      {drawn}
      <DownOutlined aria-hidden />
    </button>
  );
}
