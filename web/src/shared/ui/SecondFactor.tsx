/** What is shown once while an authenticator app is set up. Uses no Ant Design, like the sign-in page. */
import { useTranslation } from "react-i18next";
import type { Schemas } from "@/contract";
import "./SecondFactor.css";

/** The secret of a new app, as a QR code and as text. */
export function SeedView({ seed }: { seed: Schemas["SeedOut"] }) {
  const { t } = useTranslation("secondFactor");
  return (
    <div className="ob-stack ob-below">
      <p>{t("seed.scan")}</p>
      <img
        className="ob-seed"
        src={`data:image/svg+xml,${encodeURIComponent(seed.picture)}`}
        alt={t("seed.alt")}
        width={200}
        height={200}
      />
      <p className="ob-small">
        {t("seed.type")} <code className="ob-breaks">{seed.secret}</code>
      </p>
    </div>
  );
}

/** The recovery codes, with what they are for. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation("secondFactor");
  return (
    <>
      <p className="ob-below">{t("codes.note")}</p>
      <ul className="ob-codes" aria-label={t("codes.title")}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
