/** Start the product: load the words and the page's code in parallel, then show the page of the address. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { readCopy } from "@/shared/http/copy";
import { loadAllWords, startI18n } from "@/shared/i18n";
import { getSession } from "@/shared/session/session";
import { App } from "./App";
import { routeOf } from "./routes";
import { CrashGuard } from "./shell/CrashGuard";

const isSignedIn = getSession() !== null;
const page = routeOf(isSignedIn ? window.location.hash.slice(1).split("?", 1)[0]! : "/login");
const parts = isSignedIn ? [() => import("./shell/Shell"), page?.load] : [page?.load];
for (const load of parts) load?.().catch(() => undefined); // The part itself retries, and reports the failure.
// The sign-in waits only for the words that it needs; the others load after it is shown.
await Promise.all([startI18n(isSignedIn ? undefined : ["shared", "shell", "login"]), readCopy()]);
if (!isSignedIn) void loadAllWords();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <CrashGuard>
      <App />
    </CrashGuard>
  </StrictMode>,
);
