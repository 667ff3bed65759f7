/** The people whose day is open: they hold metal that has moved since their last closing. */
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LoadFailed } from "@/shared/ui/states";
import { Balances } from "./accounts";
import { useOpenDays, type OpenDay } from "./metal.api";

/** How many people are shown at first, and how many more each time. */
const STEP = 10;

interface Props {
  productionProcessId: number | null;
  onChoose: (person: OpenDay) => void;
}

export function OpenDays({ productionProcessId, onChoose }: Props) {
  const { t } = useTranslation("metal");
  const [show, setShow] = useState(STEP);
  const more = () => setShow(show + STEP);
  const { rows, total, error, retry } = useOpenDays(productionProcessId, { show, more });
  if (error !== undefined) {
    return (
      <div className="ob-surface">
        <LoadFailed error={error} onRetry={retry} />
      </div>
    );
  }
  if (rows === undefined) return null;
  const left = (total ?? rows.length) - rows.length;
  return (
    <section className="ob-surface ob-padded ob-stack" aria-label={t("open.title")}>
      <h2>{t("open.title")}</h2>
      {rows.length === 0 && <p className="ob-quiet">{t("open.none")}</p>}
      <ul className="ob-stack">
        {rows.map((person) => (
          <li key={`${person.userId} ${person.productionProcessId}`} className="ob-row ob-apart">
            <span className="ob-stack ob-stack--tight">
              <strong>
                {person.userName} · {person.productionProcessName}
              </strong>
              <span className="ob-quiet">
                {person.closedDay === null
                  ? t("open.never")
                  : t("open.since", { day: person.closedDay })}
              </span>
              <Balances balances={person.balances} />
            </span>
            <Button
              aria-label={t("open.countOf", { name: person.userName })}
              onClick={() => onChoose(person)}
            >
              {t("open.count")}
            </Button>
          </li>
        ))}
      </ul>
      {left > 0 && (
        <div className="ob-row">
          <Button onClick={more}>{t("open.more", { count: left })}</Button>
        </div>
      )}
    </section>
  );
}
