/**
 * A customer's orders: pieces, stages, days, shipments and papers. Uses no Ant Design, so that the
 * page loads quickly.
 */
import { useTranslation } from "react-i18next";
import type {
  CustomerPage,
  PageAnswer,
  PageAnswerIn,
  PageLine,
  PageOrder,
  PagePaper,
  PageRequest,
} from "@/contract";
import { formatMoney, LOCALES } from "@/shared/format/numbers";
import { formatDay } from "@/shared/format/plant";
import { useLanguage } from "@/shared/i18n";
import type { Language } from "@/shared/language";
import { Answering } from "./Answering";
import { Papers } from "./Papers";
import "./customerPage.css";

export interface Means {
  /** Sends an answer. Rejects with ApiError. */
  answer: (body: PageAnswerIn) => Promise<unknown>;
  /** Saves a paper as a file. Rejects with ApiError. */
  save: (paper: PagePaper) => Promise<void>;
}

export function PageView({ page, means }: { page: CustomerPage; means: Means }) {
  const { t } = useTranslation("customerPage");
  if (page.orders.length === 0) {
    return (
      <div className="ob-surface ob-cpage__none">
        <p className="ob-strong ob-large">{t("none")}</p>
        <p className="ob-quiet">{t("noneHint")}</p>
      </div>
    );
  }
  const drawn = (some: readonly PageOrder[]) =>
    some.map((order) => <Order key={order.id} order={order} means={means} />);
  const finished = page.orders.filter(isFinished);
  return (
    <div className="ob-cpage__orders">
      {drawn(page.orders.filter((order) => !isFinished(order)))}
      {finished.length > 0 && (
        <details className="ob-cpage__finished" open={finished.length === page.orders.length}>
          <summary>{t("finished", { count: finished.length })}</summary>
          <div className="ob-cpage__orders">{drawn(finished)}</div>
        </details>
      )}
      {page.more && <p className="ob-quiet">{t("more")}</p>}
    </div>
  );
}

/** Whether no piece of the order will come any more. */
const isFinished = ({ lines }: PageOrder) =>
  lines.every(({ stage }) => stage === "shipped" || stage === "canceled");

function Order({ order, means }: { order: PageOrder; means: Means }) {
  const { t } = useTranslation("customerPage");
  const language = useLanguage();
  const title = `order-${order.id}`;
  return (
    <article className="ob-surface ob-cpage__order" aria-labelledby={title}>
      <header>
        <h2 id={title}>{t("order", { po: order.customerSalesOrderId })}</h2>
        <p className="ob-quiet ob-small">
          {t("date", { day: dayIn(language, order.salesOrderDate) })}
        </p>
        <Summary lines={order.lines} />
      </header>
      <ul className="ob-cpage__lines">
        {order.lines.map((line) => {
          const request = order.requests.find(
            ({ position, status }) => position === line.position && status === "open",
          );
          return (
            <li key={line.position} className="ob-cpage__line">
              <Line line={line} />
              {request !== undefined && <Asked request={request} />}
              <Answering
                place={{ salesOrderId: order.id, position: line.position }}
                stage={line.stage}
                request={request}
                onSend={means.answer}
              />
            </li>
          );
        })}
      </ul>
      {order.shipments.length > 0 && <Shipments order={order} />}
      {order.papers.length > 0 && <Papers papers={order.papers} onSave={means.save} />}
      {order.answers.length > 0 && <Said answers={order.answers} requests={order.requests} />}
    </article>
  );
}

/** How many lines are ready or shipped, and when the next will be. A line alone says so itself. */
function Summary({ lines }: Pick<PageOrder, "lines">) {
  const { t } = useTranslation("customerPage");
  const language = useLanguage();
  const wanted = lines.filter(({ stage }) => stage !== "canceled");
  const total = wanted.length;
  if (total < 2) return null;
  const ready = wanted.filter(({ stage }) => stage === "ready").length;
  const shipped = wanted.filter(({ stage }) => stage === "shipped").length;
  const kind = shipped === 0 ? "ready" : ready === 0 ? "shipped" : "both";
  const count = ready + shipped;
  const done = count === 0 ? t("summary.nothing") : t(`summary.${kind}`, { count, total });
  // Only lines that are waiting or in production have a forecast.
  const [next] = wanted.flatMap(({ forecast }) => forecast?.latest ?? []).toSorted();
  return (
    <p>
      {next === undefined
        ? t("summary.whole", { done })
        : t("summary.next", { done, day: dayIn(language, next) })}
    </p>
  );
}

function Line({ line }: { line: PageLine }) {
  const { t } = useTranslation("customerPage");
  const language = useLanguage();
  const { deliveryDate, forecast, lateDays, price, currency } = line;
  const ready = [
    ...(forecast === null ? [] : [t("forecast", { day: dayIn(language, forecast.latest) })]),
    ...(lateDays === null ? [] : [t("late", { count: lateDays })]),
  ];
  const inEnglish = (english: string, spanish: string) =>
    language === "en" && english !== "" ? english : spanish;
  const name = inEnglish(line.itemNameEnglish, line.itemName);
  const processes = line.processes.map((one) => inEnglish(one.nameEnglish, one.name));
  return (
    <div className="ob-cpage__what">
      {line.thumbnail !== null && <Picture whole={line.image} small={line.thumbnail} name={name} />}
      <div className="ob-cpage__facts">
        <h3>{name}</h3>
        <p className="ob-quiet ob-small">
          {t("line", { position: line.position })} · {line.itemKey} ·{" "}
          {line.quantityGood === line.quantity
            ? t("pieces", { count: line.quantity })
            : t("good", { good: line.quantityGood, count: line.quantity })}
        </p>
        <StageOf line={line} />
        {processes.length > 0 && <p>{t("inside", { processes: processes.join(", ") })}</p>}
        {line.stage !== "ready" && line.quantityReady > 0 && (
          <p>{t("ready", { count: line.quantityReady })}</p>
        )}
        {line.stage !== "shipped" && line.quantityShipped > 0 && (
          <p>{t("shippedPieces", { count: line.quantityShipped })}</p>
        )}
        {deliveryDate !== null && <p>{t("delivery", { day: dayIn(language, deliveryDate) })}</p>}
        {ready.length > 0 && <p>{ready.join(", ")}</p>}
        {price !== null && currency !== null && (
          <p>{t("price", { price: formatMoney(price, currency, language) })}</p>
        )}
      </div>
    </div>
  );
}

function Picture({ whole, small, name }: { whole: string | null; small: string; name: string }) {
  const picture = <img className="ob-cpage__picture" src={small} alt="" loading="lazy" />;
  if (whole === null) return picture;
  return (
    <a href={whole} target="_blank" rel="noreferrer" aria-label={name}>
      {picture}
    </a>
  );
}

function StageOf({ line }: { line: PageLine }) {
  const { t } = useTranslation("customerPage");
  const { stage, step, steps } = line;
  const isCounted = step !== null && steps !== null;
  return (
    <div className={`ob-cpage__stage ob-cpage__stage--${stage}`}>
      <strong>{isCounted ? t("step", { step, steps }) : t(`stage.${stage}`)}</strong>
      {isCounted && (
        <progress className="ob-cpage__progress" max={steps} value={step} aria-hidden />
      )}
    </div>
  );
}

function Shipments({ order }: { order: PageOrder }) {
  const { t } = useTranslation("customerPage");
  const language = useLanguage();
  return (
    <section className="ob-stack">
      <h3>{t("shipments")}</h3>
      <ul className="ob-stack">
        {order.shipments.map((shipment) => (
          <li key={shipment.billId} className="ob-cpage__shipment">
            <span>
              {t("shipment", {
                day: dayIn(language, shipment.date),
                pieces: shipment.lines
                  .map(
                    ({ position, quantity }) =>
                      `${t("line", { position })}, ${t("pieces", { count: quantity })}`,
                  )
                  .join(" · "),
              })}
            </span>
            <strong>
              {shipment.trackingNumber === ""
                ? t("noTracking")
                : t("tracking", { number: shipment.trackingNumber })}
            </strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What the workshop asks the customer to approve. */
function Asked({ request: { text, photo, photoThumbnail } }: { request: PageRequest }) {
  const { t } = useTranslation("customerPage");
  return (
    <div className="ob-note ob-cpage__what">
      {photoThumbnail !== null && (
        <Picture whole={photo} small={photoThumbnail} name={t("asked")} />
      )}
      <div className="ob-cpage__said">
        <strong>{t("asked")}</strong>
        <span className="ob-cpage__text">{text}</span>
      </div>
    </div>
  );
}

interface SaidProps {
  answers: readonly PageAnswer[];
  requests: readonly PageRequest[];
}

function Said({ answers, requests }: SaidProps) {
  const { t } = useTranslation("customerPage");
  const language = useLanguage();
  return (
    <section className="ob-stack">
      <h3>{t("answers")}</h3>
      <ul className="ob-stack">
        {answers.map(({ id, kind, position, quantity, text, at, requestId, replies }) => (
          <li key={id} className="ob-cpage__said">
            <span className="ob-quiet ob-small">
              <time dateTime={at}>{dayIn(language, formatDay(at))}</time> ·{" "}
              {t("saidOf", { what: t(`said.${kind}`), position })}
              {quantity !== null && ` · ${t("pieces", { count: quantity })}`}
            </span>
            {requests
              .filter((request) => request.id === requestId)
              .map((request) => (
                <q key={request.id} className="ob-quiet ob-cpage__text">
                  {request.text}
                </q>
              ))}
            {text !== "" && <span className="ob-cpage__text">{text}</span>}
            {replies.map((reply) => (
              <span key={reply.id} className="ob-cpage__text">
                <strong>{t("reply")}</strong> {reply.text}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

const formatOf = (language: Language) =>
  new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "medium", timeZone: "UTC" });

/** A day as people write it: `12 mar 2026`. */
export const dayIn = (language: Language, day: string): string =>
  formatOf(language).format(Date.parse(day));
