/** Show what the address names: a page in the shell, a bare page, or the sign-in. */
import { useEffect, useLayoutEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, Route, Routes, useLocation } from "react-router";
import {
  askedFor,
  forgetReturnTo,
  readReturnTo,
  signInShown,
  useSession,
  validateSession,
  type Session,
} from "@/shared/session/session";
import { useTabTitle } from "@/shared/hooks/useBrand";
import { LANDED } from "@/shared/hooks/useStart";
import { toastNoSuchPage, toastNotAllowed } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { landing, mayOpen, wayBack } from "./guard";
import { routeOf, ROUTES, titleKey, type AppRoute } from "./routes";

const Shell = lazyPart(() => import("./shell/Shell"), "page");
const AntLook = lazyPart(() => import("./shell/AntLook"), "page");
const EVERY_MINUTE = 60_000;

export function Screen() {
  const { pathname, search } = useLocation();
  const session = useSession();
  useSessionWatch();
  const route = routeOf(pathname);
  useDocumentTitle(route);
  // Load the page's and the shell's chunks in parallel.
  const loading = session === null ? undefined : route?.load;
  useEffect(() => {
    loading?.().catch(() => undefined); // The page itself retries, and reports the failure.
  }, [loading]);

  const atSignIn = session === null && pathname === "/login";
  useEffect(() => {
    if (atSignIn) signInShown();
  }, [atSignIn]);

  if (pathname === "/") return <Navigate to="/login" replace />;
  const permissions = session?.permissions ?? null;
  const known = route !== undefined;
  if (session !== null && pathname === "/login") {
    return <Onwards session={session} />;
  }
  if (session !== null && !known) {
    return <NoSuchPage to={landing(session.permissions, ROUTES)} />;
  }
  if (session !== null && !mayOpen(pathname, permissions, ROUTES)) {
    return <NotAllowed to={landing(session.permissions, ROUTES)} />;
  }
  if (session === null && known && !mayOpen(pathname, permissions, ROUTES)) {
    return <SignInFirst page={pathname + search} />;
  }
  const pages = <Pages known={known} />;
  if (route?.bare) return <AntLook>{pages}</AntLook>;
  return session === null ? pages : <Shell>{pages}</Shell>;
}

function Pages({ known }: { known: boolean }) {
  return (
    <Routes {...(known ? {} : { location: "/login" })}>
      {ROUTES.map(({ path, page: Page }) => (
        <Route key={path} path={path} element={<Page />} />
      ))}
    </Routes>
  );
}

/** Leave the sign-in for the first page of the session, as `wayBack` chooses it. */
function Onwards({ session: { permissions, user } }: { session: Session }) {
  const [asked] = useState(readReturnTo);
  const [to] = useState(() => wayBack(asked, permissions, ROUTES, user.productionProcessIds));
  useEffect(forgetReturnTo, []);
  return <Navigate to={to} state={asked === null ? LANDED : null} replace />;
}

function SignInFirst({ page }: { page: string }) {
  useEffect(() => askedFor(page), [page]);
  return <Navigate to="/login" replace />;
}

function NoSuchPage({ to }: { to: string }) {
  useEffect(toastNoSuchPage, []);
  return <Navigate to={to} replace />;
}

function NotAllowed({ to }: { to: string }) {
  useEffect(toastNotAllowed, []);
  return <Navigate to={to} replace />;
}

/** End the session of an earlier day, at the start and while the page stays open. */
function useSessionWatch(): void {
  useEffect(() => {
    validateSession();
    const timer = setInterval(validateSession, EVERY_MINUTE);
    // Browsers slow down the timers of hidden pages: the day may have ended in the meantime.
    document.addEventListener("visibilitychange", validateSession);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", validateSession);
    };
  }, []);
}

function useDocumentTitle(route: AppRoute | undefined): void {
  const title = route?.title ?? "login";
  const key = titleKey(title);
  // The sign-in does not load the words of all features; the title is set when they have loaded.
  const { i18n } = useTranslation(key.split(":")[0] as "catalogs" | "reports" | "shell", {
    useSuspense: false,
  });
  const name = i18n.t(key);
  const tabTitle = useTabTitle(name);
  // Use a layout effect, so that it runs before the page's effects: the page of a record sets the
  // title to the record's name.
  useLayoutEffect(() => {
    document.title = tabTitle;
  }, [tabTitle]);
}
