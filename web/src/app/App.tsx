/** Theme, data cache and router around everything. */
import ConfigProvider from "antd/es/config-provider";
import { Suspense, useEffect, useRef } from "react";
import { SWRConfig } from "swr";
import { createHashRouter, RouterProvider } from "react-router";
import { useSession, type Session } from "@/shared/session/session";
import { antTheme, useThemeName } from "@/shared/theme/theme";
import { LoadingOverlay } from "@/shared/ui/LoadingOverlay";
import { Toaster } from "@/shared/ui/toast";
import { dataSettings } from "./dataSettings";
import { Screen } from "./Screen";
import { Crash, CrashGuard } from "./shell/CrashGuard";

const router = createHashRouter([
  {
    path: "*",
    element: (
      <CrashGuard>
        <Suspense fallback={null}>
          <Screen />
        </Suspense>
      </CrashGuard>
    ),
    errorElement: <Crash onRetry={() => window.location.reload()} />,
  },
]);

export function App() {
  const theme = useThemeName();
  // Another person starts with an empty cache: nothing of the one before can be seen.
  const session = useSession();
  const subject = session?.token ?? "nobody";
  useLoginAfter(session);
  return (
    <ConfigProvider theme={antTheme(theme)} button={{ autoInsertSpace: false }}>
      <SWRConfig key={subject} value={dataSettings}>
        <RouterProvider router={router} />
      </SWRConfig>
      <LoadingOverlay />
      <Toaster />
    </ConfigProvider>
  );
}

/** The end of a session leads to the login from every page, the public ones too. */
function useLoginAfter(session: Session | null): void {
  const before = useRef(session);
  useEffect(() => {
    if (before.current !== null && session === null) {
      void router.navigate("/login", { replace: true });
    }
    before.current = session;
  }, [session]);
}
