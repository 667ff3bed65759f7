/** The press that moved the batch, with a button that takes back all of it. */
import RollbackOutlined from "@ant-design/icons/es/icons/RollbackOutlined";
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { Batch } from "@/contract";
import { useNow } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/ui/useSubmit";
import { useAnswers } from "@/shared/http/data";
import { at, BATCH } from "@/shared/http/keys";
import { useSignedIn } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { lastBatchPress, undoPress } from "./lastPress";

/** For how long the server takes a press back. */
const UNDO_FOR = 5 * 60_000;
const LOOKS_EVERY = 5_000;

export function LastBatchPress({ batch, onUndone }: { batch: Batch; onUndone: () => void }) {
  const { t } = useTranslation("batches");
  const { user } = useSignedIn();
  const press = lastBatchPress.use();
  const now = useNow(LOOKS_EVERY);
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit(undoPress);
  const instant = press?.side === "in" ? press.batch.enteredAt : press?.batch.leftAt;
  const isFresh = Date.parse(instant ?? "") + UNDO_FOR > now;
  if (press === null || press.batch.id !== batch.id || !isFresh) return null;
  if (press.userId !== user.id) return null;
  const { side, key } = press;
  const { quantity: count, productionProcessName: process } = press.batch;

  async function takeBack() {
    try {
      if ((await submit(key)) === undefined) return;
      toast.success(t("undo.done", { number: batch.number }));
      lastBatchPress.set(null);
      onUndone();
    } catch (reason) {
      toastError(reason);
    }
    void reload(at(BATCH, { batch_id: batch.id }));
  }

  return (
    <p className="ob-note ob-row ob-apart" role="status">
      <span>{t(`moved.${side}`, { count, process })}</span>
      <Button
        size="large"
        icon={<RollbackOutlined aria-hidden />}
        loading={busy}
        onClick={() => void takeBack()}
      >
        {t("undo.button", { count: press.batch.lines.length })}
      </Button>
    </p>
  );
}
