/** Set, change or remove the address for the weekly mail of an existing link. */
import Button from "antd/es/button";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { CustomerLink } from "@/contract";
import { formatInstant } from "@/shared/format/plant";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { CUSTOMER_LINKS, under } from "@/shared/http/keys";
import { readLanguage } from "@/shared/language";
import { toastError } from "@/shared/ui/errors";
import { toast } from "@/shared/ui/toast";
import { changeLink } from "./shareLink";
import { isWrongAddress, WeeklyMail, type Mailed } from "./WeeklyMail";

const savedOf = ({ mailTo, mailLanguage }: CustomerLink): Mailed => ({
  mailTo: mailTo ?? "",
  mailLanguage: mailLanguage ?? readLanguage(),
});

export function LinkMail({ link }: { link: CustomerLink }) {
  const { t } = useTranslation(["orders", "shared"]);
  const id = useId();
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit(changeLink);
  const [typed, setTyped] = useState<Mailed | null>(null);
  /**
   * The link as it was when the form opened. If somebody else has changed it since, the first save
   * is refused.
   */
  const [over, setOver] = useState<CustomerLink | null>(null);
  const hasMail = link.mailTo !== null;
  const name = { name: link.name, at: formatInstant(link.createdAt) };

  async function save(event: FormEvent, { mailTo, mailLanguage }: Mailed) {
    event.preventDefault();
    const address = mailTo.trim() || null;
    try {
      if ((await submit(over ?? link, { mailTo: address, mailLanguage })) === undefined) return;
      toast.success(address === null ? t("share.mailTaken") : t("share.mailGoes", { address }));
      setTyped(null);
    } catch (reason) {
      toastError(reason);
      if (asApiError(reason).isConflict) setOver(null); // The next try replaces their change.
    }
    await reload(under(CUSTOMER_LINKS));
  }

  return (
    <div className="ob-stack ob-stack--tight">
      <p className="ob-row">
        <Button
          size="small"
          aria-expanded={typed !== null}
          aria-controls={id}
          aria-label={t(hasMail ? "share.mailChangeOf" : "share.mailAddOf", name)}
          onClick={() => {
            setOver(link);
            setTyped(typed === null ? savedOf(link) : null);
          }}
        >
          {t(hasMail ? "share.mailChange" : "share.mailAdd")}
        </Button>
      </p>
      {typed !== null && (
        <form
          id={id}
          className="ob-stack ob-stack--tight"
          noValidate
          onSubmit={(event) => void save(event, typed)}
        >
          <WeeklyMail
            mailed={typed}
            label={t("share.weeklyOf", name)}
            hint={t(hasMail ? "share.mailEmpty" : "share.mailWithoutPage")}
            onChange={(change) => setTyped({ ...typed, ...change })}
          />
          <p className="ob-row">
            <Button
              htmlType="submit"
              size="small"
              loading={busy}
              disabled={isWrongAddress(typed.mailTo) || isSame(typed, savedOf(link))}
            >
              {t("shared:action.save")}
            </Button>
          </p>
        </form>
      )}
    </div>
  );
}

/** Whether both are the same. Without an address the language does not count. */
function isSame(one: Mailed, other: Mailed): boolean {
  const address = one.mailTo.trim();
  return address === other.mailTo && (address === "" || one.mailLanguage === other.mailLanguage);
}
