/** Welcome, clock, the person's own processes and piece work. Specification 1, section 2. */
import Skeleton from "antd/es/skeleton";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { OwnProcess } from "@/contract";
import { useNow } from "@/shared/hooks/useNow";
import { useIsCustomer } from "@/shared/session/session";
import { EmptyState } from "@/shared/ui/EmptyState";
import { LoadFailed } from "@/shared/ui/LoadFailed";
import { useMyProcesses } from "./home.api";
import { MyEarnings } from "./MyEarnings";
import "./HomePage.css";

const EVERY_SECOND = 1_000;
const CUSTOMER_PAGES = [
  ["/operations/sales-orders", "orders"],
  ["/operations/orders", "lines"],
  ["/reports/bills", "bills"],
] as const;

export default function HomePage() {
  const { t } = useTranslation("home");
  const customer = useIsCustomer();
  return (
    <div className="ob-page ob-home">
      <header className="ob-home__welcome">
        <h1>{t("welcome")}</h1>
        <Clock />
      </header>
      {customer ? <OfCustomer /> : <OfStaff />}
    </div>
  );
}

function OfStaff() {
  const { t } = useTranslation("home");
  return (
    <>
      <section aria-labelledby="mine">
        <h2 id="mine">{t("mine")}</h2>
        <p className="ob-home__hint">{t("mineHint")}</p>
        <MyProcesses />
      </section>
      <MyEarnings />
    </>
  );
}

/** A customer's account works in no process: it follows what it ordered and what was billed. */
function OfCustomer() {
  const { t } = useTranslation("home");
  return (
    <section aria-labelledby="own">
      <h2 id="own">{t("customer.title")}</h2>
      <p className="ob-home__hint">{t("customer.hint")}</p>
      <ul className="ob-home__processes">
        {CUSTOMER_PAGES.map(([path, name]) => (
          <li key={path} className="ob-surface">
            <Link className="ob-home__process" to={path}>
              {t(`customer.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The local date and time of the person, as the specification says: not the plant's. */
function Clock() {
  const now = new Date(useNow(EVERY_SECOND));
  const date = now.toLocaleDateString("sv-SE");
  const time = now.toLocaleTimeString("en-GB");
  return (
    <time className="ob-home__clock" dateTime={now.toISOString()}>
      <span>{date}</span> <span>{time}</span>
    </time>
  );
}

function Inside({ process }: { process: OwnProcess }) {
  const { t } = useTranslation("home");
  const { piecesInside, linesInside, lateLinesInside } = process;
  if (piecesInside === 0) return <span className="ob-home__inside">{t("empty")}</span>;
  return (
    <span className="ob-home__inside">
      <strong>{t("pieces", { count: piecesInside })}</strong> {t("lines", { count: linesInside })}
      {lateLinesInside > 0 && (
        <span className="ob-home__late ob-late">{t("late", { count: lateLinesInside })}</span>
      )}
    </span>
  );
}

function MyProcesses() {
  const { t } = useTranslation("home");
  const { data, error, mutate } = useMyProcesses();
  if (data === undefined && error !== undefined) {
    return <LoadFailed error={error} onRetry={() => void mutate()} />;
  }
  if (data === undefined) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  if (data.length === 0) return <EmptyState title={t("none")} hint={t("noneHint")} />;
  return (
    <ul className="ob-home__processes">
      {data.map((process) => (
        <li key={process.productionProcessId} className="ob-surface">
          <span className="ob-home__process">{process.productionProcessName}</span>
          <Inside process={process} />
        </li>
      ))}
    </ul>
  );
}
