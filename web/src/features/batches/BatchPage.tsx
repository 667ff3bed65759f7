/** A batch: its lines, its weights, and the presses that move all of it. Follows live events. */
import Button from "antd/es/button";
import Skeleton from "antd/es/skeleton";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import type { Batch } from "@/contract";
import type { Side } from "@/entities/batches/batches.api";
import { MoveBatch } from "@/entities/batches/MoveBatch";
import { useBatchTitle } from "@/entities/batches/useBatchTitle";
import { historyPath } from "@/shared/form/historyPath";
import { formatInstant } from "@/shared/format/plant";
import { useSubmit } from "@/shared/ui/useSubmit";
import { useAnswers } from "@/shared/http/data";
import { at, BATCHES } from "@/shared/http/keys";
import { LabelsButton } from "@/entities/labels/LabelsButton";
import { useMay, useSignedIn } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { Fact, Facts } from "@/shared/ui/Facts";
import { lazyPart } from "@/shared/ui/lazyPart";
import { BackLink, PageTitle } from "@/shared/ui/PageTitle";
import { EmptyState, LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { LossNote } from "@/entities/weight/LossNote";
import { closeBatch, useBatch } from "./batches.api";
import { BatchLines } from "./BatchLines";
import { BatchState } from "./BatchState";
import { LastBatchPress } from "./LastBatchPress";
import { noteBatchPress } from "./lastPress";
import { PutOn } from "./PutOn";

const BatchDrawer = lazyPart(() => import("./BatchDrawer"));
const LIST = "/operations/batches";

export default function BatchPage() {
  const { t } = useTranslation("batches");
  const navigate = useNavigate();
  const { data: batch, error, mutate } = useBatch(Number(useParams()["id"]));
  return (
    <div className="ob-page">
      {batch !== undefined && <WholeBatch batch={batch} renew={() => void mutate()} />}
      {batch === undefined && error?.status === 404 && (
        <div className="ob-surface">
          <EmptyState
            drawing="gone"
            title={t("gone")}
            action={<Button onClick={() => void navigate(LIST)}>{t("back")}</Button>}
          />
        </div>
      )}
      {batch === undefined && error !== undefined && error.status !== 404 && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
      {batch === undefined && error === undefined && (
        <div className="ob-surface ob-padded" aria-busy="true">
          <Skeleton active paragraph={{ rows: 8 }} />
        </div>
      )}
    </div>
  );
}

const PERMISSIONS = {
  in: "SalesOrderPositionProcessIn",
  out: "SalesOrderPositionProcessOut",
} as const;

/** Which way the user may move the batch now; null if they may not. */
function useSide({ state, productionProcessId }: Batch): Side | null {
  const { user } = useSignedIn();
  const may = { in: useMay(PERMISSIONS.in), out: useMay(PERMISSIONS.out) };
  const side = state === "open" ? "in" : state === "inside" ? "out" : null;
  const worksThere = user.productionProcessIds.includes(productionProcessId);
  return side !== null && may[side] && worksThere ? side : null;
}

function WholeBatch({ batch, renew }: { batch: Batch; renew: () => void }) {
  const { t } = useTranslation(["batches", "forms"]);
  const { reload } = useAnswers();
  const title = useBatchTitle()(batch);
  const { user } = useSignedIn();
  const mayManage = useMay("ManageBatches");
  const mayAudit = useMay("ViewAudit");
  const side = useSide(batch);
  // Keep the direction for which the dialog was opened, even if somebody else moves the batch in
  // the meantime.
  const [asked, setAsked] = useState<"edit" | Side | null>(null);
  const { submit, busy } = useSubmit(closeBatch);
  const { number, state, quantity, productionProcessName: process } = batch;
  const isOpen = state === "open";
  const close = () => setAsked(null);
  // The answer to a write updates the batch in the store. Only the list must be reloaded.
  const renewList = () => void reload(at(BATCHES));

  async function end() {
    try {
      if ((await submit(batch)) === undefined) return;
      toast.success(t("closed", { number }));
      renewList();
    } catch (reason) {
      toastError(reason);
      renew();
    }
  }

  const mayClose = mayManage && (state === "out" || (isOpen && batch.lines.length === 0));
  const lines = (
    <BatchLines batch={batch} mayTakeOff={mayManage && (isOpen || state === "inside")} />
  );
  return (
    <>
      <BackLink to={LIST}>{t("list.title")}</BackLink>
      <PageTitle
        title={title}
        tab={title}
        aside={<BatchState state={state} />}
        note={
          <>
            {process}
            {mayAudit && (
              <>
                {" · "}
                <Link to={historyPath("batch", batch.id)}>{t("forms:record.history")}</Link>
              </>
            )}
          </>
        }
        actions={
          <>
            {side !== null && (side === "out" || batch.lines.length > 0) && (
              <Button type="primary" onClick={() => setAsked(side)}>
                {t(`press.${side}`, { count: quantity, process })}
              </Button>
            )}
            {mayManage && isOpen && <Button onClick={() => setAsked("edit")}>{t("edit")}</Button>}
            {batch.lines.length > 0 && (
              <LabelsButton
                source={{ batchId: batch.id }}
                pieces={batch.lines.map((line) => line.quantity)}
              />
            )}
            {mayClose && (
              <Button
                {...(state === "out" ? { type: "primary" as const } : {})}
                loading={busy}
                onClick={() => void end()}
              >
                {t("close")}
              </Button>
            )}
          </>
        }
      />
      <BatchFacts batch={batch} />
      <LastBatchPress batch={batch} onUndone={renewList} />
      {mayManage && isOpen ? <PutOn batch={batch}>{lines}</PutOn> : lines}
      {asked === "edit" && <BatchDrawer batch={batch} onSaved={renewList} onClose={close} />}
      {(asked === "in" || asked === "out") && (
        <MoveBatch
          batch={batch}
          side={asked}
          onDone={(moved, key) => {
            noteBatchPress({ key, side: asked, batch: moved, userId: user.id });
            toast.success(t(`moved.${asked}`, { count: moved.quantity, process }));
            renewList();
            close();
          }}
          onRefused={(error) => error.isConflict && renew()}
          onClose={close}
        />
      )}
    </>
  );
}

/** Facts about the batch: the weights that were taken, and when it was moved. */
function BatchFacts({ batch }: { batch: Batch }) {
  const { t } = useTranslation("batches");
  const grams = (weight: number | null) => weight !== null && t("grams", { grams: weight });
  const { lossGrams, lossPerMille, allowedLoss } = batch;
  const loss =
    lossGrams === null || lossPerMille === null
      ? null
      : {
          grams: lossGrams,
          came: (batch.issuedGrams ?? 0) + (batch.addedGrams ?? 0),
          perMille: lossPerMille,
          allowed: allowedLoss,
        };
  const facts = [
    ["alloyId", batch.alloyName],
    ["waxGrams", grams(batch.waxGrams)],
    ["buttonGrams", grams(batch.buttonGrams)],
    ["wantedGrams", grams(batch.wantedGrams)],
    ["issuedGrams", grams(batch.issuedGrams)],
    ["addedGrams", grams(batch.addedGrams)],
    ["goodGrams", grams(batch.goodGrams)],
    ["scrapGrams", grams(batch.scrapGrams)],
    ["lossGrams", loss !== null && <LossNote key="loss" loss={loss} />],
    ["enteredAt", batch.enteredAt !== null && formatInstant(batch.enteredAt)],
    ["leftAt", batch.leftAt !== null && formatInstant(batch.leftAt)],
    [
      "closedAt",
      batch.closedAt !== null && `${formatInstant(batch.closedAt)} · ${batch.closedBy ?? ""}`,
    ],
    ["notes", batch.notes],
  ] as const;
  const known = facts.filter(([, value]) => Boolean(value));
  if (known.length === 0) return null;
  return (
    <Facts>
      {known.map(([name, value]) => (
        <Fact key={name} name={t(`field.${name}`)} wide={name === "notes"}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
}
