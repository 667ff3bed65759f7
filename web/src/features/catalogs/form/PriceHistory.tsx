/** The piece prices that a process has had, the present one first: what left is paid at that of its day. */
import { useTranslation } from "react-i18next";
import type { ProductionProcess } from "@/contract";
import { formatMoney } from "@/shared/format/numbers";
import { formatInstant } from "@/shared/format/plantClock";
import { useAnswer } from "@/shared/http/data";
import { useLanguage } from "@/shared/i18n";

const SHOWN = 12;

export function PriceHistory({ record }: { record: ProductionProcess }) {
  const { t } = useTranslation("catalogs");
  const language = useLanguage();
  const { data = [] } = useAnswer(
    "/api/production-processes/{entry_id}/prices",
    { path: { entry_id: record.id }, query: { limit: SHOWN } },
    { quiet: true },
  );
  if (data.length === 0) return null;
  return (
    <section className="ob-prices" aria-labelledby="prices">
      <h3 id="prices">{t("prices.title")}</h3>
      <ol>
        {data.map(({ id, price, currency, since, username }) => (
          <li key={id}>
            <strong>{formatMoney(price, currency, language)}</strong>
            <span className="ob-quiet">
              {t("prices.since", { when: formatInstant(since) })}
              {username !== null && ` · ${username}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
