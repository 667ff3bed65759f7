/** The user's passkeys: add one on this device, name it, remove it. */
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDay, formatInstant } from "@/shared/format/plant";
import { useAnswers } from "@/shared/http/data";
import { at } from "@/shared/http/keys";
import { knowsPasskeys } from "@/shared/http/passkeys";
import { Chip } from "@/shared/ui/Chip";
import { toast } from "@/shared/ui/toast";
import { Confirm, type Given } from "./Confirm";
import {
  addPasskey,
  removePasskey,
  renamePasskey,
  WAYS,
  type Passkey,
  type Ways,
} from "./ways.api";

type Asked = { does: "add" } | { does: "rename" | "remove"; passkey: Passkey };

export function PasskeySection({ ways }: { ways: Ways }) {
  const { t } = useTranslation("account");
  const { reload } = useAnswers();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { passkeys } = ways;
  return (
    <section className="ob-surface ob-padded ob-stack" aria-labelledby="ways-passkeys">
      <h2 id="ways-passkeys">{t("ways.passkeys.title")}</h2>
      <p className="ob-quiet">{t("ways.passkeys.note")}</p>
      {passkeys.length === 0 && <p>{t("ways.passkeys.none")}</p>}
      {passkeys.length > 0 && (
        <ul className="ob-ruled">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onAsk={setAsked} />
          ))}
        </ul>
      )}
      {knowsPasskeys() ? (
        <p>
          <Button type="primary" onClick={() => setAsked({ does: "add" })}>
            {t("ways.passkeys.add")}
          </Button>
        </p>
      ) : (
        <p className="ob-note">{t("ways.passkeys.impossible")}</p>
      )}
      {asked !== null && (
        <Confirm
          title={t(asked.does === "add" ? "ways.passkeys.add" : `ways.passkeys.${asked.does}`)}
          hasPassword={asked.does !== "rename" && ways.hasPassword}
          name={asked.does === "remove" ? null : asked.does === "add" ? "" : asked.passkey.name}
          work={(given) => perform(asked, given)}
          onDone={({ name }) => {
            if (asked.does === "add") toast.success(t("ways.passkeys.added", { name }));
            if (asked.does === "remove") {
              toast.success(t("ways.passkeys.removed", { name: asked.passkey.name }));
            }
            setAsked(null);
            void reload(at(WAYS));
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}

function perform(asked: Asked, { currentPassword, name }: Given): Promise<unknown> {
  if (asked.does === "add") return addPasskey(currentPassword, name.trim());
  const { id } = asked.passkey;
  return asked.does === "remove"
    ? removePasskey(id, currentPassword)
    : renamePasskey(id, name.trim());
}

function PasskeyRow({ passkey, onAsk }: { passkey: Passkey; onAsk: (asked: Asked) => void }) {
  const { t } = useTranslation("account");
  const { name, createdAt, usedAt, synced } = passkey;
  return (
    <li className="ob-row ob-apart">
      <div className="ob-stack ob-stack--tight">
        <span className="ob-words">
          <strong className="ob-breaks">{name}</strong>
          {synced && <Chip tone="good">{t("ways.passkeys.synced")}</Chip>}
        </span>
        <span className="ob-quiet ob-small">
          {t("ways.passkeys.since", { day: formatDay(createdAt) })}
          {" · "}
          {usedAt === null
            ? t("ways.passkeys.never")
            : t("ways.passkeys.used", { instant: formatInstant(usedAt) })}
        </span>
      </div>
      <div className="ob-row">
        <Button
          aria-label={t("ways.passkeys.renameLabel", { name })}
          onClick={() => onAsk({ does: "rename", passkey })}
        >
          {t("ways.passkeys.rename")}
        </Button>
        <Button
          danger
          aria-label={t("ways.passkeys.removeLabel", { name })}
          onClick={() => onAsk({ does: "remove", passkey })}
        >
          {t("ways.passkeys.remove")}
        </Button>
      </div>
    </li>
  );
}
