/** The frame of every page of a signed-in user: navbar, slide-over menu, live connection. */
import { ofBrowser } from "@/shared/stored";
import MenuOutlined from "@ant-design/icons/es/icons/MenuOutlined";
import Button from "antd/es/button";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useMatch } from "react-router";
import { NotificationBell, type OpenedLine } from "@/features/notifications/NotificationBell";
import { useSendingPictures } from "@/features/orders/pictures/sendingPictures";
import { LiveIndicator } from "@/live/LiveIndicator";
import { LiveProvider, useLiveStatus } from "@/live/LiveProvider";
import { openGap } from "@/shared/form/gap";
import { useBrand } from "@/shared/hooks/useBrand";
import { useOpenAddress } from "@/shared/http/picturePass";
import { useKeptFocus } from "@/shared/hooks/focus";
import { useDialogs } from "@/shared/keyboard/dialogs";
import { useOnThisPage } from "@/shared/hooks/useOnThisPage";
import { useSharedCatalogs } from "@/shared/form/useSharedCatalogs";
import { useRegisteredHere } from "@/shared/http/pushes";
import { useIsCustomer, useMay, useSignedIn } from "@/shared/session/session";
import { lazyPart } from "@/shared/ui/lazyPart";
import AntLook from "./AntLook";
import { CrashGuard } from "./CrashGuard";
import { Keyboard } from "./Keyboard";
import { keepShell, type KeptShell } from "./keptShell";
import { useNextStep } from "./useNextStep";
import { UserMenu, type Guide } from "./UserMenu";
import "../guide/guide.css";
import "./Shell.css";

const Inactivity = lazyPart(() => import("./Inactivity"), "unseen");
const StationSending = lazyPart(() => import("@/features/station/StationSending"), "unseen");
const SendingPictures = lazyPart(
  () => import("@/features/orders/pictures/SendingPictures"),
  "unseen",
);
const KeptPush = lazyPart(() => import("@/features/notices/KeptPush"), "unseen");
const GapDrawer = lazyPart(() => import("@/features/catalogs/GapDrawer"));
const SideMenu = lazyPart(() => import("./SideMenu"));
const Tour = lazyPart(() => import("../guide/Tour"));
const Help = lazyPart(() => import("../guide/Help"));

export default function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shell");
  const { pathname } = useLocation();
  useSharedCatalogs();
  useKeptFocus();
  useNextStep();
  useDialogs();
  const atStations = useMay("Station");
  const isPushed = useRegisteredHere() !== null;
  const [menu, setMenu] = useOnThisPage<"open">();
  const menuOpen = menu !== null;
  const [menuAsked, setMenuAsked] = useState(false);
  const [guide, setGuide] = useState<Guide | null>(null);
  const content = useRef<HTMLElement>(null);
  const shown = useRef(pathname);

  // Focus the new page for keyboards and screen readers, unless the page has already focused an element of its own.
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const { current: main } = content;
    if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);

  return (
    <AntLook>
      <LiveProvider>
        <button className="ob-skip" type="button" onClick={() => content.current?.focus()}>
          {t("navbar.skip")}
        </button>
        <Navbar
          menuOpen={menuOpen}
          onGuide={setGuide}
          onToggleMenu={() => {
            setMenuAsked(true);
            setMenu(menuOpen ? null : "open");
          }}
        />
        {menuAsked && <SideMenu open={menuOpen} onClose={() => setMenu(null)} />}
        <main className="ob-content" ref={content} tabIndex={-1}>
          <Offer onTour={() => setGuide("tour")} />
          <CrashGuard key={pathname}>{children}</CrashGuard>
        </main>
        {guide === "tour" && <Tour onClose={() => setGuide(null)} />}
        {guide === "help" && (
          <Help onClose={() => setGuide(null)} onTour={() => setGuide("tour")} />
        )}
        <Gaps key={pathname} />
        <Inactivity />
        <Pictures />
        {atStations && <StationSending />}
        {isPushed && <KeptPush />}
        <KeptFiles />
      </LiveProvider>
    </AntLook>
  );
}

/**
 * The drawer for a gap: data that the page needs and another record lacks. The caller's `key`
 * closes the drawer when the page changes.
 */
function Gaps() {
  const gap = openGap.use();
  useEffect(() => () => openGap.set(null), []);
  return gap === null ? null : <GapDrawer {...gap} />;
}

/** Load the code that sends pictures only when there are pictures to send. */
function Pictures() {
  return useSendingPictures().length > 0 ? <SendingPictures /> : null;
}

/**
 * Store the client's files in this browser, so that each page opens without a server. Begins once the page is live: the
 * files must not delay what the user waits for. Only in production builds.
 */
function KeptFiles() {
  const shell = useRef<KeptShell | null>(null);
  const { state } = useLiveStatus();
  useEffect(() => () => shell.current?.end(), []);
  useEffect(() => {
    const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
    if (state !== "live" || serviceWorker === undefined || !import.meta.env.PROD) return;
    if (shell.current === null) shell.current = keepShell({ container: serviceWorker });
    else shell.current.update();
  }, [state]);
  return null;
}

interface Props {
  menuOpen: boolean;
  onToggleMenu: () => void;
  onGuide: (guide: Guide) => void;
}

function Navbar({ menuOpen, onToggleMenu, onGuide }: Props) {
  const { t } = useTranslation("shell");
  const customer = useIsCustomer();
  // At a station, typed text comes from a scanner, so there are no shortcuts.
  const atStation = useMatch("/shop-floor/station/:processId") !== null;
  const atReplay = useMatch("/shop-floor/replay") !== null;
  return (
    <header className="ob-navbar" aria-label={t("navbar.label")}>
      <Button
        size="large"
        className="ob-navbar__button"
        type="text"
        icon={<MenuOutlined aria-hidden />}
        aria-label={menuOpen ? t("menu.close") : t("menu.open")}
        aria-expanded={menuOpen}
        onClick={onToggleMenu}
      />
      <BrandLink />
      <span className="ob-first" />
      {!atStation && <Keyboard />}
      {atReplay ? (
        <span className="ob-live ob-live--replay">
          <span className="ob-strong ob-live__state">{t("navbar.replay")}</span>
        </span>
      ) : (
        <LiveIndicator isReadOnlyAway={!atStation} />
      )}
      {!customer && <Notifications />}
      <UserMenu onGuide={onGuide} />
    </header>
  );
}

/** The link to Home: the name and the mark of the product, or for customers those of the workshop. */
function BrandLink() {
  const { t } = useTranslation("shell");
  const isCustomer = useIsCustomer();
  const brand = useBrand();
  const logo = useOpenAddress(brand?.logo);
  const look = isCustomer ? "ob-navbar__brand ob-navbar__brand--workshop" : "ob-navbar__brand";
  const label = brand === undefined ? t("pages.home") : t("navbar.home", { brand: brand.name });
  return (
    <Link className={look} to="/home" aria-label={label}>
      {logo !== null && <img src={logo} alt="" />}
      <span>{brand?.name}</span>
    </Link>
  );
}

const LineModal = lazyPart(() => import("@/features/orders/line/LineModal"));

/** The bell, and the line that was opened from one of its notifications. */
function Notifications() {
  const [line, open] = useOnThisPage<OpenedLine>();
  return (
    <>
      <NotificationBell onOpenLine={open} />
      {line !== null && (
        <LineModal
          salesOrderId={line.salesOrderId}
          position={line.position}
          onClose={() => open(null)}
        />
      )}
    </>
  );
}

const FIRST_PAGES = ["/home", "/dashboard"];

/** Offer the tour on the first page of a session, once for each user of this browser. */
function Offer({ onTour }: { onTour: () => void }) {
  const { t } = useTranslation("shell");
  const { pathname } = useLocation();
  const customer = useIsCustomer();
  const key = `tour${useSignedIn().user.id}`;
  const [offered, setOffered] = useState(() => ofBrowser.getItem(key) !== null);
  if (offered || customer || !FIRST_PAGES.includes(pathname)) return null;
  const answered = () => {
    ofBrowser.setItem(key, "offered");
    setOffered(true);
  };
  return (
    <aside className="ob-row ob-offer" aria-label={t("tour.label")}>
      <p>{t("tour.offer")}</p>
      <Button
        type="primary"
        onClick={() => {
          answered();
          onTour();
        }}
      >
        {t("tour.start")}
      </Button>
      <Button onClick={answered}>{t("tour.later")}</Button>
    </aside>
  );
}
