/** The history's columns. Specification 2, section 2. */
import type { ColumnsType } from "antd/es/table";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import type { ProcessRecord } from "@/contract";
import { formatInstant } from "@/shared/format/plantClock";
import { COLUMNS, compareBy, rowState, type HistoryColumn } from "./rows";

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
} as const satisfies Record<HistoryColumn, string>;

/** Where the window is narrow, a fixed column would leave no room for the others. */
export function historyColumns(
  t: T,
  language: string,
  narrow: boolean,
): ColumnsType<ProcessRecord> {
  return COLUMNS.map((column) => ({
    key: column,
    title: t(TITLES[column]),
    sorter: compareBy(column, language),
    ...(column === "quantity" ? { align: "right" as const } : {}),
    ...(column === "productionProcessName" && !narrow ? { fixed: "left" as const } : {}),
    render: (_, record) => cell(column, record, t),
  }));
}

function cell(column: HistoryColumn, record: ProcessRecord, t: T): ReactNode {
  switch (column) {
    case "productionProcessName":
      return <Process record={record} t={t} />;
    case "inputDate":
      return <Instant at={record.inputDate} />;
    case "outputDate":
      return (
        <>
          <Instant at={record.outputDate} />
          <EarlierExits record={record} t={t} />
        </>
      );
    case "inputNotes":
    case "outputNotes":
      return <span className="ob-history__notes">{record[column]}</span>;
    case "released":
      return record.deletedDate === null ? t("no") : t("yes");
    case "dateOfReprocessing":
      return (
        <>
          <Instant at={record.dateOfReprocessing} />
          {record.releasedBy !== null && (
            <span className="ob-history__aside">
              {t("history.releasedBy", { who: record.releasedBy })}
            </span>
          )}
        </>
      );
    default:
      return record[column];
  }
}

function Process({ record, t }: { record: ProcessRecord; t: T }) {
  const state = rowState(record);
  return (
    <span className="ob-history__process">
      <span>{record.productionProcessName}</span>
      {state === "in-process" && (
        <span className="ob-history__mark ob-history__mark--in">{t("history.inProcess")}</span>
      )}
      {state === "deleted" && <span className="ob-history__mark">{t("history.deleted")}</span>}
    </span>
  );
}

function Instant({ at }: { at: string | null }) {
  return at === null ? null : <time dateTime={at}>{formatInstant(at)}</time>;
}

/** Exits that were taken back by themselves: nothing of a record is ever lost. */
function EarlierExits({ record, t }: { record: ProcessRecord; t: T }) {
  return record.releasedExits.map((exit) => (
    <span key={exit.releasedDate} className="ob-history__aside">
      <s>
        {exit.outputDate === null ? "" : formatInstant(exit.outputDate)} {exit.outputUsername}{" "}
        {exit.outputNotes}
      </s>
      <span>
        {t("history.earlierExit", {
          who: exit.releasedBy ?? "",
          at: formatInstant(exit.releasedDate),
        })}
      </span>
    </span>
  ));
}
