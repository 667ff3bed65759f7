/**
 * List what each person is owed for a week or for other days, by process. A click on a person pays
 * them; one button pays everybody.
 */
import RightOutlined from "@ant-design/icons/es/icons/RightOutlined";
import Button from "antd/es/button";
import Segmented from "antd/es/segmented";
import Skeleton from "antd/es/skeleton";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Owed } from "@/contract";
import { sumOf } from "@/shared/format/money";
import { formatMoney, formatNumber } from "@/shared/format/numbers";
import { formatDay } from "@/shared/format/plant";
import { useHand } from "@/shared/hooks/browser";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { ListSum, Money } from "@/shared/ui/Facts";
import { DaysFilter } from "@/shared/form/filters";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import type { Paid } from "../pay/PaidNote";
import { useOwed } from "../piecework.api";
import { PayEverybody } from "./PayEverybody";
import { PayPerson } from "./PayPerson";
import { PERIODS, usePeriod, type Days, type Period } from "./period";

interface Props {
  onPaid: (paid: Paid) => void;
}

export function PeopleToPay({ onPaid }: Props) {
  const { t } = useTranslation("piecework");
  const { period, days, query, choose } = usePeriod();
  const { data: people, error, mutate } = useOwed(days);
  const mayPay = useMay("CreatePay");
  const { opened, open, close } = useOpenRecord();
  const [payingAll, setPayingAll] = useState(false);
  return (
    <>
      <div className="ob-row ob-owed-days">
        <Segmented<Period>
          aria-label={t("people.period")}
          value={period}
          options={PERIODS.map((value) => ({ value, label: t(`people.${value}`) }))}
          onChange={choose}
        />
        {period === "days" ? (
          <DaysFilter query={query} />
        ) : (
          days.from !== undefined && (
            <span className="ob-quiet">
              {days.from} – {days.to}
            </span>
          )
        )}
      </div>
      {error !== undefined && people === undefined && (
        <div className="ob-surface">
          <LoadFailed error={error} onRetry={() => void mutate()} />
        </div>
      )}
      {error === undefined && people === undefined && (
        <div className="ob-surface ob-section" aria-busy="true">
          <Skeleton active title={false} paragraph={{ rows: 6 }} />
        </div>
      )}
      {people !== undefined && (
        <People
          people={people}
          days={days}
          onPay={mayPay ? open : undefined}
          onPayAll={() => setPayingAll(true)}
        />
      )}
      {payingAll && people !== undefined && (
        <PayEverybody
          people={people}
          days={days}
          onPaid={onPaid}
          onClose={() => setPayingAll(false)}
        />
      )}
      {mayPay && typeof opened === "number" && (
        <PayPerson
          key={`${opened} ${days.from} ${days.to}`}
          userId={opened}
          days={days}
          onPaid={onPaid}
          onClose={close}
        />
      )}
    </>
  );
}

interface PeopleProps {
  people: Owed[];
  days: Days;
  /** Absent if the user may not pay. */
  onPay: ((userId: number) => void) | undefined;
  onPayAll: () => void;
}

function People({ people, days, onPay, onPayAll }: PeopleProps) {
  const { t } = useTranslation("piecework");
  const language = useLanguage();
  const hand = useHand();
  if (people.length === 0) {
    return (
      <div className="ob-surface">
        <EmptyState drawing="scale" title={t("pay.empty")} />
      </div>
    );
  }
  const asked = people.filter(({ records }) => records > 0);
  const currency = people[0]?.currency ?? "";
  const total = sumOf(
    asked.map(({ amount }) => amount),
    currency,
  );
  return (
    <>
      <div className="ob-row ob-apart">
        <ListSum
          label={t("people.sum")}
          sum={formatMoney(total, currency, language)}
          note={t("people.count", { count: asked.length })}
        />
        {onPay !== undefined && asked.length > 1 && (
          <Button type="primary" onClick={onPayAll}>
            {t("people.payAll")}
          </Button>
        )}
      </div>
      {hand ? (
        <ul className="ob-stack" aria-label={t("people.label")}>
          {people.map((person) => (
            <PersonCard key={person.userId} person={person} days={days} onPay={onPay} />
          ))}
        </ul>
      ) : (
        <div className="ob-surface">
          <table className="ob-plain-table ob-owed-table" aria-label={t("people.label")}>
            <thead>
              <tr>
                <th scope="col">{t("people.who")}</th>
                <th scope="col">{t("column.records")}</th>
                <th scope="col">{t("column.pieces")}</th>
                <th scope="col">{t("column.amount")}</th>
              </tr>
            </thead>
            {people.map((person) => (
              <PersonRows key={person.userId} person={person} days={days} onPay={onPay} />
            ))}
          </table>
        </div>
      )}
    </>
  );
}

type PersonProps = Pick<PeopleProps, "days" | "onPay"> & { person: Owed };

/** The rows of a person: what they are owed in all, and for each process. */
function PersonRows({ person, days, onPay }: PersonProps) {
  const language = useLanguage();
  const figures = ({ records, pieces, amount }: Pick<Owed, "records" | "pieces" | "amount">) => (
    <>
      <td>{formatNumber(records, language)}</td>
      <td>{formatNumber(pieces, language)}</td>
      <td>
        <Money amount={amount} currency={person.currency} />
      </td>
    </>
  );
  return (
    <tbody className="ob-owed">
      <tr className="ob-owed__person">
        <th scope="rowgroup">
          <PersonName person={person} days={days} onPay={onPay} />
          <Since person={person} />
        </th>
        {figures(person)}
      </tr>
      {person.processes.map((one) => (
        <tr key={one.productionProcessId} className="ob-owed__process ob-quiet">
          <th scope="row">{one.productionProcessName}</th>
          {figures(one)}
        </tr>
      ))}
    </tbody>
  );
}

/** The same as a card, for touch screens, which have no tables. */
function PersonCard({ person, days, onPay }: PersonProps) {
  const { t } = useTranslation("piecework");
  return (
    <li className="ob-surface ob-stack ob-stack--tight ob-owed__person ob-owed-card">
      <span className="ob-bar ob-apart">
        <PersonName person={person} days={days} onPay={onPay} />
        <strong>
          <Money amount={person.amount} currency={person.currency} />
        </strong>
      </span>
      <Since person={person} />
      {person.processes.map((one) => (
        <span key={one.productionProcessId} className="ob-words ob-apart ob-quiet">
          <span className="ob-breaks">{one.productionProcessName}</span>
          <span>
            {t("pieces", { count: one.pieces })} ·{" "}
            <Money amount={one.amount} currency={person.currency} />
          </span>
        </span>
      ))}
    </li>
  );
}

/** The oldest exit of the chosen days, and what is owed for other days. */
function Since({ person }: { person: Owed }) {
  const { t } = useTranslation("piecework");
  const language = useLanguage();
  const { records, amount, since, owedAmount, owedSince, currency } = person;
  const others = sumOf([owedAmount, -amount], currency);
  return (
    <span className="ob-quiet ob-words">
      <span>
        {records === 0 ? t("people.nothing") : t("people.since", { day: formatDay(since) })}
      </span>
      {person.unweighed > 0 && (
        <span className="ob-doubtful">{t("people.toWeigh", { count: person.unweighed })}</span>
      )}
      {others > 0 && (
        <span>
          {t("people.others", {
            amount: formatMoney(others, currency, language),
            day: formatDay(owedSince),
          })}
        </span>
      )}
    </span>
  );
}

/**
 * The name of a person. A click opens the payment, or the records if the person cannot be paid
 * here.
 */
function PersonName({ person: { records, userId, fullName }, days, onPay }: PersonProps) {
  const words = (
    <>
      {fullName} <RightOutlined aria-hidden className="ob-owed__sign" />
    </>
  );
  if (records > 0 && onPay !== undefined) {
    return (
      <button type="button" className="ob-owed__open" onClick={() => onPay(userId)}>
        {words}
      </button>
    );
  }
  const narrowed = new URLSearchParams({
    view: "records",
    userId: String(userId),
    ...(records === 0 ? {} : days),
  });
  return (
    <Link className="ob-owed__open" to={`?${narrowed.toString()}`}>
      {words}
    </Link>
  );
}
