/** Around every page of a signed-in person: navbar, slide-over menu, live connection. */
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { LiveProvider } from "@/live/LiveProvider";
import { useSharedCatalogs } from "@/shared/hooks/useSharedCatalogs";
import { lazyPart } from "@/shared/ui/lazyPart";
import { AntWords } from "./AntWords";
import { CrashGuard } from "./CrashGuard";
import { Navbar } from "./Navbar";
import "./Shell.css";

const Inactivity = lazyPart(() => import("./Inactivity"), "unseen");
const SideMenu = lazyPart(() => import("./SideMenu"));

export default function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shell");
  const { pathname } = useLocation();
  useSharedCatalogs();
  const [menuOpen, setMenuOpen] = useState(false);
  const [menuAsked, setMenuAsked] = useState(false);
  const content = useRef<HTMLElement>(null);
  const shown = useRef(pathname);

  // A keyboard or screen reader goes on at the new page, not at the link that led there.
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    content.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);

  return (
    <AntWords>
      <LiveProvider>
        <button className="ob-skip" type="button" onClick={() => content.current?.focus()}>
          {t("navbar.skip")}
        </button>
        <Navbar
          menuOpen={menuOpen}
          onToggleMenu={() => {
            setMenuAsked(true);
            setMenuOpen((open) => !open);
          }}
        />
        {menuAsked && <SideMenu open={menuOpen} onClose={() => setMenuOpen(false)} />}
        <main className="ob-content" ref={content} tabIndex={-1}>
          <CrashGuard key={pathname}>{children}</CrashGuard>
        </main>
        <Inactivity />
      </LiveProvider>
    </AntWords>
  );
}
