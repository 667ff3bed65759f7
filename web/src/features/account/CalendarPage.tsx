/** The delivery days in the user's own calendar, by a secret address. See infra/docs/rules.md#calendars. */
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDay, formatInstant } from "@/shared/format/plant";
import { ShownOnce } from "@/shared/form/ShownOnce";
import { api, call } from "@/shared/http/client";
import { useAnswer, useAnswers } from "@/shared/http/data";
import { at } from "@/shared/http/keys";
import { PageTitle } from "@/shared/ui/PageTitle";
import { PageState } from "@/shared/ui/states";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { useSubmit } from "@/shared/ui/useSubmit";
import "./ways.css";

const CALENDAR = "/api/calendar";

export default function CalendarPage() {
  const { t } = useTranslation("account");
  const { data, error, mutate } = useAnswer(CALENDAR);
  const { reload } = useAnswers();
  const [made, setMade] = useState<string | null>(null);
  const make = useSubmit(() => call(api.POST(CALENDAR)));
  const end = useSubmit((headers) => call(api.DELETE(CALENDAR, { headers })));
  if (data === undefined) return <PageState error={error} onRetry={() => void mutate()} />;
  const { since, usedAt } = data;

  async function onMake() {
    try {
      const answer = await make.submit();
      if (answer === undefined) return;
      setMade(answer.address);
      void reload(at(CALENDAR));
    } catch (reason) {
      toastError(reason);
    }
  }

  async function onEnd() {
    try {
      if ((await end.submit()) === undefined) return;
      setMade(null);
      toast.success(t("calendar.ended"));
      void reload(at(CALENDAR));
    } catch (reason) {
      toastError(reason);
    }
  }

  return (
    <div className="ob-page ob-ways">
      <PageTitle title={t("calendar.title")} note={t("calendar.note")} />
      <section className="ob-surface ob-padded ob-stack">
        <p>
          {since === null
            ? t("calendar.none")
            : `${t("calendar.since", { day: formatDay(since) })} ${
                usedAt === null
                  ? t("calendar.never")
                  : t("calendar.used", { instant: formatInstant(usedAt) })
              }`}
        </p>
        {made !== null && (
          <ShownOnce
            key={made}
            label={t("calendar.address")}
            secret={made}
            hint={t("calendar.hint")}
          />
        )}
        <div className="ob-row">
          <Button type="primary" loading={make.busy} onClick={() => void onMake()}>
            {t(since === null ? "calendar.make" : "calendar.again")}
          </Button>
          {since !== null && (
            <Button danger loading={end.busy} onClick={() => void onEnd()}>
              {t("calendar.end")}
            </Button>
          )}
        </div>
        {since !== null && <p className="ob-quiet">{t("calendar.againHint")}</p>}
      </section>
      <section className="ob-surface ob-padded ob-stack" aria-labelledby="calendar-steps">
        <h2 id="calendar-steps">{t("calendar.steps")}</h2>
        <ul className="ob-ruled">
          <li>{t("calendar.google")}</li>
          <li>{t("calendar.apple")}</li>
          <li>{t("calendar.outlook")}</li>
        </ul>
        <p className="ob-quiet">{t("calendar.slow")}</p>
      </section>
    </div>
  );
}
