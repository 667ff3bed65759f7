/** The certificate (CSD) with which a company seals its invoices. The password is sent and not kept. */
import Button from "antd/es/button";
import Input from "antd/es/input/Input";
import Password from "antd/es/input/Password";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Company } from "@/contract";
import { api, call } from "@/shared/http/client";
import { useAnswer, useAnswers } from "@/shared/http/data";
import { showing } from "@/shared/http/keys";
import { formatInstant } from "@/shared/format/plant";
import { useMay } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { useSubmit } from "@/shared/ui/useSubmit";

const CSD = "/api/deliveries/csd/{company_id}";

/** Return the content of a file in base64. */
async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

export function CsdFields({ record }: { record: Company }) {
  const { t } = useTranslation("catalogs");
  const id = useId();
  const mayChange = useMay("UpdateCompany");
  const place = { path: { company_id: record.id } };
  const { data: csd, mutate } = useAnswer(CSD, place, { quiet: true });
  const { afterWrite } = useAnswers();
  const [certificate, setCertificate] = useState<File | null>(null);
  const [key, setKey] = useState<File | null>(null);
  const [password, setPassword] = useState("");
  const { submit, busy } = useSubmit((_headers, work: () => Promise<typeof csd>) => work());

  async function send(act: () => Promise<typeof csd>) {
    try {
      const now = await submit(act);
      if (now === undefined) return;
      setCertificate(null);
      setKey(null);
      await mutate(now, { revalidate: false });
      afterWrite(showing("companies"));
    } catch (reason) {
      toastError(reason);
    }
    setPassword("");
  }

  async function store(chosen: File, keyFile: File) {
    const body = {
      certificate: await base64Of(chosen),
      key: await base64Of(keyFile),
      password,
    };
    return call(api.PUT(CSD, { params: place, body }));
  }

  if (csd === undefined) return null;
  return (
    <details>
      <summary>{t("csd.title")}</summary>
      <div className="ob-stack">
        <p>
          {csd.number === null
            ? t("csd.none")
            : t("csd.stored", { number: csd.number, until: formatInstant(csd.validTo ?? "") })}
        </p>
        {mayChange && (
          <>
            <label htmlFor={`${id}-certificate`}>{t("csd.certificate")}</label>
            <Input
              id={`${id}-certificate`}
              type="file"
              accept=".cer"
              onChange={({ target }) => setCertificate(target.files?.[0] ?? null)}
            />
            <label htmlFor={`${id}-key`}>{t("csd.key")}</label>
            <Input
              id={`${id}-key`}
              type="file"
              accept=".key"
              onChange={({ target }) => setKey(target.files?.[0] ?? null)}
            />
            <label htmlFor={`${id}-password`}>{t("csd.password")}</label>
            <Password
              id={`${id}-password`}
              autoComplete="off"
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
            <span className="ob-row">
              <Button
                loading={busy}
                disabled={certificate === null || key === null || password === ""}
                onClick={() => {
                  if (certificate !== null && key !== null)
                    void send(() => store(certificate, key));
                }}
              >
                {t("csd.store")}
              </Button>
              {csd.number !== null && (
                <Button
                  danger
                  disabled={busy}
                  onClick={() => void send(() => call(api.DELETE(CSD, { params: place })))}
                >
                  {t("csd.remove")}
                </Button>
              )}
            </span>
          </>
        )}
      </div>
    </details>
  );
}
