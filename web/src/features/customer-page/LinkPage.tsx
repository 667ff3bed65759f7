/** The page of a customer link: its head, its orders, and a message if the link opens nothing. */
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { CustomerPage } from "@/contract";
import { dayIn, PageView } from "@/entities/customerPage/PageView";
import { formatDay } from "@/shared/format/plant";
import type { ApiError } from "@/shared/http/ApiError";
import { changeLanguage, useLanguage } from "@/shared/i18n";
import { LANGUAGE_NAMES, LANGUAGES } from "@/shared/language";
import { LinkedPage } from "./LinkedPage";
import { savePaper, sendAnswer } from "./pageCalls";

export function LinkPage({ token }: { token: string }) {
  const { t } = useTranslation("customerPage");
  const linked = useMemo(() => new LinkedPage(token), [token]);
  const { page, error, live } = linked.state.use();
  useEffect(() => linked.start(), [linked]);
  useTitle(page);
  return (
    <main className="ob-cpage">
      <Head page={page} />
      {page === null && error === null && <p role="status">{t("loading")}</p>}
      {page === null && error !== null && <End error={error} onRetry={() => linked.reload()} />}
      {page !== null && (
        <>
          {error !== null && (
            <p className="ob-note ob-cpage__cut" role="status">
              {t("cut")}
            </p>
          )}
          <PageView
            page={page}
            means={{
              // A refusal means that the page is old, such as for a request that was answered elsewhere.
              answer: (body) => sendAnswer(token, body).finally(() => linked.reload()),
              save: (paper) => savePaper(token, paper),
            }}
          />
          <Foot page={page} live={live} />
        </>
      )}
    </main>
  );
}

function Head({ page }: { page: CustomerPage | null }) {
  const { t } = useTranslation("customerPage");
  const language = useLanguage();
  return (
    <header className="ob-cpage__head">
      <div className="ob-bar">
        {page?.logo && <img className="ob-cpage__logo" src={page.logo} alt="" />}
        {page !== null && (
          <div>
            <p className="ob-quiet">{page.companyName}</p>
            <h1>{t("for", { customer: page.customerName })}</h1>
          </div>
        )}
      </div>
      <div className="ob-cpage__languages" role="group" aria-label={t("language")}>
        {LANGUAGES.map((each) => (
          <button
            key={each}
            type="button"
            lang={each}
            aria-pressed={each === language}
            onClick={() => void changeLanguage(each)}
          >
            {LANGUAGE_NAMES[each]}
          </button>
        ))}
      </div>
    </header>
  );
}

function Foot({ page, live }: { page: CustomerPage; live: boolean }) {
  const { t } = useTranslation("customerPage");
  const language = useLanguage();
  return (
    <footer className="ob-quiet ob-small">
      {live && <p>{t("following")}</p>}
      {page.expiresAt !== null && (
        <p>{t("until", { day: dayIn(language, formatDay(page.expiresAt)) })}</p>
      )}
    </footer>
  );
}

/**
 * Say kindly that the link opens nothing, and whether it was valid before. Any other failure offers
 * a retry.
 */
function End({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { t } = useTranslation("customerPage");
  const isGone = error.status === 404;
  const isOver = error.code === "link_over";
  return (
    <div className="ob-cpage__end" role="alert">
      <h1>{t(isOver ? "over" : isGone ? "unknown" : "failed")}</h1>
      {isGone && <p className="ob-quiet">{t(isOver ? "overHint" : "unknownHint")}</p>}
      {!isGone && (
        <button type="button" className="ob-cpage__button" onClick={onRetry}>
          {t("retry")}
        </button>
      )}
    </div>
  );
}

/** Name the tab after the customer. */
function useTitle(page: CustomerPage | null): void {
  const { t } = useTranslation("customerPage");
  const title =
    page === null ? "" : t("title", { customer: page.customerName, company: page.companyName });
  useEffect(() => {
    if (title !== "") document.title = title;
  }, [title]);
}
