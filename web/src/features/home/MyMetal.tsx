/**
 * The user's own metal: what they hold at each process, and the losses of their last closed days.
 */
import { useTranslation } from "react-i18next";
import type { Schemas } from "@/contract";
import { formatGrams, formatLossShare } from "@/shared/format/numbers";
import { useAnswer } from "@/shared/http/data";
import { METAL_MINE } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { Grams } from "@/shared/ui/Facts";
import { isOver } from "@/entities/weight/weights";

type Day = Schemas["MetalDayOut"];

/** Renders nothing for a user who has never held metal. */
export function MyMetal() {
  const { t } = useTranslation("home");
  const { data } = useAnswer(METAL_MINE);
  if (data === undefined || data.accounts.length + data.days.length === 0) return null;
  return (
    <section aria-labelledby="metal">
      <h2 id="metal">{t("metal.title")}</h2>
      <p className="ob-quiet ob-below">{t("metal.hint")}</p>
      <div className="ob-surface ob-padded ob-stack ob-stack--wide">
        {data.accounts.length === 0 && <p className="ob-quiet">{t("metal.nothing")}</p>}
        <ul className="ob-ruled">
          {data.accounts.map(({ id, productionProcessName, balances }) => (
            <li key={id} className="ob-words ob-apart ob-home__metal">
              <strong>{productionProcessName}</strong>
              <span className="ob-words">
                {balances.map(({ alloyId, alloyName, grams }) => (
                  <span key={alloyId}>
                    <span className="ob-quiet">{alloyName}</span> <Grams grams={grams} />
                  </span>
                ))}
              </span>
            </li>
          ))}
        </ul>
        {data.days.length > 0 && (
          <details className="ob-home__closed">
            <summary>{t("metal.days", { count: data.days.length })}</summary>
            <ul className="ob-ruled">
              {data.days.map((day) => (
                <ClosedDay key={day.id} day={day} />
              ))}
            </ul>
          </details>
        )}
      </div>
    </section>
  );
}

/** A closed day: the loss of each alloy, and what the process allows. */
function ClosedDay({ day: { day, productionProcessName, allowedLoss, alloys } }: { day: Day }) {
  const { t } = useTranslation("home");
  const language = useLanguage();
  return (
    <li className="ob-stack ob-stack--tight ob-home__metal">
      <span className="ob-words ob-apart">
        <span>{productionProcessName}</span>
        <span className="ob-quiet">{day}</span>
      </span>
      {alloys.map(({ alloyId, alloyName, lossGrams, lossPerMille, receivedGrams }) => {
        const over = isOver({ grams: lossGrams, came: receivedGrams, allowed: allowedLoss });
        return (
          <span key={alloyId} className={over ? "ob-words ob-doubtful" : "ob-words"}>
            <span>{alloyName}</span>
            <span>{t("metal.loss", { grams: formatGrams(lossGrams, language) })}</span>
            {lossPerMille !== null && <span>{formatLossShare(lossPerMille, language)}</span>}
            {allowedLoss !== null && (
              <span className="ob-quiet">
                {t("metal.allowed", { share: formatLossShare(allowedLoss, language) })}
              </span>
            )}
          </span>
        );
      })}
    </li>
  );
}
