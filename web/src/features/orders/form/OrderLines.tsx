/** Edit the lines of an order in the grid, or add them from a customer's spreadsheet. */
import FileExcelOutlined from "@ant-design/icons/es/icons/FileExcelOutlined";
import SnippetsOutlined from "@ant-design/icons/es/icons/SnippetsOutlined";
import Button from "antd/es/button";
import { useMemo, useRef, useState, type ClipboardEvent, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { useReportedField } from "@/shared/form/FormParts";
import { formatNumber } from "@/shared/format/numbers";
import { PIECES, countable, readTyped } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { asApiError } from "@/shared/http/ApiError";
import { ENDINGS, isCells, usePastedCells } from "@/entities/importing/files";
import { fieldErrors } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { toast } from "@/shared/ui/toast";
import { keysOf } from "@/shared/keysOf";
import { LineGrid, type Place } from "./LineGrid";
import type { Refused } from "./LineRow";
import {
  LINES_MOST,
  problemsOf,
  written,
  type GridLine,
  type LineDates,
  type LineField,
} from "./lines";
import { readPasted, type SheetRow } from "./sheet";
import type { LineActions } from "./useLines";
import type { OfferedDates } from "./useOfferedDays";
import { useOrderFile } from "./useOrderFile";
import type { Sheets } from "./useSheets";

const SheetPreview = lazyPart(() => import("./SheetPreview"));

/** Lines that the server refused, as they were sent. */
export type RefusedLines = readonly { line: GridLine; why: Refused }[];

interface Props {
  lines: readonly GridLine[];
  dates: LineDates;
  tried: boolean;
  refused: RefusedLines;
  /** The days that are offered for new lines, by product. */
  offered: OfferedDates;
  actions: LineActions;
  /**
   * Sheets that are being added. Rows that are not added yet stay while another sheet is pasted.
   */
  pasted: Sheets;
  goTo: Place | null;
  /** Must be stable between renders. */
  onGoTo: (place: Place) => void;
}

export function OrderLines(props: Props) {
  const { lines, dates, tried, refused, offered, actions, pasted, goTo, onGoTo } = props;
  const { t } = useTranslation(["orders", "shared", "forms"]);
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const count = written(lines).length;
  // Missing values are marked on saving; wrong ones disable the button.
  useReportedField(useMemo(() => lines.some(isTypedWrong), [lines]));
  const standing = useMemo(
    () =>
      new Map(
        refused.filter(({ line }) => lines.includes(line)).map(({ line, why }) => [line.id, why]),
      ),
    [refused, lines],
  );

  const { add } = pasted;
  const show = (rows: SheetRow[]) => {
    if (rows.length === 0) toast.error(t("sheet.empty"));
    else add(rows);
  };

  const pasteByHand = usePastedCells((text) => show(readPasted(text)));

  function onPaste(event: ClipboardEvent<HTMLElement>) {
    const { target } = event;
    if (!(target instanceof HTMLElement) || target.dataset["col"] === undefined) return;
    const text = event.clipboardData.getData("text/plain");
    // Notes can have line breaks, so only a tab makes them cells.
    if (target.dataset["col"] === "notes" && !text.includes("\t")) return;
    if (!isCells(text)) return;
    event.preventDefault();
    show(readPasted(text));
  }

  const { reading, takeFile, chooseOf } = useOrderFile(pasted);

  function onDrop(event: DragEvent) {
    // Dropped text goes into the field below the pointer.
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(false);
    void takeFile(event.dataTransfer.files[0]);
  }

  return (
    <div
      className={over ? "ob-lines-box--over" : ""}
      onPaste={onPaste}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <LineGrid
        lines={lines}
        dates={dates}
        tried={tried}
        refused={standing}
        offered={offered}
        actions={actions}
        goTo={goTo}
        onGoTo={onGoTo}
      />
      {tried && count === 0 && (
        <p className="ob-number__why" role="alert">
          {t("form.itemsMissing")}
        </p>
      )}
      {pasted.sheets.map(
        ({ id, left }) =>
          left !== null && (
            <p key={id} className="ob-row ob-note ob-note--warning ob-above" role="status">
              {t("sheet.left", { count: left })}
              <Button onClick={() => pasted.open(id)}>{t("sheet.mend")}</Button>
            </p>
          ),
      )}
      <div className="ob-row ob-apart ob-grid-foot">
        <span className="ob-row">
          <Button icon={<SnippetsOutlined aria-hidden />} onClick={() => void pasteByHand()}>
            {t("forms:file.paste")}
          </Button>
          <Button
            icon={<FileExcelOutlined aria-hidden />}
            loading={reading}
            onClick={() => input.current?.click()}
          >
            {t("sheet.file")}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t("sheet.file")}
            accept={ENDINGS.join()}
            onChange={({ target }) => {
              void takeFile(target.files?.[0]);
              target.value = "";
            }}
          />
        </span>
        <Total lines={lines} />
      </div>
      {pasted.sheets.map((kept) => (
        <SheetPreview
          key={kept.id}
          kept={kept}
          room={LINES_MOST - count}
          reading={reading}
          onChoose={chooseOf(kept)}
          onKeep={pasted.keep}
          onAccept={actions.append}
          onClose={(left) => pasted.close(kept.id, left)}
        />
      ))}
    </div>
  );
}

function isTypedWrong(line: GridLine): boolean {
  return problemsOf(line).some(
    ({ field, why }) =>
      why === "wrong" && (field !== "quantity" || line.quantity.trim() !== "") && field !== "notes",
  );
}

function Total({ lines }: { lines: readonly GridLine[] }) {
  const { t } = useTranslation("orders");
  const language = useLanguage();
  const items = written(lines);
  const counts = items.map((line) => countable(readTyped(line.quantity, PIECES), PIECES));
  // The total is unknown if one quantity is invalid.
  const pieces = counts.every((count) => count !== null)
    ? counts.reduce((sum, count) => sum + count, 0)
    : null;
  if (items.length === 0) return null;
  return (
    <p className="ob-quiet">
      {t("form.total")}: {t("linesCount", { count: items.length })} ·{" "}
      <strong>
        {pieces === null
          ? t("none")
          : t("pieces", { count: pieces, formatted: formatNumber(pieces, language) })}
      </strong>
    </p>
  );
}

/**
 * Find the errors of the server about the lines that were sent: `items.3.quantity` is the quantity
 * of the fourth.
 */
export function refusedLines(reason: unknown, sent: readonly GridLine[]): RefusedLines {
  const found = new Map<GridLine, Refused>();
  for (const { name, errors } of fieldErrors(asApiError(reason))) {
    const [list, place, field] = name;
    const line = list === "items" ? sent[Number(place)] : undefined;
    if (line === undefined || typeof field !== "string") continue;
    const col = (field === "itemId" ? "item" : field) as LineField;
    found.set(line, { ...found.get(line), [col]: errors.join(" ") });
  }
  return [...found].map(([line, why]) => ({ line, why }));
}

/** Return the place of the first refused line, which may be far from the window. */
export function placeOfFirst([first]: RefusedLines, lines: readonly GridLine[]): Place | null {
  if (first === undefined) return null;
  const [col = "item"] = keysOf(first.why);
  return { row: lines.indexOf(first.line), col };
}
