/** The electronic invoice of a bill: what it lacks, its XML, its seal and its stamp. */
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import Button from "antd/es/button";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Cfdi, Delivery } from "@/contract";
import { formatInstant } from "@/shared/format/plant";
import { Fact } from "@/shared/ui/Facts";
import { toastError } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { usePdf } from "@/shared/ui/usePdf";
import { useSubmit } from "@/shared/ui/useSubmit";
import { dropSeal, fetchCfdi, sealCfdi, stampCfdi, useCfdi } from "../billing.api";
import { Gaps } from "../Missing";
import { CustomsGap } from "./CustomsGap";

const CancelCfdiDrawer = lazyPart(() => import("./CancelCfdiDrawer"));

interface Props {
  bill: Delivery;
  /** Opens the form of the bill's terms and boxes. */
  onEdit: (() => void) | undefined;
}

export function CfdiPart({ bill, onEdit }: Props) {
  const { t } = useTranslation("billing");
  const { data: cfdi, error, mutate } = useCfdi(bill.id);
  if (cfdi === undefined) {
    return error === undefined ? null : (
      <Fact name={t("cfdi.title")} wide>
        <Button size="small" onClick={() => void mutate()}>
          {t("cfdi.checkAgain")}
        </Button>
      </Fact>
    );
  }
  const { state, gaps } = cfdi;
  return (
    <>
      <Fact name={t("cfdi.title")} wide>
        <span className="ob-words">
          <span>{stateText(cfdi, t)}</span>
          {gaps.length === 0 && (
            <Actions
              bill={bill}
              cfdi={cfdi}
              onDone={(now) => void mutate(now ?? undefined, { revalidate: now === null })}
            />
          )}
        </span>
      </Fact>
      {state === null && (
        <Gaps label={t("cfdi.missing")}>
          {gaps.map((gap) => (
            <CustomsGap key={`${gap.code} ${gap.at} ${gap.id}`} gap={gap} onBill={onEdit} />
          ))}
        </Gaps>
      )}
    </>
  );
}

async function unseal(billId: number): Promise<null> {
  await dropSeal(billId);
  return null;
}

type Words = ReturnType<typeof useTranslation<"billing">>["t"];

function stateText({ state, gaps, sealedAt, uuid, csd }: Cfdi, t: Words): string {
  if (state === "stamped") return t("cfdi.stamped", { uuid });
  if (state === "sealed") return t("cfdi.sealed", { at: formatInstant(sealedAt ?? "") });
  if (gaps.length > 0) return t("cfdi.incomplete");
  return csd ? t("cfdi.ready") : t("cfdi.readyElsewhere");
}

interface ActionsProps {
  bill: Delivery;
  cfdi: Cfdi;
  /** Gets the invoice as it is now; null: it must be loaded. */
  onDone: (now: Cfdi | null) => void;
}

type Work = () => Promise<Cfdi | null>;

function Actions({ bill, cfdi: { state, csd }, onDone }: ActionsProps) {
  const { t } = useTranslation("billing");
  const file = useRef<HTMLInputElement>(null);
  const [canceling, setCanceling] = useState(false);
  const xml = usePdf(() => fetchCfdi(bill.id));
  const { submit, busy } = useSubmit((_headers, work: Work) => work());

  async function act(what: Work) {
    try {
      const now = await submit(what);
      if (now !== undefined) onDone(now);
    } catch (reason) {
      toastError(reason);
    }
  }

  return (
    <>
      <Button
        size="small"
        icon={<DownloadOutlined aria-hidden />}
        loading={xml.busy}
        onClick={() => void xml.save()}
      >
        {t(state === null ? "cfdi.saveUnsealed" : "cfdi.save")}
      </Button>
      {state === null && csd && (
        <Button size="small" loading={busy} onClick={() => void act(() => sealCfdi(bill.id))}>
          {t("cfdi.seal")}
        </Button>
      )}
      {state === "stamped" && (
        <Button size="small" onClick={() => setCanceling(true)}>
          {t("cfdi.cancel")}
        </Button>
      )}
      {canceling && (
        <CancelCfdiDrawer
          bill={bill}
          onDone={() => onDone(null)}
          onClose={() => setCanceling(false)}
        />
      )}
      {state === "sealed" && (
        <>
          <Button size="small" loading={busy} onClick={() => file.current?.click()}>
            {t("cfdi.upload")}
          </Button>
          <Button size="small" disabled={busy} onClick={() => void act(() => unseal(bill.id))}>
            {t("cfdi.drop")}
          </Button>
          <input
            ref={file}
            type="file"
            hidden
            accept=".xml,application/xml,text/xml"
            aria-label={t("cfdi.upload")}
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              if (chosen !== undefined)
                void act(async () => stampCfdi(bill.id, await chosen.text()));
              target.value = "";
            }}
          />
        </>
      )}
    </>
  );
}
