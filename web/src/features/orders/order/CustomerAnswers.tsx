/**
 * The customer's answers about an order's lines, from the customer page, newest first. Renders
 * nothing if there are none.
 */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatInstant } from "@/shared/format/plant";
import { useAnswer } from "@/shared/http/data";
import { CUSTOMER_ANSWERS } from "@/shared/http/keys";
import { useIsCustomer, useMay } from "@/shared/session/session";
import { copyPath } from "../paths";
import "./share.css";

const MOST = 100;

export function CustomerAnswers({ orderId }: { orderId: number }) {
  const { t } = useTranslation("orders");
  const isCustomer = useIsCustomer();
  const mayOrder = useMay("CreateSalesOrder");
  const asked = { query: { salesOrderId: orderId, limit: MOST } };
  const { data = [] } = useAnswer(CUSTOMER_ANSWERS, isCustomer ? null : asked, { quiet: true });
  if (data.length === 0) return null;
  return (
    <section className="ob-surface ob-answers" aria-labelledby="customer-answers">
      <h2 id="customer-answers">{t("answers.title")}</h2>
      <ul className="ob-ruled">
        {data.map(({ id, kind, position, quantity, text, at, by }) => (
          <li key={id} className="ob-stack ob-stack--tight">
            <span className="ob-words">
              <strong>
                {t(`answers.${kind}`)} · {t("answers.line", { position })}
                {quantity !== null && ` · ${t("answers.pieces", { count: quantity })}`}
              </strong>
              <span className="ob-quiet ob-small">
                {by} · <time dateTime={at}>{formatInstant(at)}</time>
              </span>
            </span>
            {text !== "" && <span className="ob-answers__text">{text}</span>}
            {kind === "again" && mayOrder && (
              <Link to={copyPath(orderId, { position, quantity })}>{t("answers.repeat")}</Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
