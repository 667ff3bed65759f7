/** Ask the reader of a link to approve a line: by a text and, if wanted, the line's picture. */
import Button from "antd/es/button";
import Checkbox from "antd/es/checkbox";
import TextArea from "antd/es/input/TextArea";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { CustomerLink, SalesOrder } from "@/contract";
import { formatInstant } from "@/shared/format/plant";
import { Select } from "@/shared/form/Select";
import { useAnswers } from "@/shared/http/data";
import { CUSTOMER_LINKS, under } from "@/shared/http/keys";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { useSubmit } from "@/shared/ui/useSubmit";
import { askApproval } from "./shareLink";

const LONGEST_TEXT = 1_000;

interface Props {
  link: CustomerLink;
  order: SalesOrder;
}

export function AskApproval({ link, order }: Props) {
  const { t } = useTranslation(["orders", "shared"]);
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit(askApproval);
  const [open, setOpen] = useState(false);
  const [position, setPosition] = useState<number | null>(null);
  const [text, setText] = useState("");
  const [withPicture, setWithPicture] = useState(true);
  // The page shows no New line, so nobody could approve it there.
  const lines = order.items.filter(({ status }) => status !== "New" && status !== "Canceled");
  const line = lines.find((each) => each.position === position) ?? lines[0];
  if (line === undefined) return null;
  const name = { name: link.name, at: formatInstant(link.createdAt) };

  async function send(event: FormEvent) {
    event.preventDefault();
    if (line === undefined || text.trim() === "") return;
    try {
      const made = await submit(link.id, {
        salesOrderId: order.id,
        position: line.position,
        text,
        photo: withPicture ? line.image : null,
      });
      if (made === undefined) return;
    } catch (reason) {
      toastError(reason);
      return;
    }
    toast.success(t("approval.sent"));
    setOpen(false);
    setText("");
    void reload(under(CUSTOMER_LINKS));
  }

  if (!open) {
    return (
      <p>
        <Button aria-label={t("approval.askOf", name)} onClick={() => setOpen(true)}>
          {t("approval.ask")}
        </Button>
      </p>
    );
  }
  return (
    <form
      className="ob-stack"
      aria-label={t("approval.askOf", name)}
      onSubmit={(event) => void send(event)}
    >
      <Select
        aria-label={t("approval.line")}
        value={line.position}
        options={lines.map((each) => ({
          value: each.position,
          label: `${each.position} · ${each.itemName}`,
        }))}
        onChange={setPosition}
      />
      <TextArea
        aria-label={t("approval.text")}
        placeholder={t("approval.text")}
        maxLength={LONGEST_TEXT}
        autoSize={{ minRows: 2, maxRows: 8 }}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {line.image !== null && (
        <Checkbox checked={withPicture} onChange={({ target }) => setWithPicture(target.checked)}>
          {t("approval.picture")}
        </Checkbox>
      )}
      <div className="ob-row">
        <Button type="primary" htmlType="submit" loading={busy} disabled={text.trim() === ""}>
          {t("approval.send")}
        </Button>
        <Button onClick={() => setOpen(false)}>{t("shared:action.close")}</Button>
      </div>
    </form>
  );
}
