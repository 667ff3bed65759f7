import Button from "antd/es/button";
import type { ColumnsType } from "antd/es/table";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { ProcessRecord } from "@/contract";
import { formatGrams, formatLossShare } from "@/shared/format/numbers";
import { formatInstant } from "@/shared/format/plant";
import { useShortList } from "@/shared/hooks/useOptions";
import { Thumb } from "@/shared/picture/Thumb";
import type { Language } from "@/shared/language";
import { Grams } from "@/shared/ui/Facts";
import { isOver } from "@/entities/weight/weights";
import {
  COLUMNS,
  compareBy,
  isWeighable,
  isWeighed,
  rowState,
  WEIGHTS,
  type HistoryColumn,
} from "./rows";

type T = TFunction<"orders">;

const TITLES = {
  productionProcessName: "history.process",
  quantity: "history.quantity",
  inputDate: "history.inputDate",
  inputUsername: "history.inputUsername",
  inputNotes: "history.inputNotes",
  outputDate: "history.outputDate",
  outputUsername: "history.outputUsername",
  outputNotes: "history.outputNotes",
  released: "history.released",
  dateOfReprocessing: "history.dateOfReprocessing",
  gramsIn: "history.gramsIn",
  gramsOut: "history.gramsOut",
  lossGrams: "history.loss",
} as const satisfies Record<HistoryColumn, string>;

/** Widths in px. Together they fit 80vw of an office screen. */
const WIDTHS: Record<HistoryColumn, number> = {
  productionProcessName: 140,
  quantity: 84,
  inputDate: 96,
  inputUsername: 112,
  inputNotes: 116,
  outputDate: 96,
  outputUsername: 112,
  outputNotes: 116,
  released: 112,
  dateOfReprocessing: 116,
  gramsIn: 104,
  gramsOut: 104,
  lossGrams: 104,
};
const RIGHT: readonly HistoryColumn[] = ["quantity", ...WEIGHTS];

interface Shown {
  sorts: boolean;
  /** Whether the line has weights, or the user may weigh its records. */
  weighed: boolean;
  /**
   * Open the dialogs to write weights afterwards and to sign for a loss; null if the user may not.
   */
  office: { weigh: OnRecord; sign: OnRecord } | null;
}
type OnRecord = (record: ProcessRecord) => void;

/** Make the columns. `width`: the total width of all columns in px. */
export function historyColumns(
  t: T,
  language: Language,
  { sorts, weighed, office }: Shown,
): { columns: ColumnsType<ProcessRecord>; width: number } {
  const notes = COLUMNS.indexOf("outputNotes") + 1;
  const shown: readonly HistoryColumn[] = weighed
    ? [...COLUMNS.slice(0, notes), ...WEIGHTS, ...COLUMNS.slice(notes)]
    : COLUMNS;
  const columns: ColumnsType<ProcessRecord> = shown.map((column) => ({
    key: column,
    title: t(TITLES[column]),
    ...(sorts ? { sorter: compareBy(column, language) } : {}),
    width: WIDTHS[column],
    ...(RIGHT.includes(column) ? { align: "right" as const } : {}),
    ...(column === "productionProcessName" ? { fixed: "left" as const } : {}),
    render: (_, record) => cell(column, record, t, language, office),
  }));
  return { columns, width: shown.reduce((sum, column) => sum + WIDTHS[column], 0) };
}

function cell(
  column: HistoryColumn,
  record: ProcessRecord,
  t: T,
  language: Language,
  office: Shown["office"],
): ReactNode {
  const aside = (text: string) => (
    <span className="ob-quiet ob-small ob-history__aside">{text}</span>
  );
  const part = (name: "added" | "scrapGrams" | "other", grams: number | null) =>
    grams ? aside(t(`history.${name}`, { grams: formatGrams(grams, language) })) : null;
  switch (column) {
    case "gramsIn":
      return record.gramsIn === null ? null : (
        <>
          <Grams grams={record.gramsIn} />
          {between(record.gramsBetween, t, language)}
          {part("added", record.gramsAdded)}
          {record.gramsOut === null && part("other", record.gramsOther)}
        </>
      );
    case "gramsOut":
      return (
        <>
          {record.gramsOut !== null && <Grams grams={record.gramsOut} />}
          {part("scrapGrams", record.scrapGrams)}
          {record.gramsOut !== null && part("other", record.gramsOther)}
        </>
      );
    case "lossGrams":
      return (
        <>
          {record.lossGrams !== null && (
            <Loss record={record} grams={record.lossGrams} t={t} language={language} />
          )}
          {record.weightReason !== "" && aside(record.weightReason)}
          {record.lossSignedBy !== null &&
            aside(t("history.signedBy", { who: record.lossSignedBy }))}
          {office !== null && (
            <div className="ob-stack ob-stack--tight">
              {record.lossToSign && (
                <Button
                  aria-label={t("sign.of", { process: record.productionProcessName })}
                  onClick={() => office.sign(record)}
                >
                  {t("sign.open")}
                </Button>
              )}
              {isWeighable(record) && (
                <Button
                  aria-label={t(isWeighed(record) ? "weigh.correctOf" : "weigh.of", {
                    process: record.productionProcessName,
                  })}
                  onClick={() => office.weigh(record)}
                >
                  {t(isWeighed(record) ? "weigh.correct" : "weigh.open")}
                </Button>
              )}
            </div>
          )}
        </>
      );
    case "productionProcessName":
      return <Process record={record} t={t} />;
    case "inputDate":
      return <Instant at={record.inputDate} />;
    case "released":
      return record.deletedDate === null || record.undone ? t("no") : t("yes");
    case "dateOfReprocessing":
      return (
        <span className="ob-history__release">
          <Instant at={record.dateOfReprocessing} />
          {record.releasedBy !== null && (
            <span className="ob-quiet ob-small ob-history__aside">
              {t(record.undone ? "history.undoneBy" : "history.releasedBy", {
                who: record.releasedBy,
              })}
            </span>
          )}
          <WhyReleased reason={record.releaseReason} notes={record.releaseNotes} t={t} />
        </span>
      );
    case "outputDate":
    case "outputUsername":
    case "outputNotes":
      return <Exit column={column} record={record} t={t} />;
    default:
      return record[column];
  }
}

/** What was missing at the entry since the last weighing, as doubtful. */
function between(grams: number | null, t: T, language: Language) {
  if (grams === null) return null;
  const shown = formatGrams(Math.abs(grams), language);
  return (
    <span className="ob-doubtful ob-small ob-history__aside">
      {t(grams > 0 ? "history.between" : "history.more", { grams: shown })}
    </span>
  );
}

/** Show the lost metal in grams and per mille. A loss above the allowance is marked as doubtful. */
function Loss(props: { record: ProcessRecord; grams: number; t: T; language: Language }) {
  const { record, grams, t, language } = props;
  const { lossPerMille, allowedLoss } = record;
  const came = (record.gramsIn ?? 0) + (record.gramsAdded ?? 0);
  const over = isOver({ grams, came, allowed: allowedLoss });
  return (
    <span className={over ? "ob-doubtful" : ""}>
      <Grams grams={grams} />
      {lossPerMille !== null && (
        <span className="ob-small ob-history__aside">
          {formatLossShare(lossPerMille, language)}
        </span>
      )}
      {over && allowedLoss !== null && (
        <span className="ob-small ob-history__aside">
          {t("history.allowed", { share: formatLossShare(allowedLoss, language) })}
        </span>
      )}
    </span>
  );
}

type ExitColumn = "outputDate" | "outputUsername" | "outputNotes";

/**
 * Show the exit. Above it, show earlier exits that were taken back while the entry stayed: no exit
 * disappears from the history.
 */
function Exit(props: { column: ExitColumn; record: ProcessRecord; t: T }) {
  const { column, record, t } = props;
  const shown = (exit: Partial<Pick<ProcessRecord, ExitColumn>>) =>
    column === "outputDate" ? <Instant at={exit.outputDate ?? null} /> : exit[column];
  return (
    <>
      {record.releasedExits.map((exit) => (
        <span key={exit.releasedDate} className="ob-quiet ob-history__earlier">
          <s>{shown(exit)}</s>
          {column === "outputNotes" && (
            <span className="ob-quiet ob-small ob-history__aside">
              {t(exit.undone ? "history.undoneExit" : "history.earlierExit", {
                who: exit.releasedBy ?? "",
                at: formatInstant(exit.releasedDate),
              })}
              <WhyReleased reason={exit.releaseReason} notes={exit.releaseNotes} t={t} />
            </span>
          )}
          {column === "outputNotes" && exit.scrapReason && (
            <Scrapped reason={exit.scrapReason} t={t} />
          )}
        </span>
      ))}
      {shown(record)}
      {column === "outputNotes" && record.scrapReason !== null && (
        <Scrapped reason={record.scrapReason} t={t} />
      )}
      {column === "outputNotes" && record.photo !== null && (
        <a className="ob-history__aside" href={record.photo} target="_blank" rel="noreferrer">
          <Thumb address={record.photoThumbnail} alt={t("history.photo")} />
        </a>
      )}
    </>
  );
}

/** Show why the pieces left as scrap. */
export function Scrapped({ reason, t }: { reason: string; t: T }) {
  const { rows } = useShortList("scrap-reasons");
  const name = rows.find(({ key }) => key === reason)?.name ?? reason;
  return (
    <span className="ob-wrong ob-small ob-history__aside">
      {t("history.scrapped", { reason: name })}
    </span>
  );
}

/** Show why the movement was taken back, if a reason or notes were given. */
function WhyReleased(props: {
  reason: string | null | undefined;
  notes: string | null | undefined;
  t: T;
}) {
  const { rows } = useShortList("release-reasons");
  const { reason, notes, t } = props;
  const name = rows.find(({ key }) => key === reason)?.name ?? reason;
  return (
    <>
      {name && (
        <span className="ob-quiet ob-small ob-history__aside">
          {t("history.reason", { reason: name })}
        </span>
      )}
      {notes && <span className="ob-quiet ob-small ob-history__aside">{notes}</span>}
    </>
  );
}

function Process({ record, t }: { record: ProcessRecord; t: T }) {
  const state = rowState(record);
  return (
    <span className="ob-history__process">
      <span>{record.productionProcessName}</span>
      {state === "in-process" && (
        <span className="ob-chip ob-chip--plain ob-chip--working">{t("history.inProcess")}</span>
      )}
      {state === "deleted" && (
        <span className="ob-chip ob-chip--plain">
          {t(record.undone ? "history.undone" : "history.deleted")}
        </span>
      )}
    </span>
  );
}

function Instant({ at }: { at: string | null }) {
  return at === null ? null : <time dateTime={at}>{formatInstant(at)}</time>;
}
