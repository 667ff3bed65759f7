/** Put lines on a batch: scan their sheets anywhere on the page, or choose them from the list. */
import ScanOutlined from "@ant-design/icons/es/icons/ScanOutlined";
import Button from "antd/es/button";
import Skeleton from "antd/es/skeleton";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Batch, OfferedLine } from "@/contract";
import { NumberField } from "@/shared/form/NumberField";
import { sayDay } from "@/shared/format/days";
import { problemOf, type Typed } from "@/shared/format/typedNumber";
import { useAnswers } from "@/shared/http/data";
import { at, BATCH, BATCH_LINES } from "@/shared/http/keys";
import { useLanguage } from "@/shared/i18n";
import { isCovered } from "@/shared/keyboard/shortcuts";
import { useProcessName } from "@/entities/processes";
import { Thumb } from "@/shared/picture/Thumb";
import { codeOf, isShortCode } from "@/entities/scanning/codes";
import { useSound } from "@/entities/scanning/feedback";
import { useScannerTyping } from "@/entities/scanning/scanning";
import { lazyPart } from "@/shared/ui/lazyPart";
import { SearchField } from "@/shared/ui/SearchField";
import { LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { useOfferedLines, type Chosen } from "./batches.api";
import { Scans } from "./Scans";
import { useScans, type Scan } from "./useScans";
import "./batches.css";

const ScanDialog = lazyPart(() => import("@/entities/scanning/ScanDialog"), "dialog");

/** A scan counts wherever the focus is, so a short code typed as quickly into a field is one too. */
const SCANNING = { isShort: (text: string) => isShortCode(codeOf(text)) };

const isOf = ({ line }: Scan, { salesOrderId, position }: OfferedLine): boolean =>
  line?.salesOrderId === salesOrderId && line.position === position;

interface Props {
  batch: Batch;
  /** What is on the batch. It stands above the lines to choose from, where who scans can see it. */
  children: ReactNode;
}

export function PutOn({ batch, children }: Props) {
  const { t } = useTranslation(["batches", "scanning", "shared"]);
  const { reload } = useAnswers();
  const [search, setSearch] = useState("");
  const [scanning, setScanning] = useState(false);
  const { data: offered, error, mutate } = useOfferedLines(batch.id, search);
  const { scans, ...queue } = useScans({
    batch,
    onRefused: (refusal) => {
      if (refusal.isConflict) void reload(at(BATCH, { batch_id: batch.id }));
    },
    onIdle: () => void reload(at(BATCH_LINES)),
  });

  useScannerTyping((code) => {
    // While a dialog covers the page, the new line would change what the dialog moves.
    if (!scanning && isCovered()) {
      toast.error(t("scans.covered"));
      queue.refuse(code, t("scans.covered"));
    } else void queue.scan(code);
  }, SCANNING);
  useSound();

  return (
    <>
      <Scans
        scans={scans}
        known={[...batch.lines, ...(offered ?? [])]}
        onAgain={queue.again}
        onDrop={queue.drop}
      />
      {children}
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
            <Offered
              key={line.lineId}
              line={line}
              busy={scans.some((scan) => scan.state === "waiting" && isOf(scan, line))}
              onPut={queue.choose}
            />
          ))}
        </ul>
        {scanning && <ScanDialog onCode={queue.scan} onClose={() => setScanning(false)} />}
      </section>
    </>
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
  const processName = useProcessName();
  const { salesOrderId, position, quantity: most, ready, elsewhere, deliveryDate } = line;
  /**
   * Undefined until the user types: then the pieces that are ready, or all if none is, even if
   * others change their number.
   */
  const [typed, setTyped] = useState<Typed | undefined>(undefined);
  const pieces = typed === undefined ? ready || most : typed;
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
        <span className="ob-words ob-small">
          {ready > 0 && <strong>{t("putOn.ready", { count: ready })}</strong>}
          {elsewhere.map(({ productionProcessId, quantity: count, inside }) => (
            <span key={`${productionProcessId} ${inside}`} className="ob-quiet">
              {t(inside ? "putOn.inside" : "putOn.waits", {
                count,
                process: processName(productionProcessId),
              })}
            </span>
          ))}
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
          onClick={() =>
            void onPut({ salesOrderId, position, quantity: Number(pieces), offered: line })
          }
        >
          {t("putOn.button")}
        </Button>
      </span>
    </li>
  );
}
