/** The one column of the pages before signing in. */
import type { ReactNode } from "react";
import { LanguageSwitch } from "./LanguageSwitch";
import "./LoginPage.css";

export function PublicPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="ob-login">
      <LanguageSwitch />
      <main className="ob-login__column">
        <img className="ob-login__mark" src="./favicon.svg" alt="" width={48} height={48} />
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  );
}
