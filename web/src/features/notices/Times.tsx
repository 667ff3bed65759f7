/** The settings of the morning digest, and of the hours without pushes. */
import Button from "antd/es/button";
import Checkbox from "antd/es/checkbox";
import Input from "antd/es/input/Input";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useSubmit } from "@/shared/ui/useSubmit";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { useChangePreferences, type Preferences, type PreferencesChange } from "./notices.api";
import "./notices.css";

/** The hours that are proposed to a user who has set none. */
const NIGHT = { from: "20:00", until: "07:00" };

/**
 * Return a function that saves a change and shows a toast. It resolves with whether the change was
 * saved.
 */
function useSaving() {
  const { t } = useTranslation("shared");
  const change = useChangePreferences();
  const { submit, busy } = useSubmit(async (_headers, body: PreferencesChange) => {
    await change(body);
    return true;
  });
  async function save(body: PreferencesChange): Promise<boolean> {
    try {
      if ((await submit(body)) === undefined) return false;
    } catch (reason) {
      toastError(reason);
      return false;
    }
    toast.success(t("message.saved"));
    return true;
  }
  return { save, busy };
}

export function Digest({ preferences }: { preferences: Preferences }) {
  const { t } = useTranslation("notices");
  const { save, busy } = useSaving();
  const { address, digest, digestHour, mailServer, mailRefused } = preferences;
  return (
    <section className="ob-surface ob-padded ob-stack" aria-labelledby="notices-digest">
      <h2 id="notices-digest">{t("digestTitle")}</h2>
      {!mailServer && <p className="ob-note ob-note--warning">{t("noMail")}</p>}
      {mailServer && mailRefused && (
        <div className="ob-note ob-note--danger ob-row" role="alert">
          <p>{t("refused", { address })}</p>
          <Button loading={busy} onClick={() => void save({})}>
            {t("tryAgain")}
          </Button>
        </div>
      )}
      {preferences.digestOffered && (
        <Checkbox
          className="ob-notice-tick"
          checked={digest}
          disabled={!mailServer}
          onChange={() => void save({ digest: !digest })}
        >
          {t("digest", { hour: digestHour })}
        </Checkbox>
      )}
      {mailServer && !mailRefused && (
        <p className="ob-quiet ob-small">{t("digestTo", { address })}</p>
      )}
    </section>
  );
}

export function QuietHours({ preferences }: { preferences: Preferences }) {
  const { t } = useTranslation("notices");
  const { save, busy } = useSaving();
  const { quietFrom, quietUntil } = preferences;
  const [from, setFrom] = useState(quietFrom ?? NIGHT.from);
  const [until, setUntil] = useState(quietUntil ?? NIGHT.until);
  const isOn = quietFrom !== null;
  const isEqual = from === until;
  const isSame = from === quietFrom && until === quietUntil;

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    void save({ quietFrom: from, quietUntil: until });
  }

  const field = (name: "quietFrom" | "quietUntil", value: string, set: (value: string) => void) => (
    <div className="ob-stack ob-stack--tight">
      <label htmlFor={`notices-${name}`}>{t(name)}</label>
      <Input
        id={`notices-${name}`}
        className="ob-notice-time"
        type="time"
        value={value}
        disabled={!isOn}
        aria-invalid={isEqual}
        {...(isEqual ? { status: "error" as const } : {})}
        onChange={({ target }) => set(target.value)}
      />
    </div>
  );
  return (
    <section className="ob-surface ob-padded ob-stack" aria-labelledby="notices-quiet">
      <h2 id="notices-quiet">{t("quietTitle")}</h2>
      <p className="ob-quiet">{t("quiet")}</p>
      <Checkbox
        className="ob-notice-tick"
        checked={isOn}
        onChange={() =>
          void save(
            isOn
              ? { quietFrom: null, quietUntil: null }
              : { quietFrom: from || NIGHT.from, quietUntil: until || NIGHT.until },
          )
        }
      >
        {t("quietOn")}
      </Checkbox>
      <form className="ob-row" noValidate onSubmit={onSubmit}>
        {field("quietFrom", from, setFrom)}
        {field("quietUntil", until, setUntil)}
        <Button
          htmlType="submit"
          loading={busy}
          disabled={!isOn || isEqual || isSame || from === "" || until === ""}
        >
          {t("quietSave")}
        </Button>
      </form>
      {isEqual && (
        <p className="ob-wrong" role="alert">
          {t("quietEqual")}
        </p>
      )}
    </section>
  );
}
