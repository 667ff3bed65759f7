/** Connect a scale to this device: its make and speed, then the browser asks for the port. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Select } from "@/shared/form/Select";
import { useFocusBack } from "@/shared/hooks/browser";
import { keysOf } from "@/shared/keysOf";
import { FORMATS, type Make } from "./readings";
import { scale } from "./scale";

const MAKES = keysOf(FORMATS);
const SPEEDS = [1_200, 2_400, 4_800, 9_600, 19_200];

export default function ScaleDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["weight", "shared"]);
  const { connected, settings } = scale.state.use();
  const [make, setMake] = useState<Make>(settings?.make ?? "and");
  const [baudRate, setBaudRate] = useState<number>(settings?.baudRate ?? FORMATS[make].baudRate);
  const [failed, setFailed] = useState(false);
  useFocusBack();

  async function connect() {
    setFailed(false);
    try {
      await scale.connect({ make, baudRate });
      onClose();
    } catch (reason) {
      // The user may close the browser's list without choosing a port.
      setFailed(!(reason instanceof DOMException && reason.name === "NotFoundError"));
    }
  }

  const state = connected ? "connected" : settings === null ? "none" : "away";
  return (
    <Modal
      open
      centered
      width={440}
      title={t("scale.title")}
      footer={null}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
    >
      <div className="ob-stack">
        <p role="status">{t(`scale.is.${state}`)}</p>
        <p className="ob-quiet">{t("scale.hint")}</p>
        <label className="ob-stack ob-stack--tight ob-strong">
          <span>{t("scale.make")}</span>
          <Select<Make>
            size="large"
            value={make}
            options={MAKES.map((value) => ({ value, label: t(`scale.makes.${value}`) }))}
            onChange={(next) => {
              setMake(next);
              setBaudRate(FORMATS[next].baudRate);
            }}
          />
        </label>
        <label className="ob-stack ob-stack--tight ob-strong">
          <span>{t("scale.speed")}</span>
          <Select<number>
            size="large"
            value={baudRate}
            options={SPEEDS.map((value) => ({ value, label: String(value) }))}
            onChange={setBaudRate}
          />
        </label>
        {failed && (
          <p className="ob-note ob-note--danger" role="alert">
            {t("scale.failed")}
          </p>
        )}
        <div className="ob-bar">
          <Button type="primary" size="large" onClick={() => void connect()}>
            {t("scale.connect")}
          </Button>
          {settings !== null && (
            <Button size="large" onClick={() => void scale.forget()}>
              {t("scale.forget")}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  );
}
