/** Lines inside, or lines that may enter, as rows for a gloved hand. A touch opens the line. */
import { memo, useCallback } from "react";
import { useTranslation } from "react-i18next";
import { sayDay, sayMoment } from "@/shared/format/days";
import { formatNumber } from "@/shared/format/numbers";
import { daysBetween, today } from "@/shared/format/plant";
import { useStable } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { Thumb } from "@/shared/picture/Thumb";
import { useAnswers } from "@/shared/http/data";
import { STATION } from "@/shared/http/keys";
import { CallChip } from "@/entities/talk/CallChip";
import { nameOf } from "./possible";
import { serverTime } from "./serverTime";
import type { Work } from "./types";
import "./WorkList.css";

interface Props {
  /** What a touch is for: to take pieces out, or to bring them in. */
  kind: "in" | "out";
  rows: readonly Work[];
  /** Lines that may enter, but usually go through other processes first. They are folded. */
  later?: readonly Work[];
  now: number;
  onOpen: (line: Work, direction: "in" | "out") => void;
}

const DAY = 24 * 60 * 60_000;

export function WorkList({ kind, rows, later = [], now, onOpen }: Props) {
  const { t } = useTranslation("station");
  const { reload } = useAnswers();
  const title = kind === "out" ? "inside" : "queue";
  const open = useStable((name: string) => {
    const found = [...rows, ...later].find((each) => nameOf(each) === name);
    if (found !== undefined) onOpen(found, kind);
  });
  const renew = useCallback(() => void reload(([path]) => path === STATION), [reload]);
  const row = (work: Work) => {
    const isFresh = work.since !== null && now - Date.parse(work.since) < DAY;
    return (
      <Row
        key={nameOf(work)}
        {...work}
        since={kind === "out" && isFresh ? work.since : null}
        pieces={kind === "out" ? work.maxOut : work.ready || work.maxIn}
        onOpen={open}
        onExpired={renew}
      />
    );
  };
  return (
    <section className="ob-station__list" aria-labelledby={title}>
      <h2 id={title}>
        {t(title)} <span>{rows.length}</span>
      </h2>
      {rows.length === 0 && <p className="ob-quiet ob-station__empty">{t(`${title}Empty`)}</p>}
      <ul className="ob-stack">{rows.map(row)}</ul>
      {later.length > 0 && (
        <details className="ob-station__later">
          <summary>
            {t("later")} <span>{later.length}</span>
          </summary>
          <ul className="ob-stack">{later.map(row)}</ul>
        </details>
      )}
    </section>
  );
}

interface RowProps extends Work {
  /** Pieces that may be moved. */
  pieces: number;
  onOpen: (name: string) => void;
  onExpired: () => void;
}

/** Memoized, because each press changes the station several times, but only one or two rows. */
const Row = memo(function Row({ pieces, onOpen, onExpired, ...row }: RowProps) {
  const { t } = useTranslation(["station", "standing"]);
  const language = useLanguage();
  const { deliveryDate, late } = row;
  const day = today(new Date(serverTime()));
  return (
    <li>
      <button
        type="button"
        className="ob-bar ob-surface ob-work"
        onClick={() => onOpen(nameOf(row))}
      >
        <Thumb address={row.image} onExpired={onExpired} />
        <span className="ob-stack ob-stack--tight ob-fill">
          <span className="ob-words ob-work__head">
            <strong>{row.customerSalesOrderId}</strong>
            <span>{t("line", { position: row.position })}</span>
          </span>
          <span className="ob-breaks">{row.itemName}</span>
          <span className="ob-words ob-work__more">
            {late && deliveryDate !== null && (
              <em className="ob-wrong">
                {t("standing:late", { count: daysBetween(deliveryDate, day) })}
              </em>
            )}
            {deliveryDate !== null && t("due", { date: sayDay(deliveryDate, language, day) })}
            {row.since !== null && (
              <span>
                {sayMoment(row.since, language, day)} · {row.by}
              </span>
            )}
            {row.call !== null && <CallChip call={row.call} pending={row.call.pending} />}
            {row.waits && <em>{t("waits")}</em>}
          </span>
        </span>
        <span className="ob-work__pieces">
          <strong>{formatNumber(pieces, language)}</strong>
          <span>{t("of", { quantity: row.quantity })}</span>
        </span>
      </button>
    </li>
  );
});
