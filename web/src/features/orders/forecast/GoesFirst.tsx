/**
 * Show how much earlier the line would be done if it went before all others, and which lines this
 * would delay. Changes nothing.
 */
import Button from "antd/es/button";
import Skeleton from "antd/es/skeleton";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { GoesFirst as Answer, Line } from "@/contract";
import { Forecast } from "@/entities/forecast/Forecast";
import { DAY, durationWords } from "@/entities/standing/standing";
import { scannedPath } from "@/entities/scanning/openLine";
import { LoadFailed } from "@/shared/ui/states";
import { useGoesFirst } from "../orders.api";

export function GoesFirst({ line }: { line: Line }) {
  const { t } = useTranslation("forecast");
  const [asked, setAsked] = useState(false);
  const { data, error, mutate } = useGoesFirst(line.salesOrderId, line.position, asked);
  return (
    <section aria-labelledby="goes-first">
      <h3 id="goes-first">{t("first.title")}</h3>
      <p className="ob-quiet ob-below">{t("first.hint")}</p>
      {/* Keep the button after the press, so that it keeps the focus. */}
      <Button
        loading={asked && data === undefined && error === undefined}
        onClick={() => (asked ? void mutate() : setAsked(true))}
      >
        {t("first.ask")}
      </Button>
      <div role="status">
        {asked && data === undefined && error === undefined && (
          <Skeleton active title={false} paragraph={{ rows: 3 }} />
        )}
        {data !== undefined && <Answered answer={data} />}
      </div>
      {asked && data === undefined && error !== undefined && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
    </section>
  );
}

function Answered({ answer }: { answer: Answer }) {
  const { t } = useTranslation("forecast");
  const { t: ageOf } = useTranslation("standing");
  const { forecastWhy, p80, gainDays, onTime, delayed, delayedCount } = answer;
  if (forecastWhy !== null || p80 === null) return <p>{t(`why.${forecastWhy ?? "notYet"}`)}</p>;
  if (gainDays <= 0) return <p>{t("first.noGain")}</p>;
  const more = delayedCount - delayed.length;
  return (
    <>
      <p className="ob-strong">
        {t("first.gain", { p80, age: durationWords(gainDays * DAY, ageOf) })}
      </p>
      {onTime !== null && <p>{t("first.onTime", { percent: Math.round(100 * onTime) })}</p>}
      <p className="ob-above">
        {delayedCount === 0 ? t("first.delaysNone") : t("first.delays", { count: delayedCount })}
      </p>
      {delayed.length > 0 && (
        <table className="ob-plain-table ob-why__figures">
          <thead>
            <tr>
              <th scope="col">{t("column.line")}</th>
              <th scope="col">{t("column.delivery")}</th>
              <th scope="col">{t("column.forecast")}</th>
              <th scope="col">{t("column.longer")}</th>
            </tr>
          </thead>
          <tbody>
            {delayed.map((one) => (
              <tr key={`${one.salesOrderId} ${one.position}`}>
                <th scope="row">
                  <Link to={scannedPath(one.salesOrderId, one.position)}>
                    {one.customerSalesOrderId} · {one.position}
                  </Link>
                </th>
                <td>{one.deliveryDate ?? ""}</td>
                <td>
                  <Forecast forecast={one.forecast} />
                </td>
                <td>{t("days", { count: one.days })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {more > 0 && <p className="ob-quiet">{t("first.more", { count: more })}</p>}
    </>
  );
}
