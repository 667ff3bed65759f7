/** Starts the client: words first, then the page of the address. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startI18n } from "@/shared/i18n";
import "@/shared/theme/typeface/typeface.css";
import "@/shared/theme/look";
import "@/shared/theme/tokens.css";
import "@/shared/theme/hand.css";
import { App } from "./App";
import { CrashGuard } from "./shell/CrashGuard";

await startI18n();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <CrashGuard>
      <App />
    </CrashGuard>
  </StrictMode>,
);
