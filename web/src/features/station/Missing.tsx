/**
 * What the signed-in account lacks to move pieces here. Who may choose the people of a process can
 * assign themselves to it.
 */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { Station } from "@/contract";
import { useSubmit } from "@/shared/ui/useSubmit";
import { useAnswers } from "@/shared/http/data";
import { useMay, useSignedIn } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { assignOneself } from "./station.api";
import type { Worker } from "./types";

interface Props {
  station: Station;
  worker: Worker;
}

export function Missing({ station, worker }: Props) {
  const { t } = useTranslation("station");
  const { user, permissions } = useSignedIn();
  const { productionProcessId: id, productionProcessName: process } = station.process;
  if (worker.operatorToken !== null) return null;
  const missing = (["In", "Out"] as const).filter(
    (side) => !permissions.includes(`SalesOrderPositionProcess${side}`),
  );
  if (missing.length === 0 && user.productionProcessIds.includes(id)) return null;
  return (
    <div className="ob-note ob-note--warning ob-doubtful ob-large ob-strong ob-row ob-apart">
      {missing.length > 0
        ? t(`missing.${missing.join("")}` as "missing.In")
        : t("missing.process", { process })}
      {missing.length === 0 && <AssignMe id={id} process={process} />}
    </div>
  );
}

function AssignMe({ id, process }: { id: number; process: string }) {
  const { t } = useTranslation("station");
  const { user } = useSignedIn();
  const { reload } = useAnswers();
  const may = [useMay("ListProductionProcesses"), useMay("UpdateProductionProcess")];
  const { submit, busy } = useSubmit(() => assignOneself(id, user.id));
  if (may.includes(false)) return null;

  async function assign() {
    try {
      await submit();
      toast.success(t("missing.assigned", { process }));
      void reload(() => true); // what the user may do with each line has changed
    } catch (reason) {
      toastError(reason);
    }
  }

  return (
    <Button className="ob-station__button" loading={busy} onClick={() => void assign()}>
      {t("missing.assign", { process })}
    </Button>
  );
}
