/** The buttons of an electronic paper of a bill: its XML, its seal, its stamp and its cancellation. */
import FilePdfOutlined from "@ant-design/icons/es/icons/FilePdfOutlined";
import DownloadOutlined from "@ant-design/icons/es/icons/DownloadOutlined";
import Button from "antd/es/button";
import i18next from "i18next";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Cfdi } from "@/contract";
import { toastError } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { toast } from "@/shared/ui/toast";
import { usePdf } from "@/shared/ui/usePdf";
import { useSubmit } from "@/shared/ui/useSubmit";
import {
  askCancellation,
  dropSeal,
  fetchCfdi,
  sealCfdi,
  stampAtPac,
  stampCfdi,
  type Paper,
} from "../billing.api";

const CancelCfdiDrawer = lazyPart(() => import("./CancelCfdiDrawer"));

async function askSat(paper: Paper): Promise<Cfdi> {
  const now = await askCancellation(paper);
  if (now.canceling) toast.note(i18next.t("billing:cfdi.notYetCanceled"));
  return now;
}

async function unseal(paper: Paper): Promise<null> {
  await dropSeal(paper);
  return null;
}

interface Props {
  paper: Paper;
  /** Null: it is not sealed. */
  state: Cfdi["state"];
  /** Whether the company has a certificate to seal with. */
  csd: boolean;
  /** Whether a PAC stamps and cancels. */
  pac: boolean;
  /** Whether the SAT was asked to cancel it, and has not said that it is. */
  isCanceling: boolean;
  /** Gets the paper as it is now; null: it must be loaded. */
  onDone: (now: Cfdi | null) => void;
}

type Work = () => Promise<Cfdi | null>;

export function PaperActions({ paper, state, csd, pac, isCanceling, onDone }: Props) {
  const { t } = useTranslation("billing");
  const file = useRef<HTMLInputElement>(null);
  const [canceling, setCanceling] = useState(false);
  const xml = usePdf(() => fetchCfdi(paper, "xml"));
  const printed = usePdf(() => fetchCfdi(paper, "pdf"));
  const { submit, busy } = useSubmit((_headers, work: Work) => work());

  async function act(what: Work) {
    try {
      const now = await submit(what);
      if (now !== undefined) onDone(now);
    } catch (reason) {
      toastError(reason);
      onDone(null);
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
      {state === "stamped" && (
        <Button
          size="small"
          icon={<FilePdfOutlined aria-hidden />}
          loading={printed.busy}
          onClick={() => void printed.show()}
        >
          {t("cfdi.print")}
        </Button>
      )}
      {state === null && csd && (
        <Button size="small" loading={busy} onClick={() => void act(() => sealCfdi(paper))}>
          {t("cfdi.seal")}
        </Button>
      )}
      {state === "stamped" && !isCanceling && (
        <Button size="small" onClick={() => setCanceling(true)}>
          {t(pac ? "cfdi.cancelAtSat" : "cfdi.cancel")}
        </Button>
      )}
      {isCanceling && (
        <Button size="small" loading={busy} onClick={() => void act(() => askSat(paper))}>
          {t("cfdi.askSat")}
        </Button>
      )}
      {canceling && (
        <CancelCfdiDrawer
          paper={paper}
          pac={pac}
          onDone={() => onDone(null)}
          onClose={() => setCanceling(false)}
        />
      )}
      {state === "sealed" && (
        <>
          {pac && (
            <Button size="small" loading={busy} onClick={() => void act(() => stampAtPac(paper))}>
              {t("cfdi.stamp")}
            </Button>
          )}
          <Button size="small" loading={busy} onClick={() => file.current?.click()}>
            {t("cfdi.upload")}
          </Button>
          <Button size="small" disabled={busy} onClick={() => void act(() => unseal(paper))}>
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
              if (chosen !== undefined) void act(async () => stampCfdi(paper, await chosen.text()));
              target.value = "";
            }}
          />
        </>
      )}
    </>
  );
}
