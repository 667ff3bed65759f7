/** The data cache, the router and the loading spinner. */
import { Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { createHashRouter, RouterProvider } from "react-router";
import { SWRConfig, type SWRConfiguration } from "swr";
import { useLoading } from "@/shared/http/activity";
import { asApiError } from "@/shared/http/ApiError";
import { caches, newCache, noteUse } from "@/shared/http/copy";
import { quietRefresh } from "@/shared/http/data";
import { useSession, type Session } from "@/shared/session/session";
import { Toaster } from "@/shared/ui/toast";
import { isBare, mayOpen } from "./guard";
import { ROUTES } from "./routes";
import { Screen } from "./Screen";
import { Crash, CrashGuard } from "./shell/CrashGuard";
import "@/shared/ui/states.css";

const router = createHashRouter([
  {
    path: "*",
    element: (
      <>
        <CrashGuard>
          <Suspense fallback={null}>
            <Screen />
          </Suspense>
        </CrashGuard>
        <Toasts />
      </>
    ),
    errorElement: <Crash onRetry={() => window.location.reload()} />,
  },
]);

export function App() {
  // Each session starts with an empty cache, so that no data of the previous user is shown.
  const session = useSession();
  const subject = `${session?.token ?? "nobody"} ${caches.use()}`;
  useLoginAfter(session);
  return (
    <>
      <SWRConfig key={subject} value={dataSettings}>
        <RouterProvider router={router} />
      </SWRConfig>
      <LoadingOverlay />
    </>
  );
}

/**
 * Show messages. Rendered inside the router: a link in a message asks before unsaved input is lost.
 */
function Toasts() {
  const permissions = useSession()?.permissions ?? null;
  return <Toaster mayOpen={(pathname) => mayOpen(pathname, permissions, ROUTES)} />;
}

/** Go to the login when a session ends, from every page but a wall screen's. */
function useLoginAfter(session: Session | null): void {
  const before = useRef(session);
  useEffect(() => {
    if (
      before.current !== null &&
      session === null &&
      !isBare(router.state.location.pathname, ROUTES)
    ) {
      void router.navigate("/login", { replace: true });
    }
    before.current = session;
  }, [session]);
}

/** Settings of the data cache. Events report changes, so focus and reconnection reload nothing. */
const dataSettings: SWRConfiguration = {
  provider: newCache,
  use: [noteUse, quietRefresh],
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  // Retry only errors that may pass without a change by the user.
  shouldRetryOnError: (reason) => {
    const { isOffline, status } = asApiError(reason);
    return isOffline || status >= 500;
  },
  errorRetryInterval: 3_000,
  errorRetryCount: 5,
};

const PATIENCE = 250;

/** Show a spinner over the page while a call takes longer than `PATIENCE`. */
function LoadingOverlay() {
  return useLoading() ? <Patient /> : null;
}

function Patient() {
  const { t } = useTranslation("shared");
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  return (
    <div className="ob-overlay" role="status" aria-label={t("state.loading")}>
      <span className="ob-overlay__spinner" />
    </div>
  );
}
