/** Open a customer's page by its link. It loads neither the product's shell nor Ant Design. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startI18n } from "@/shared/i18n";
import { hasChosenLanguage, storeLanguage } from "@/shared/language";
import { LinkPage } from "./LinkPage";

export async function openPage(token: string): Promise<void> {
  keepToOurselves();
  // On a first visit no language is chosen. Use English unless the browser says that the person
  // reads Spanish.
  if (!hasChosenLanguage() && !navigator.language.startsWith("es")) storeLanguage("en");
  await startI18n(["customerPage"]);
  createRoot(document.getElementById("root")!).render(
    <StrictMode>
      <LinkPage token={token} />
    </StrictMode>,
  );
}

/** The address holds a secret: send no referrer, and let no search engine index the page. */
function keepToOurselves(): void {
  for (const [name, content] of [
    ["referrer", "no-referrer"],
    ["robots", "noindex"],
  ] as const) {
    const meta = document.createElement("meta");
    meta.name = name;
    meta.content = content;
    document.head.append(meta);
  }
}
