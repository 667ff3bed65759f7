/** Theme, data cache and router around everything. */
import ConfigProvider from "antd/es/config-provider";
import { SWRConfig } from "swr";
import { createHashRouter, RouterProvider } from "react-router";
import { useSession } from "@/shared/session/session";
import { antTheme, useThemeName } from "@/shared/theme/theme";
import { LoadingOverlay } from "@/shared/ui/LoadingOverlay";
import { Toaster } from "@/shared/ui/toast";
import { dataSettings } from "./dataSettings";
import { Screen } from "./Screen";

const router = createHashRouter([{ path: "*", element: <Screen /> }]);

export function App() {
  const theme = useThemeName();
  // Another person starts with an empty cache: nothing of the one before can be seen.
  const subject = useSession()?.token ?? "nobody";
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
