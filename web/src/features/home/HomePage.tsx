/** Home page: welcome, clock, the user's processes, piecework and metal. */
import Skeleton from "antd/es/skeleton";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { OwnProcess } from "@/contract";
import { formatMoney, formatNumber } from "@/shared/format/numbers";
import { plantTimeElsewhere } from "@/shared/format/plant";
import { useNow } from "@/shared/hooks/browser";
import { useStart } from "@/shared/hooks/useStart";
import { useAnswer } from "@/shared/http/data";
import { EARNINGS, OWN_PROCESSES } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { useLineScanner } from "@/entities/scanning/openLine";
import { isShared } from "@/shared/session/kept";
import {
  useIsCustomer,
  useIsOffice,
  useMay,
  useMayMove,
  useSession,
  useSignedIn,
} from "@/shared/session/session";
import { lazyPart } from "@/shared/ui/lazyPart";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { Hoy } from "./Hoy";
import { MyMetal } from "./MyMetal";
import { StartList } from "./StartList";
import "./HomePage.css";

// Only an administrator of the demo sees it.
const DemoDoors = lazyPart(() => import("./DemoDoors"), "unseen");
// Only customers' accounts show it.
const CustomerOrders = lazyPart(() => import("./CustomerOrders"), "page");

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

/**
 * Office users see the work of the day (`Hoy`). Users with a process, and users outside the office,
 * see their processes.
 */
function OfStaff() {
  const { t } = useTranslation("home");
  useLineScanner();
  const office = useIsOffice();
  const shared = useIsSharedStation();
  const start = useStart();
  const works = useSession()?.user.productionProcessIds.length !== 0;
  return (
    <>
      {start.demo !== null && (
        <DemoDoors
          demo={start.demo}
          onChange={(now) => void start.mutate(now, { revalidate: false })}
        />
      )}
      <StartList {...start} />
      {office && start.hasOrders && <Hoy />}
      {(works || !office) && (
        <section aria-labelledby="mine">
          <h2 id="mine">{t("mine")}</h2>
          <p className="ob-quiet ob-below">{t("mineHint")}</p>
          <MyProcesses />
        </section>
      )}
      {!shared && (
        <>
          <MyEarnings />
          <MyMetal />
          <MyScrap />
        </>
      )}
    </>
  );
}

/**
 * Whether several people share this screen under one account: others have identified themselves
 * here, or the account itself may move nothing.
 */
function useIsSharedStation(): boolean {
  const { token } = useSignedIn();
  const moves = useMayMove();
  return useMay("Station") && (!moves || isShared(token));
}

/** A customer account works in no process. It follows its orders and bills. */
function OfCustomer() {
  const { t } = useTranslation("home");
  return (
    <section aria-labelledby="own">
      <h2 id="own">{t("customer.title")}</h2>
      <p className="ob-quiet ob-below">{t("customer.hint")}</p>
      <CustomerOrders />
      <ul className="ob-home__processes">
        {CUSTOMER_PAGES.map(([path, name]) => (
          <li key={path} className="ob-surface ob-padded ob-stack ob-stack--tight">
            <Link className="ob-strong" to={path}>
              {t(`customer.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Show the browser's date and time, and below it the plant's time if it differs. */
function Clock() {
  const { t } = useTranslation("home");
  const now = new Date(useNow(EVERY_SECOND));
  const date = now.toLocaleDateString("sv-SE");
  const time = now.toLocaleTimeString("en-GB");
  const atPlant = plantTimeElsewhere(now);
  return (
    <>
      <time className="ob-quiet ob-above ob-large" dateTime={now.toISOString()}>
        <span>{date}</span> <span>{time}</span>
      </time>
      {atPlant !== "" && <p className="ob-quiet">{t("plantTime", { time: atPlant })}</p>}
    </>
  );
}

function Inside({ process }: { process: OwnProcess }) {
  const { t } = useTranslation("home");
  const { piecesInside, linesInside, lateLinesInside } = process;
  if (piecesInside === 0) return <span className="ob-quiet">{t("empty")}</span>;
  return (
    <span className="ob-quiet">
      <strong>{t("pieces", { count: piecesInside })}</strong> {t("lines", { count: linesInside })}
      {lateLinesInside > 0 && (
        <span className="ob-wrong">{t("late", { count: lateLinesInside })}</span>
      )}
    </span>
  );
}

function MyProcesses() {
  const { t } = useTranslation("home");
  const station = useMay("Station");
  const { data, error, mutate } = useAnswer(OWN_PROCESSES);
  if (data === undefined && error !== undefined) {
    return <LoadFailed error={error} onRetry={() => void mutate()} />;
  }
  if (data === undefined) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  if (data.length === 0)
    return <EmptyState drawing="crucible" title={t("none")} hint={t("noneHint")} />;
  return (
    <ul className="ob-home__processes">
      {data.map((process) => (
        <li
          key={process.productionProcessId}
          className="ob-surface ob-padded ob-stack ob-stack--tight"
        >
          {station ? (
            <Link
              className="ob-strong ob-home__station"
              to={`/shop-floor/station/${process.productionProcessId}`}
              aria-label={t("station", { process: process.productionProcessName })}
            >
              {process.productionProcessName}
            </Link>
          ) : (
            <span className="ob-strong">{process.productionProcessName}</span>
          )}
          <Inside process={process} />
        </li>
      ))}
    </ul>
  );
}

const FIGURES = ["today", "week", "open", "paid"] as const;

/** Renders nothing for a user without a process who never earned by the piece. */
function MyEarnings() {
  const { t } = useTranslation("home");
  const language = useLanguage();
  const { data } = useAnswer(EARNINGS);
  const { data: processes = [] } = useAnswer(OWN_PROCESSES);
  if (data === undefined) return null;
  const isNothing = FIGURES.every((figure) => data[figure] === 0) && data.unweighed === 0;
  if (processes.length === 0 && isNothing) return null;
  return (
    <section aria-labelledby="earnings">
      <h2 id="earnings">{t("earnings.title")}</h2>
      <p className="ob-quiet ob-below">{t("earnings.hint")}</p>
      <dl className="ob-surface ob-earnings">
        {FIGURES.map((figure) => (
          <div key={figure} className={`ob-earnings__figure ob-earnings__figure--${figure}`}>
            <dt>{t(`earnings.${figure}`)}</dt>
            <dd className="ob-figure">{formatMoney(data[figure], data.currency, language)}</dd>
          </div>
        ))}
      </dl>
      {data.unweighed > 0 && (
        <p className="ob-quiet">{t("earnings.toWeigh", { count: data.unweighed })}</p>
      )}
    </section>
  );
}

/** The user's own scrap of this month, which nobody else sees by person. Renders nothing without any. */
function MyScrap() {
  const { t } = useTranslation("home");
  const language = useLanguage();
  const { data } = useAnswer("/api/reports/scrap/mine");
  if (data === undefined || data.pieces === 0) return null;
  return (
    <section aria-labelledby="scrap">
      <h2 id="scrap">{t("scrap.title")}</h2>
      <p className="ob-quiet ob-below">{t("scrap.hint")}</p>
      <dl className="ob-surface ob-earnings">
        {data.reasons.map(({ id, name, pieces }) => (
          <div key={id} className="ob-earnings__figure">
            <dt>{name}</dt>
            <dd className="ob-figure">{formatNumber(pieces, language)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
