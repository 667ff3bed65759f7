/**
 * Show what the office must do today: each part with a count, its first lines and their actions.
 */
import Button from "antd/es/button";
import Skeleton from "antd/es/skeleton";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Line, LineRow, Today } from "@/contract";
import { markOwnWrite } from "@/live/ownChanges";
import { Forecast } from "@/entities/forecast/Forecast";
import { formatNumber } from "@/shared/format/numbers";
import { useSubmit } from "@/shared/ui/useSubmit";
import { api, call } from "@/shared/http/client";
import { useAnswer, useAnswers } from "@/shared/http/data";
import { at, TODAY } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { Thumb } from "@/shared/picture/Thumb";
import { newBillPath } from "@/entities/newBill";
import { scannedPath } from "@/entities/scanning/openLine";
import { useMay } from "@/shared/session/session";
import { OpenCall } from "@/entities/talk/OpenCall";
import { Standing } from "@/entities/standing/Standing";
import { toastError } from "@/shared/ui/errors";
import { LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";

const LIST = "/operations/orders";
/** The parts in display order, with the page that lists all lines of each. */
const PARTS = [
  ["called", `${LIST}?called=true`],
  ["late", `${LIST}?late=true`],
  ["likelyLate", `${LIST}?likelyLate=true`],
  ["dueThisWeek", `${LIST}?dueThisWeek=true`],
  ["insideOverADay", `${LIST}?insideOverADay=true&ordering=insideSince`],
  ["toApprove", `${LIST}?status=New`],
  ["toBill", "/reports/bills/new"],
] as const satisfies readonly (readonly [TodayPart, string])[];

export function Hoy() {
  const { t } = useTranslation("home");
  const { data, error, mutate } = useAnswer(TODAY);
  const mayList = useMay("ListOrders");
  return (
    <section aria-labelledby="hoy">
      <h2 id="hoy">{t("hoy.title")}</h2>
      {data === undefined && error !== undefined && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
      {data === undefined && error === undefined && (
        <div className="ob-hoy" aria-busy="true">
          {PARTS.map(([name]) => (
            <div key={name} className="ob-surface ob-hoy__part ob-hoy__part--waiting">
              <Skeleton active paragraph={{ rows: 8 }} />
            </div>
          ))}
        </div>
      )}
      {data !== undefined && (
        <div className="ob-hoy">
          {PARTS.map(
            ([name, all]) =>
              data[name] !== null &&
              // Most days nobody calls.
              (name !== "called" || data.called.count > 0) && (
                <Part
                  key={name}
                  name={name}
                  part={data[name]}
                  all={name === "toBill" || mayList ? all : null}
                />
              ),
          )}
        </div>
      )}
    </section>
  );
}

type TodayPart = LineRow["attention"][number];

interface PartProps {
  name: TodayPart;
  part: Today["late"];
  /** Path of the full list; null if the user may not open it. */
  all: string | null;
}

function Part({ name, part, all }: PartProps) {
  const { t } = useTranslation("home");
  // Hide a line at once when it no longer needs attention. The next answer fills its place.
  const lines = part.lines.filter(({ attention }) => attention.includes(name));
  const count = part.count - (part.lines.length - lines.length);
  const language = useLanguage();
  const title = t(`hoy.${name}`);
  return (
    <section className={`ob-surface ob-hoy__part ob-hoy__part--${name}`} aria-label={title}>
      <header className="ob-bar ob-apart">
        <h3>{title}</h3>
        <strong
          className={count > 0 ? "ob-figure ob-hoy__count" : "ob-figure ob-hoy__count ob-quiet"}
        >
          {formatNumber(count, language)}
        </strong>
      </header>
      {count === 0 && <p className="ob-quiet">{t(`hoy.none.${name}`)}</p>}
      {lines.length > 0 && (
        <ul className="ob-ruled ob-hoy__lines">
          {lines.map((line) => (
            <TodayLine key={line.id} line={line} of={name} />
          ))}
        </ul>
      )}
      {count > 0 && all !== null && (
        <Link className="ob-hoy__all" to={all}>
          {t(`hoy.all.${name}`, { count })}
        </Link>
      )}
    </section>
  );
}

function TodayLine({ line, of }: { line: LineRow; of: TodayPart }) {
  const { t } = useTranslation("home");
  const mayBill = useMay("CreateDelivery");
  const { reload } = useAnswers();
  const { customerId, customerSalesOrderId, position, salesOrderId, deliveryDate, late } = line;
  return (
    <li className="ob-bar">
      <Thumb address={line.thumbnail} onExpired={() => void reload(at(TODAY))} />
      <Link className="ob-hoy__line" to={scannedPath(salesOrderId, position)}>
        <span className="ob-words ob-apart ob-hoy__row">
          <strong>
            {customerSalesOrderId} · {position}
          </strong>
          {deliveryDate !== null && (
            <span className={late ? "ob-wrong" : "ob-quiet"}>{deliveryDate}</span>
          )}
        </span>
        <span className="ob-words ob-apart ob-hoy__row ob-quiet">
          <span className="ob-breaks">{line.itemName}</span>
        </span>
        <Standing line={line} />
        <Forecast forecast={line.forecast} late={line.late} />
      </Link>
      <OpenCall line={line} />
      {of === "toApprove" && line.offers.statuses.includes("Approved") && <Approve line={line} />}
      {of === "toBill" && mayBill && customerId !== null && (
        <Link
          className="ob-hoy__bill"
          to={newBillPath({ customerId, lines: [line] })}
          aria-label={t("hoy.billLine", { po: customerSalesOrderId, position })}
        >
          {t("hoy.bill")}
        </Link>
      )}
    </li>
  );
}

function Approve({ line }: { line: LineRow }) {
  const { t } = useTranslation("home");
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit((headers) => approve(headers, line));
  const names = { po: line.customerSalesOrderId, position: line.position };

  async function onApprove() {
    try {
      if ((await submit()) === undefined) return;
      toast.saved({
        name: t("hoy.approved", names),
        path: scannedPath(line.salesOrderId, line.position),
      });
    } catch (reason) {
      toastError(reason);
    }
    await reload(at(TODAY));
  }

  return (
    <Button
      size="small"
      loading={busy}
      aria-label={t("hoy.approveLine", names)}
      onClick={() => void onApprove()}
    >
      {t("hoy.approve")}
    </Button>
  );
}

/** Approve the line as the user saw it. Throws ApiError: 412 if it has changed since. */
function approve(headers: { "Idempotency-Key": string }, line: LineRow): Promise<Line> {
  const path = { order_id: line.salesOrderId, position: line.position, status: "Approved" };
  return markOwnWrite(
    line,
    call(
      api.PUT("/api/sales-order/{order_id}/position/{position}/update-status/{status}", {
        params: { path },
        headers: { ...headers, "If-Match": `"${line.version}"` },
      }),
    ),
  );
}
