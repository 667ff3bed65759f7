/**
 * Show the reasons for a line's forecast, the forecast of each day, and the effect if the line went
 * first.
 */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import Skeleton from "antd/es/skeleton";
import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ForecastReasons, Line } from "@/contract";
import { sayDays } from "@/shared/format/days";
import { ageWords } from "@/entities/standing/standing";
import { formatDay } from "@/shared/format/plant";
import { useFocusBack, useNow } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { scannedPath } from "@/entities/scanning/openLine";
import { LoadFailed } from "@/shared/ui/states";
import { TALL_DIALOG } from "@/shared/ui/tallDialog";
import { useForecastReasons } from "../orders.api";
import { GoesFirst } from "./GoesFirst";
import "./forecast.css";

interface Props {
  line: Line;
  onClose: () => void;
}

export default function WhyDialog({ line, onClose }: Props) {
  const { t } = useTranslation(["forecast", "shared"]);
  useFocusBack();
  const { data, error, mutate } = useForecastReasons(line.salesOrderId, line.position);
  return (
    <Modal
      open
      centered
      width={720}
      styles={TALL_DIALOG}
      title={t("dialog", { position: line.position, po: line.customerSalesOrderId })}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{t("shared:action.close")}</Button>}
    >
      {data === undefined && error === undefined && (
        <Skeleton active title={false} paragraph={{ rows: 8 }} />
      )}
      {data === undefined && error !== undefined && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
      {data !== undefined && (
        <div className="ob-stack ob-stack--wide">
          <Chances line={line} reasons={data} />
          {data.forecastWhy !== "finished" && (
            <>
              <LikeLines reasons={data} />
              {data.spent.length > 0 && <Spent reasons={data} />}
              {data.forecast !== null && <GoesFirst line={line} />}
            </>
          )}
          <KeptForecasts reasons={data} />
        </div>
      )}
    </Modal>
  );
}

const DAY = 86_400_000;

/** The days and their chances in words, and where the line is. */
function Chances({ line, reasons }: { line: Line; reasons: ForecastReasons }) {
  const { t } = useTranslation("forecast");
  const { t: ageOf } = useTranslation("standing");
  const now = useNow(60_000);
  const { forecast, forecastWhy, where, days } = reasons;
  const { deliveryDate: day, offeredDate: offered } = line;
  const said: string[] = [];
  if (forecast !== null) {
    const { p10, p50, p80, p90, onTime } = forecast;
    said.push(t("chances", { p10, p50, p80, p90 }));
    if (line.late && day !== null) said.push(t("late", { day }));
    else if (day === null) said.push(t("noDue"));
    else if (onTime !== null) said.push(t("due", { percent: Math.round(100 * onTime), day }));
  } else if (forecastWhy === "tooFewDone") {
    said.push(t("missing", { count: reasons.finished, needed: reasons.needed }));
  } else if (forecastWhy === "tooFewLike") {
    said.push(t("missingLike", { needed: reasons.needed }));
  } else if (forecastWhy !== null) said.push(t(`why.${forecastWhy}`));
  if (offered !== null) {
    said.push(
      day === null ? t("offeredNone", { offered }) : t("offered", { offered, chosen: day }),
    );
  }
  const since = new Date(now - days * DAY).toISOString();
  const place = { process: reasons.productionProcessName, age: ageWords(since, now, ageOf) };
  return (
    <div className="ob-stack ob-stack--tight">
      {forecastWhy !== "finished" && <p className="ob-strong">{t(`where.${where}`, place)}</p>}
      {said.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

function LikeLines({ reasons }: { reasons: ForecastReasons }) {
  const { t } = useTranslation("forecast");
  const { like, likeCount } = reasons;
  return (
    <Part title={t("like")}>
      <p className="ob-quiet ob-below">
        {likeCount === 0 ? t("likeNone") : t("likeHint", { count: likeCount })}
      </p>
      {like.length > 0 && (
        <table className="ob-plain-table ob-why__figures">
          <thead>
            <tr>
              <th scope="col">{t("column.line")}</th>
              <th className="ob-why__text" scope="col">
                {t("column.product")}
              </th>
              <th scope="col">{t("column.left")}</th>
              <th scope="col">{t("column.done")}</th>
            </tr>
          </thead>
          <tbody>
            {like.map((one) => (
              <tr key={`${one.salesOrderId} ${one.position}`}>
                <th scope="row">
                  <Link to={scannedPath(one.salesOrderId, one.position)}>
                    {one.customerSalesOrderId} · {one.position}
                  </Link>
                </th>
                <td className="ob-why__text ob-breaks">
                  {one.itemName}
                  {one.sameProduct && <span className="ob-quiet"> · {t("sameProduct")}</span>}
                </td>
                <td>{t("days", { count: one.days })}</td>
                <td>{one.doneAt === null ? "" : formatDay(one.doneAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Part>
  );
}

/** Show where similar lines spent their time, which is mostly waiting. */
function Spent({ reasons: { spent } }: { reasons: ForecastReasons }) {
  const { t } = useTranslation("forecast");
  const longest = Math.max(...spent.map(({ days }) => days), 0.1);
  return (
    <Part title={t("spent")}>
      <table className="ob-plain-table ob-why__figures">
        <thead>
          <tr>
            <th scope="col">{t("column.where")}</th>
            <th scope="col">{t("column.time")}</th>
          </tr>
        </thead>
        <tbody>
          {spent.map(({ where, productionProcessId, productionProcessName: process, days }) => (
            <tr key={`${where} ${productionProcessId}`}>
              <th scope="row">
                {where === "start" && t("spentStart")}
                {where === "in" && t("spentIn", { process })}
                {where === "out" && t("spentOut", { process })}
                <span
                  className={where === "in" ? "ob-why__bar" : "ob-why__bar ob-why__bar--wait"}
                  style={{ width: `${Math.round((100 * days) / longest)}%` }}
                  aria-hidden
                />
              </th>
              <td>{t("days", { count: days })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}

/** The line's own forecasts over time, the newest first. */
function KeptForecasts({ reasons: { kept } }: { reasons: ForecastReasons }) {
  const { t } = useTranslation("forecast");
  const language = useLanguage();
  return (
    <Part title={t("kept")}>
      {kept.length === 0 && <p className="ob-quiet">{t("keptNone")}</p>}
      {kept.length > 0 && (
        <table className="ob-plain-table ob-why__figures">
          <thead>
            <tr>
              <th scope="col">{t("column.day")}</th>
              <th scope="col">{t("column.forecast")}</th>
              <th scope="col">{t("column.delivery")}</th>
              <th scope="col">{t("column.onTime")}</th>
            </tr>
          </thead>
          <tbody>
            {kept.toReversed().map(({ day, p80, due, onTime }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td>{t("by", { day: sayDays(p80, p80, language) })}</td>
                <td>{due ?? ""}</td>
                <td>
                  {onTime === null ? "" : t("percent", { percent: Math.round(100 * onTime) })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Part>
  );
}
