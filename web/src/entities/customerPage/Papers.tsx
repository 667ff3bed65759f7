/** The papers of an order. They are fetched, so that no address of a file contains the token. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PagePaper } from "@/contract";

interface Props {
  papers: readonly PagePaper[];
  onSave: (paper: PagePaper) => Promise<void>;
}

export function Papers({ papers, onSave }: Props) {
  const { t } = useTranslation("customerPage");
  const [busy, setBusy] = useState<PagePaper | null>(null);
  const [failed, setFailed] = useState(false);

  async function save(paper: PagePaper) {
    if (busy !== null) return;
    setBusy(paper);
    setFailed(false);
    try {
      await onSave(paper);
    } catch {
      setFailed(true); // Whatever the reason, all that a customer can do is to try again.
    } finally {
      setBusy(null);
    }
  }

  return (
    <section className="ob-stack">
      <h3>{t("papers")}</h3>
      <ul className="ob-row">
        {papers.map((paper) => (
          <li key={`${paper.billId} ${paper.paper}`}>
            <button
              type="button"
              className="ob-cpage__button"
              disabled={busy !== null && busy !== paper}
              aria-busy={busy === paper}
              onClick={() => void save(paper)}
            >
              {t(`paper.${paper.paper}`, { number: paper.number })}
            </button>
          </li>
        ))}
      </ul>
      {failed && <p role="alert">{t("failed")}</p>}
    </section>
  );
}
