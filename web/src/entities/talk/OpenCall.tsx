/** The open call of a line with the button that answers it at one touch. Renders nothing without a call. */
import Button from "antd/es/button";
import { useTranslation } from "react-i18next";
import type { LineDocument } from "@/contract";
import { useSignedIn } from "@/shared/session/session";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { useSubmit } from "@/shared/ui/useSubmit";
import { CallChip } from "./CallChip";
import { comeTo } from "./talk.api";

export type CalledLine = Pick<
  LineDocument,
  "call" | "salesOrderId" | "position" | "customerSalesOrderId"
>;

export function OpenCall({ line }: { line: CalledLine }) {
  const { t } = useTranslation("talk");
  const me = useSignedIn().user.id;
  const { submit, busy } = useSubmit((headers, id: number) => comeTo(headers, line, id));
  const { call, customerSalesOrderId: po, position } = line;
  if (call === null) return null;

  async function come(id: number) {
    try {
      const message = await submit(id);
      const by = message?.coming?.by;
      if (by === undefined) return;
      toast.success(
        by.id === me ? t("coming", { po, position }) : t("otherComes", { name: by.fullName }),
      );
    } catch (reason) {
      toastError(reason);
    }
  }

  return (
    <span className="ob-words">
      <CallChip call={call} />
      <Button
        size="small"
        loading={busy}
        aria-label={t("comeTo", { kind: t(`kind.${call.kind}`), po, position })}
        onClick={(event) => {
          event.stopPropagation(); // a row that holds the button opens by a click
          void come(call.id);
        }}
      >
        {t("come")}
      </Button>
    </span>
  );
}
