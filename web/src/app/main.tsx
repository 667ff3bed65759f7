/** Starts the client: words first, with the code of the page beside them, then the page of the address. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startI18n } from "@/shared/i18n";
import "@/shared/theme/typeface/typeface.css";
import "@/shared/theme/look";
import "@/shared/theme/tokens.css";
import "@/shared/theme/hand.css";
import { getSession } from "@/shared/session/session";
import { App } from "./App";
import { ROUTES } from "./routes";
import { CrashGuard } from "./shell/CrashGuard";

// React waits 300 ms before it shows what lacked its words: the sign-in lacks none when it is first drawn.
const signIn = getSession() === null ? ROUTES.find(({ path }) => path === "/login") : undefined;
signIn?.load().catch(() => undefined); // The page itself asks again, and says what it lacks.
await startI18n(signIn === undefined ? ["shell"] : ["shell", "login"]);
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <CrashGuard>
      <App />
    </CrashGuard>
  </StrictMode>,
);
