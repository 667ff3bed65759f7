/** Ways to sign in: the user's passkeys, authenticator app and company account. See infra/docs/rules.md#passkeys. */
import { useTranslation } from "react-i18next";
import { formatDay, formatInstant } from "@/shared/format/plant";
import { PageTitle } from "@/shared/ui/PageTitle";
import { PageState } from "@/shared/ui/states";
import { AppSection } from "./AppSection";
import { PasskeySection } from "./PasskeySection";
import { useWays } from "./ways.api";
import "./ways.css";

export default function WaysPage() {
  const { t } = useTranslation("account");
  const { data, error, mutate } = useWays();
  if (data === undefined) return <PageState error={error} onRetry={() => void mutate()} />;
  const { company, required } = data;
  return (
    <div className="ob-page ob-ways">
      <PageTitle title={t("ways.title")} note={t("ways.note")} />
      {required !== "none" && <p className="ob-note">{t(`ways.required.${required}`)}</p>}
      <PasskeySection ways={data} />
      <AppSection ways={data} />
      {company !== null && (
        <section className="ob-surface ob-padded ob-stack" aria-labelledby="ways-company">
          <h2 id="ways-company">{t("ways.company.title")}</h2>
          <p>
            {t("ways.company.note", {
              name: company.name,
              day: formatDay(company.since),
              instant: formatInstant(company.usedAt),
            })}
          </p>
        </section>
      )}
    </div>
  );
}
