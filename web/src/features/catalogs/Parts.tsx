/** Switch the parts of the product that the workshop uses. What is off is not in the menu. */
import Switch from "antd/es/switch";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Part } from "@/contract";
import { useParts } from "@/entities/parts";
import { call, api } from "@/shared/http/client";
import { useAnswers } from "@/shared/http/data";
import { RESOURCES } from "@/shared/http/keys";
import { useMay } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";

export function Parts() {
  const { t } = useTranslation("catalogs");
  const parts = useParts() ?? [];
  const mayChange = useMay("UpdateCompany");
  return (
    <details className="ob-surface ob-padded ob-below">
      <summary>{t("parts.title")}</summary>
      <p className="ob-quiet">{t("parts.note")}</p>
      <div className="ob-stack">
        {parts.map((part) => (
          <PartSwitch key={part.key} part={part} disabled={!mayChange} />
        ))}
      </div>
    </details>
  );
}

function PartSwitch({ part, disabled }: { part: Part; disabled: boolean }) {
  const { t } = useTranslation("catalogs");
  const { put } = useAnswers();
  const [busy, setBusy] = useState(false);
  const name = t(`parts.${part.key}.name`);

  async function turn(on: boolean) {
    setBusy(true);
    try {
      const path = { key: part.key };
      const now = await call(api.PUT("/api/parts/{key}", { params: { path }, body: { on } }));
      await put(RESOURCES.parts, {}, (held) =>
        held?.map((one) => (one.key === now.key ? now : one)),
      );
    } catch (reason) {
      toastError(reason);
    }
    setBusy(false);
  }

  return (
    <div className="ob-row">
      <Switch
        checked={part.on}
        loading={busy}
        disabled={disabled}
        aria-label={name}
        onChange={(on) => void turn(on)}
      />
      <span>
        {name} <small className="ob-quiet">{t(`parts.${part.key}.what`)}</small>
      </span>
    </div>
  );
}
