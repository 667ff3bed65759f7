/** List what each person is owed for a week or for other days. A click on a person pays them. */
import Segmented from "antd/es/segmented";
import Skeleton from "antd/es/skeleton";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Owed } from "@/contract";
import { sumOf } from "@/shared/format/money";
import { formatMoney } from "@/shared/format/numbers";
import { formatDay } from "@/shared/format/plant";
import { useOpenRecord } from "@/shared/hooks/useAddress";
import { useLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { ListSum } from "@/shared/ui/Facts";
import { DaysFilter } from "@/shared/ui/filters";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { useOwed } from "../piecework.api";
import { PayPerson } from "./PayPerson";
import { PERIODS, usePeriod, type Days, type Period } from "./period";

interface Props {
  onPaid: (paymentId: number) => void;
}

export function PeopleToPay({ onPaid }: Props) {
  const { t } = useTranslation("piecework");
  const { period, days, query, choose } = usePeriod();
  const { data: people, error, mutate } = useOwed(days);
  const mayPay = useMay("CreatePay");
  const { opened, open, close } = useOpenRecord();
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
        <People people={people} days={days} onPay={mayPay ? open : undefined} />
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
}

function People({ people, days, onPay }: PeopleProps) {
  const { t } = useTranslation("piecework");
  const language = useLanguage();
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
      <ListSum
        label={t("people.sum")}
        sum={formatMoney(total, currency, language)}
        note={t("people.count", { count: asked.length })}
      />
      <ul className="ob-surface ob-choose ob-ruled ob-owed" aria-label={t("people.label")}>
        {people.map((person) => (
          <li key={person.userId}>
            <Person person={person} days={days} onPay={onPay} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Person({ person, days, onPay }: Omit<PeopleProps, "people"> & { person: Owed }) {
  const { t } = useTranslation("piecework");
  const language = useLanguage();
  const money = (amount: number) => formatMoney(amount, person.currency, language);
  const { records, pieces, amount, since, owedAmount, owedSince, userId, fullName } = person;
  const others = sumOf([owedAmount, -amount], person.currency);
  const words: ReactNode = (
    <>
      <strong>{fullName}</strong>
      <span className="ob-quiet ob-words ob-owed__what">
        {records === 0
          ? t("people.nothing")
          : `${t("pieces", { count: pieces })} · ${t("people.records", { count: records })} · ${t("people.since", { day: formatDay(since) })}`}
        {others > 0 && (
          <span>{t("people.others", { amount: money(others), day: formatDay(owedSince) })}</span>
        )}
      </span>
      <span className="ob-nowrap ob-large ob-strong ob-owed__amount">{money(amount)}</span>
    </>
  );
  if (records > 0 && onPay !== undefined) {
    return (
      <button type="button" className="ob-choose__row" onClick={() => onPay(userId)}>
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
    <Link className="ob-choose__row" to={`?${narrowed.toString()}`}>
      {words}
    </Link>
  );
}
