/**
 * Preview the rows of a spreadsheet before they are added to an order. Refused cells can be
 * corrected here.
 */
import Button from "antd/es/button";
import Segmented from "antd/es/segmented";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FileChoices } from "@/contract";
import { formatNumber } from "@/shared/format/numbers";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { inTheirLanguage } from "@/shared/http/names";
import { useLanguage } from "@/shared/i18n";
import { saveFile } from "@/shared/http/files";
import { csvOf } from "@/entities/importing/files";
import { ImportDialog } from "@/entities/importing/ImportDialog";
import { LoadFailed } from "@/shared/ui/states";
import { LINES_MOST, newLine, type GridLine } from "./lines";
import {
  headsTwice,
  judge,
  productsNamed,
  textOf,
  withCell,
  withProduct,
  type Called,
  type Column,
  type Sheet,
} from "./sheet";
import { SheetTable } from "./SheetTable";
import { columnName, reasonOf } from "./sheetWords";
import type { KeptSheet } from "./useSheets";
import { each, OTHERS, TEXTS } from "./values";
import "./sheet.css";

const COLUMNS: readonly Column[] = ["item", "quantity", ...OTHERS];

interface Props {
  /** The sheet as it was when its preview was first shown. */
  kept: KeptSheet;
  /** How many more lines the order can take. */
  room: number;
  /** The file is being read again. */
  reading: boolean;
  /** Read the file again with these choices. Undefined if the file is no longer at hand. */
  onChoose: ((choices: FileChoices) => void) | undefined;
  /** Must be stable between renders. */
  onKeep: (id: string, part: Pick<KeptSheet, "sheet" | "added">) => void;
  onAccept: (lines: GridLine[]) => void;
  /** `left`: the number of rows that were not added. */
  onClose: (left: number) => void;
}

export default function SheetPreview(props: Props) {
  const { kept, room, reading, onChoose, onKeep, onAccept, onClose } = props;
  const { t } = useTranslation(["orders", "shared", "forms"]);
  const language = useLanguage();
  const [sheet, setSheet] = useState(kept.sheet);
  const [called, setCalled] = useState<Called>(() => new Map());
  // Numbers of the rows already added. They stay in the sheet, because they help to tell its number
  // and date formats.
  const [added, setAdded] = useState<readonly number[]>(kept.added);
  const { id } = kept;
  useEffect(() => onKeep(id, { sheet, added }), [onKeep, id, sheet, added]);
  const [asking, setAsking] = useState(true);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(1);
  /** A message if the last chosen column took its meaning from another column; null if not. */
  const [note, setNote] = useState<string | null>(null);
  const [only, setOnly] = useState<"all" | "refused">("all");
  const tooMany = sheet.rows.length > LINES_MOST;

  const named = useMemo(() => (tooMany ? [] : productsNamed(sheet)), [sheet, tooMany]);
  useEffect(() => {
    const texts = named.filter((text) => !called.has(text));
    if (texts.length === 0) {
      setAsking(false);
      return;
    }
    setAsking(true);
    setFailure(null);
    void (async () => {
      try {
        const answer = await call(api.POST("/api/items/called", { body: { texts } }));
        const found = inTheirLanguage(answer);
        setCalled(
          (now) => new Map([...now, ...found.map((one) => [one.text, one.products] as const)]),
        );
      } catch (reason) {
        setFailure(asApiError(reason));
      }
      setAsking(false);
    })();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- known texts are not looked up again
  }, [named, attempt]);

  const judged = useMemo(
    () => (tooMany ? [] : judge(sheet, called).filter(({ row }) => !added.includes(row.number))),
    [sheet, called, added, tooMany],
  );
  const asked = judged.filter(({ leftOut }) => leftOut === null);
  const accepted = asked.filter(({ refusals }) => refusals.length === 0);
  const refused = asked.length - accepted.length;
  // Hidden rows and footers are no lines unless the user includes them. Other left-out rows wait
  // for an answer.
  const waiting = judged.filter(
    ({ leftOut }) => leftOut !== null && leftOut !== "hidden_rows" && leftOut !== "footer",
  ).length;
  const number = (count: number) => formatNumber(count, language);
  const tooFull = accepted.length > room;
  const sample = (why: "quantitySign" | "dayOrder") =>
    judged.flatMap(({ refusals }) => refusals).find((one) => one.why === why)?.other;
  const signSample = sample("quantitySign");
  const daySample = sample("dayOrder");

  function accept() {
    onAccept(
      accepted.map(({ item, quantity, dates, ...texts }) =>
        newLine({
          item,
          quantity: String(quantity),
          ...dates,
          ...each(TEXTS, (field) => texts[field]),
        }),
      ),
    );
    setAdded([...added, ...accepted.map(({ row }) => row.number)]);
    if (refused + waiting === 0) onClose(0);
    else setOnly("refused");
  }

  // The rows cannot be judged until the products are loaded.
  const unknown = asking || failure !== null;
  const status = tooMany
    ? t("sheet.tooMany", { rows: number(sheet.rows.length), most: number(LINES_MOST) })
    : unknown
      ? failure === null
        ? t("sheet.asking")
        : ""
      : t("sheet.count", {
          count: accepted.length,
          good: number(accepted.length),
          refused: number(refused),
        });

  function download() {
    const { heads = [], columns } = sheet;
    const width = Math.max(heads.length, columns.length);
    const cellsOf = (cells: readonly string[]) =>
      Array.from({ length: width }, (_, place) => cells[place] ?? "");
    const rows = asked
      .filter(({ refusals }) => refusals.length > 0)
      .map(({ row, refusals }) => [
        ...cellsOf(row.cells.map(textOf)),
        refusals.map((refusal) => reasonOf(t, refusal)).join("\n"),
      ]);
    const head = [...cellsOf(heads), t("forms:file.reasons")];
    const file = new Blob([csvOf([head, ...rows])], { type: "text/csv" });
    saveFile(file, `${t("sheet.refusedFile")}.csv`);
  }

  const isShown = !tooMany && failure === null;
  return (
    <ImportDialog
      open={kept.left === null}
      title={t("sheet.title")}
      status={status}
      wrong={tooMany}
      read={
        isShown && sheet.reading !== undefined
          ? { read: sheet.reading, choices: sheet.reading.choices }
          : undefined
      }
      busy={reading}
      onChoose={onChoose}
      columns={
        isShown
          ? {
              columns: sheet.columns.map((column, place) => ({
                head: sheet.heads?.[place] ?? "",
                sample: sampleOf(sheet, place),
                column,
              })),
              options: COLUMNS.map((column) => ({ value: column, label: columnName(t, column) })),
              byHeads: sheet.byHeads,
              twice: headsTwice(sheet),
              note,
              onChange: (columns, moved) => {
                setNote(moved);
                setSheet({ ...sheet, columns: columns as Sheet["columns"] });
              },
            }
          : undefined
      }
      refused={unknown || tooMany ? undefined : { count: refused, onDownload: download }}
      onClose={() => onClose(accepted.length + refused + waiting)}
      actions={
        <Button
          type="primary"
          disabled={unknown || accepted.length === 0 || tooMany || tooFull}
          onClick={accept}
        >
          {t("sheet.add", { count: accepted.length, formatted: number(accepted.length) })}
        </Button>
      }
    >
      {tooFull && !tooMany && (
        <p className="ob-strong ob-wrong" role="alert">
          {t("sheet.tooFull", { count: room, room: number(room), most: number(LINES_MOST) })}
        </p>
      )}
      {failure !== null && <LoadFailed error={failure} onRetry={() => setAttempt(attempt + 1)} />}
      {isShown && (
        <>
          {sheet.above > 0 && (
            <p className="ob-quiet">{t("sheet.above", { count: sheet.above })}</p>
          )}
          {(signSample !== undefined || sheet.sign !== null) && (
            <Question
              text={t("sheet.signQuestion", { text: signSample ?? "1,200" })}
              value={sheet.sign}
              answers={[
                [",", t("sheet.comma")],
                [".", t("sheet.point")],
              ]}
              onChange={(sign) => setSheet({ ...sheet, sign })}
            />
          )}
          {(daySample !== undefined || sheet.order !== null) && (
            <Question
              text={t("sheet.dayQuestion", { text: daySample ?? "03/04/2026" })}
              value={sheet.order}
              answers={[
                ["dayFirst", t("sheet.dayFirst")],
                ["monthFirst", t("sheet.monthFirst")],
              ]}
              onChange={(order) => setSheet({ ...sheet, order })}
            />
          )}
          {refused > 0 && refused < judged.length && (
            <Segmented
              value={only}
              onChange={setOnly}
              options={[
                { value: "all", label: t("sheet.all", { rows: number(judged.length) }) },
                { value: "refused", label: t("sheet.refused", { rows: number(refused) }) },
              ]}
            />
          )}
          <SheetTable
            sheet={sheet}
            judged={judged}
            refusedOnly={only === "refused" && refused > 0}
            loading={asking}
            onCell={(row, column, text) => setSheet(withCell(sheet, row, column, text))}
            onProduct={(row, product) => setSheet(withProduct(sheet, row, product, called))}
          />
        </>
      )}
    </ImportDialog>
  );
}

/** Return an example value of a column, so that the user recognizes the column. */
function sampleOf({ rows }: Sheet, place: number): string {
  return rows.map(({ cells }) => textOf(cells[place])).find((text) => text !== "") ?? "";
}

function Question<V extends string>(props: {
  text: string;
  value: V | null;
  answers: readonly (readonly [V, string])[];
  onChange: (value: V) => void;
}) {
  const { text, value, answers, onChange } = props;
  return (
    <div className="ob-row ob-note ob-note--warning" role="group" aria-label={text}>
      <span className="ob-cut">{text}</span>
      {answers.map(([answer, label]) => (
        <Button
          key={answer}
          type={value === answer ? "primary" : "default"}
          aria-pressed={value === answer}
          onClick={() => onChange(answer)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}
