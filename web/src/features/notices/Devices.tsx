/**
 * The browsers that get the user's pushes. This browser can be added; each can be tested and
 * removed.
 */
import Button from "antd/es/button";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDay, formatInstant } from "@/shared/format/plant";
import { useAnswers } from "@/shared/http/data";
import { at, DEVICES } from "@/shared/http/keys";
import {
  leaveHere,
  pushAbility,
  registerHere,
  useRegisteredHere,
  type Registered,
} from "@/shared/http/pushes";
import { useSubmit } from "@/shared/ui/useSubmit";
import { useSignedIn } from "@/shared/session/session";
import { Chip } from "@/shared/ui/Chip";
import { toastError } from "@/shared/ui/errors";
import { LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { removeDevice, tryDevice, useDevices, type Device } from "./notices.api";

export function Devices({ publicKey }: { publicKey: string }) {
  const { t } = useTranslation("notices");
  const { data: devices, error, mutate } = useDevices();
  const here = useRegisteredHere();
  const isHere = ({ fingerprint }: Device) => fingerprint === here?.fingerprint;
  return (
    <section className="ob-surface ob-padded ob-stack" aria-labelledby="notices-devices">
      <h2 id="notices-devices">{t("devicesTitle")}</h2>
      {publicKey === "" ? (
        <p className="ob-note ob-note--warning">{t("noPush")}</p>
      ) : (
        <ThisBrowser publicKey={publicKey} isOn={devices?.some(isHere) ?? false} />
      )}
      {error !== undefined && <LoadFailed error={error} onRetry={() => void mutate()} />}
      {devices?.length === 0 && <p className="ob-quiet">{t("noDevices")}</p>}
      {devices !== undefined && devices.length > 0 && (
        <ul className="ob-ruled">
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} here={isHere(device) ? here : null} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ThisBrowser({ publicKey, isOn }: { publicKey: string; isOn: boolean }) {
  const { t } = useTranslation("notices");
  const { user } = useSignedIn();
  const { reload } = useAnswers();
  const [busy, setBusy] = useState(false);
  const ability = pushAbility();

  async function onPress() {
    setBusy(true);
    try {
      if (isOn) await leaveHere();
      else if (await registerHere(publicKey, user.id)) toast.success(t("turnedOn"));
      else toast.error(t("denied"));
    } catch (reason) {
      // The push service cannot be reached, or the browser allows no pushes in a private window.
      if (reason instanceof DOMException) toast.error(t("failed"));
      else toastError(reason);
    }
    await reload(at(DEVICES));
    setBusy(false);
  }

  if (ability !== "possible") return <p className="ob-note">{t(ability)}</p>;
  return (
    <Button
      className="ob-notice-here"
      type={isOn ? "default" : "primary"}
      loading={busy}
      onClick={() => void onPress()}
    >
      {t(isOn ? "turnOff" : "turnOn")}
    </Button>
  );
}

function DeviceRow({ device, here }: { device: Device; here: Registered | null }) {
  const { t } = useTranslation("notices");
  const { reload } = useAnswers();
  const { id, label, createdAt, sentAt, current, failing } = device;
  const removing = useSubmit((headers) =>
    here === null ? removeDevice(headers, id) : leaveHere().then(() => device),
  );
  const trying = useSubmit((headers) => tryDevice(headers, id));

  async function act(work: () => Promise<unknown>, done: string) {
    try {
      if ((await work()) !== undefined) toast.success(done);
    } catch (reason) {
      toastError(reason);
    }
    await reload(at(DEVICES));
  }

  return (
    <li className="ob-row ob-apart ob-notice-device">
      <div className="ob-stack ob-stack--tight">
        <span className="ob-words">
          <strong className="ob-breaks">{label}</strong>
          {here !== null && <Chip tone="good">{t("here")}</Chip>}
          {!current && <Chip tone="warning">{t("old")}</Chip>}
          {current && failing && <Chip tone="warning">{t("failing")}</Chip>}
        </span>
        <span className="ob-quiet ob-small">
          {t("registered", { day: formatDay(createdAt) })}
          {sentAt !== null && ` · ${t("lastSent", { instant: formatInstant(sentAt) })}`}
        </span>
      </div>
      <div className="ob-row">
        <Button
          disabled={!current}
          loading={trying.busy}
          aria-label={t("testLabel", { name: label })}
          onClick={() => void act(() => trying.submit(), t("tested"))}
        >
          {t("test")}
        </Button>
        <Button
          danger
          loading={removing.busy}
          aria-label={t("removeLabel", { name: label })}
          onClick={() => void act(() => removing.submit(), t("removed", { name: label }))}
        >
          {t("remove")}
        </Button>
      </div>
    </li>
  );
}
