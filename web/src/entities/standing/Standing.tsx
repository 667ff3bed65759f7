/**
 * One sentence about where a line is. If the line is late, the sentence ends with how late, in red.
 */
import { useTranslation } from "react-i18next";
import { useNow } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { useProcessName } from "@/entities/processes";
import { standingWords, type StandingLine } from "./standing";
import "./standing.css";

const EVERY_MINUTE = 60_000;

export function Standing({ line }: { line: StandingLine }) {
  const { t } = useTranslation("standing");
  const language = useLanguage();
  const { where, late } = standingWords(line, useNow(EVERY_MINUTE), t, language, useProcessName());
  return (
    <span className="ob-standing">
      {where}
      {late !== "" && (
        <>
          {", "}
          <span className="ob-standing__late">{late}</span>
        </>
      )}
    </span>
  );
}
