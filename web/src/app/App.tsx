/** Data cache and router around everything. */
import { Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { createHashRouter, RouterProvider } from "react-router";
import { SWRConfig, type SWRConfiguration } from "swr";
import { useLoading } from "@/shared/http/activity";
import { asApiError } from "@/shared/http/ApiError";
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
  // Another person starts with an empty cache: nothing of the one before can be seen.
  const session = useSession();
  const subject = session?.token ?? "nobody";
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

/** In the router: a link in one asks before what is typed is left, as every link does. */
function Toasts() {
  const permissions = useSession()?.permissions ?? null;
  return <Toaster mayOpen={(pathname) => mayOpen(pathname, permissions, ROUTES)} />;
}

/** The end of a session leads to the login from every page, the public ones too; a wall screen has none. */
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

/** How loaded data is kept: events make it stale, so nothing is fetched again for a mere look. */
const dataSettings: SWRConfiguration = {
  provider: () => new Map(),
  use: [quietRefresh],
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  // A refusal stays a refusal; only what may pass by itself is tried again.
  shouldRetryOnError: (reason) => {
    const { isOffline, status } = asApiError(reason);
    return isOffline || status >= 500;
  },
  errorRetryInterval: 3_000,
  errorRetryCount: 5,
};

const PATIENCE = 250;

/** The spinner over everything while a call runs; quick answers never show it. */
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
