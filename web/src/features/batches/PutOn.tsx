/** Put lines on a batch: scan their sheets anywhere on the page, or choose them from the list. */
import ScanOutlined from "@ant-design/icons/es/icons/ScanOutlined";
import Button from "antd/es/button";
import Skeleton from "antd/es/skeleton";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Batch, OfferedLine } from "@/contract";
import { NumberField } from "@/shared/form/NumberField";
import { sayDay } from "@/shared/format/days";
import { problemOf, type Typed } from "@/shared/format/typedNumber";
import { useSubmit } from "@/shared/hooks/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { api, call } from "@/shared/http/client";
import { useAnswers } from "@/shared/http/data";
import { at, BATCH, BATCH_LINES } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { isCovered } from "@/shared/keyboard/shortcuts";
import { Thumb } from "@/shared/picture/Thumb";
import { useScannerTyping } from "@/shared/scanning/scanning";
import { errorText, toastError } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { SearchField } from "@/shared/ui/SearchField";
import { LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { putOn, useOfferedLines } from "./batches.api";
import "./batches.css";

const ScanDialog = lazyPart(() => import("@/shared/scanning/ScanDialog"), "dialog");

interface Chosen {
  salesOrderId: number;
  position: number;
  /** Null: all that may be put on the batch. */
  quantity: number | null;
}

export function PutOn({ batch }: { batch: Batch }) {
  const { t } = useTranslation(["batches", "scanning", "shared"]);
  const { reload } = useAnswers();
  const [search, setSearch] = useState("");
  const [scanning, setScanning] = useState(false);
  const { data: offered, error, mutate } = useOfferedLines(batch.id, search);
  const { submit, busy } = useSubmit((headers, line: Chosen) => putOn(headers, batch.id, line));

  /** Returns whether the line is on the batch now. */
  async function put(line: Chosen): Promise<boolean> {
    try {
      const changed = await submit(line);
      const added = changed?.lines.at(-1);
      if (added !== undefined) {
        const { customerSalesOrderId: po, position, quantity: count } = added;
        toast.success(t("putOn.done", { count, line: t("line", { po, position }) }));
      }
      void reload(at(BATCH_LINES));
      return changed !== undefined;
    } catch (reason) {
      toastError(reason);
      if (asApiError(reason).isConflict) void reload(at(BATCH, { batch_id: batch.id }));
      return false;
    }
  }

  async function scan(code: string): Promise<boolean> {
    try {
      const { salesOrderId, position } = await call(api.POST("/api/scan", { body: { code } }));
      return await put({ salesOrderId, position, quantity: null });
    } catch (reason) {
      toast.error(errorText(asApiError(reason)));
      return false;
    }
  }

  useScannerTyping((code) => {
    // Ignore the scan while a dialog covers the page: the new line would change what the dialog
    // moves.
    if (!isCovered()) void scan(code);
  });

  return (
    <section className="ob-surface ob-padded" aria-labelledby="put-on">
      <div className="ob-row ob-apart ob-below">
        <h2 id="put-on">{t("putOn.title")}</h2>
        <Button icon={<ScanOutlined aria-hidden />} onClick={() => setScanning(true)}>
          {t("scanning:button")}
        </Button>
      </div>
      <p className="ob-quiet ob-below">{t("putOn.hint")}</p>
      <SearchField value={search} label={t("putOn.search")} onSearch={setSearch} />
      {offered === undefined && error !== undefined && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
      {offered === undefined && error === undefined && (
        <Skeleton active title={false} paragraph={{ rows: 4 }} />
      )}
      {offered?.length === 0 && <p className="ob-quiet ob-above">{t("putOn.none")}</p>}
      <ul className="ob-ruled ob-put-on">
        {offered?.map((line) => (
          <Offered key={line.lineId} line={line} busy={busy} onPut={put} />
        ))}
      </ul>
      {scanning && <ScanDialog onCode={scan} onClose={() => setScanning(false)} />}
    </section>
  );
}

interface OfferedProps {
  line: OfferedLine;
  busy: boolean;
  onPut: (line: Chosen) => Promise<boolean>;
}

function Offered({ line, busy, onPut }: OfferedProps) {
  const { t } = useTranslation("batches");
  const language = useLanguage();
  const { salesOrderId, position, quantity: most, deliveryDate } = line;
  /**
   * Undefined until the user types: then all pieces of the line, even if others change their
   * number.
   */
  const [typed, setTyped] = useState<Typed | undefined>(undefined);
  const pieces = typed === undefined ? most : typed;
  const rule = { least: 1, most };
  const wrong = problemOf(pieces, rule) !== null;
  const name = t("line", { po: line.customerSalesOrderId, position });
  return (
    <li className="ob-bar ob-batch-line">
      <Thumb address={line.thumbnail} />
      <span className="ob-stack ob-stack--tight ob-fill">
        <strong className="ob-breaks">{name}</strong>
        <span className="ob-breaks">
          {line.itemKey} · {line.itemName}
        </span>
        <span className="ob-quiet ob-small ob-breaks">
          {line.customerName}
          {deliveryDate !== null && (
            <span className={line.late ? "ob-wrong" : ""}>
              {" · "}
              {sayDay(deliveryDate, language)}
            </span>
          )}
        </span>
      </span>
      <span className="ob-row ob-end ob-batch-line__put">
        <NumberField
          rule={rule}
          value={pieces}
          words={{ tooMany: t("putOn.only", { count: most }) }}
          aria-label={t("putOn.pieces", { line: name })}
          onChange={setTyped}
        />
        <Button
          disabled={busy || wrong}
          aria-label={t("putOn.of", { count: Number(pieces) || 0, line: name })}
          onClick={() => void onPut({ salesOrderId, position, quantity: Number(pieces) })}
        >
          {t("putOn.button")}
        </Button>
      </span>
    </li>
  );
}
