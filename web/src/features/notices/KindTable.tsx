/** Table of the kinds of notices and their channels. Each tick is saved at once. */
import Checkbox from "antd/es/checkbox";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { toastError } from "@/shared/ui/errors";
import {
  CHANNELS,
  toggled,
  useChangePreferences,
  type Channel,
  type Kind,
  type Preferences,
} from "./notices.api";
import "./notices.css";

export function KindTable({ preferences }: { preferences: Preferences }) {
  const { t } = useTranslation("notices");
  const change = useChangePreferences();
  /**
   * The cell that is being saved. It keeps the focus. The other cells are disabled, so that no
   * answer overtakes another.
   */
  const [saving, setSaving] = useState<string | null>(null);
  const able: Record<Channel, boolean> = {
    bell: true,
    push: preferences.publicKey !== "",
    mail: preferences.mailServer,
  };

  async function toggle(kind: Kind, held: readonly Channel[], channel: Channel) {
    if (saving !== null) return;
    setSaving(kind + channel);
    try {
      await change({ kinds: [{ kind, channels: toggled(held, channel) }] });
    } catch (reason) {
      toastError(reason);
    } finally {
      setSaving(null);
    }
  }

  return (
    <section className="ob-surface ob-padded ob-stack" aria-labelledby="notices-kinds">
      <h2 id="notices-kinds">{t("kindsTitle")}</h2>
      <table className="ob-plain-table ob-notice-kinds">
        <thead>
          <tr>
            <th scope="col">{t("kindHead")}</th>
            {CHANNELS.map((channel) => (
              <th key={channel} scope="col">
                {t(`channel.${channel}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preferences.kinds.map(({ kind, channels }) => (
            <tr key={kind}>
              <th scope="row">
                <span className="ob-strong">{t(`kind.${kind}`)}</span>
                <span className="ob-quiet ob-small ob-notice-kinds__hint">{t(`hint.${kind}`)}</span>
              </th>
              {CHANNELS.map((channel) => (
                <td key={channel}>
                  <Checkbox
                    className="ob-notice-kinds__tick"
                    aria-label={t("cell", {
                      kind: t(`kind.${kind}`),
                      channel: t(`channel.${channel}`),
                    })}
                    checked={channels.includes(channel)}
                    disabled={!able[channel] || (saving !== null && saving !== kind + channel)}
                    onChange={() => void toggle(kind, channels, channel)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="ob-quiet ob-small">{t("inDigest")}</p>
    </section>
  );
}
