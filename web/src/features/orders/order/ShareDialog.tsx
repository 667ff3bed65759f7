/**
 * Share an order with its customer: choose what the page shows, and send its link. The link is made
 * when it is first sent, copied or drawn, so that two clicks lead from the order to WhatsApp.
 */
import CopyOutlined from "@ant-design/icons/es/icons/CopyOutlined";
import MailOutlined from "@ant-design/icons/es/icons/MailOutlined";
import QrcodeOutlined from "@ant-design/icons/es/icons/QrcodeOutlined";
import WhatsAppOutlined from "@ant-design/icons/es/icons/WhatsAppOutlined";
import Button from "antd/es/button";
import Checkbox from "antd/es/checkbox";
import Input from "antd/es/input/Input";
import Modal from "antd/es/modal";
import QRCode from "antd/es/qr-code";
import Segmented from "antd/es/segmented";
import i18next from "i18next";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { CustomerLinkIn, SalesOrder } from "@/contract";
import { useFocusBack } from "@/shared/hooks/browser";
import { useSubmit } from "@/shared/ui/useSubmit";
import { asApiError, type ApiError } from "@/shared/http/ApiError";
import { useAnswers } from "@/shared/http/data";
import { CUSTOMER_LINKS, under } from "@/shared/http/keys";
import { LANGUAGE_NAMES, LANGUAGES, readLanguage } from "@/shared/language";
import { useMay } from "@/shared/session/session";
import { errorText } from "@/shared/ui/errors";
import { TALL_DIALOG } from "@/shared/ui/tallDialog";
import { toast } from "@/shared/ui/toast";
import { makeLink, mailAddress, openOutbox, whatsappAddress } from "./shareLink";
import { SharedLinks } from "./SharedLinks";
import { isWrongAddress, WeeklyMail, type Mailed } from "./WeeklyMail";
import "./share.css";

const PARTS = ["photos", "prices", "papers", "processes"] as const;
type Part = (typeof PARTS)[number];
/** The parts that only users who may see bills may share. */
const OF_BILLS: readonly Part[] = ["prices", "papers"];
const DAYS = [30, 180, 365] as const;
type Days = (typeof DAYS)[number];
type Way = "copy" | "mail" | "whatsapp" | "qr";

interface Wanted extends Mailed {
  scope: "order" | "customer";
  parts: readonly Part[];
  days: Days;
}

interface Made {
  /** The choices that the link was made for. */
  of: Wanted;
  address: string;
  copied: "yes" | "no" | null;
  drawn: boolean;
}

export default function ShareDialog({
  order,
  onClose,
}: {
  order: SalesOrder;
  onClose: () => void;
}) {
  const { t } = useTranslation(["orders", "shared"]);
  useFocusBack();
  const { afterWrite } = useAnswers();
  const maySeeBills = useMay("ReportListBills");
  const [wanted, setWanted] = useState<Wanted>({
    scope: "order",
    parts: ["photos"],
    days: 180,
    mailTo: "",
    mailLanguage: readLanguage(),
  });
  const [last, setLast] = useState<Made | null>(null);
  /**
   * The link for the present choices; null after a change, because other choices need another link.
   */
  const made = last?.of === wanted ? last : null;
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const { submit, busy } = useSubmit(makeLink);
  const isWrong = isWrongAddress(wanted.mailTo);
  const { customerSalesOrderId: po, customerName: customer } = order;

  function choose(change: Partial<Wanted>) {
    setWanted({ ...wanted, ...change });
    setRefusal(null);
  }

  async function addressOf(): Promise<string | null> {
    if (made !== null) return made.address;
    const link = await submit(bodyOf(order, wanted));
    if (link === undefined) return null;
    afterWrite(under(CUSTOMER_LINKS));
    return link.address;
  }

  async function send(way: Way) {
    if (busy) return;
    setRefusal(null);
    const outbox = way === "mail" || way === "whatsapp" ? openOutbox() : null;
    let address: string | null;
    try {
      address = await addressOf();
    } catch (reason) {
      outbox?.close();
      setRefusal(asApiError(reason));
      return;
    }
    if (address === null) {
      outbox?.close();
      return;
    }
    // The message is in the customer's language, whose texts this page may not have loaded yet.
    await i18next.loadLanguages(wanted.mailLanguage);
    const inTheirs = i18next.getFixedT(wanted.mailLanguage, "orders");
    const message = inTheirs("share.message", { po, address });
    if (way === "whatsapp") outbox?.goTo(whatsappAddress(message));
    if (way === "mail") outbox?.goTo(mailAddress(inTheirs("share.subject", { po }), message));
    const copied = way === "copy" ? await isCopied(address) : null;
    if (copied === true) toast.success(t("share.copied"));
    setLast({
      of: wanted,
      address,
      copied: copied === null ? (made?.copied ?? null) : copied ? "yes" : "no",
      drawn: way === "qr" || (made?.drawn ?? false),
    });
  }

  return (
    <Modal
      open
      styles={TALL_DIALOG}
      width={620}
      title={t("share.title", { po })}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{t("shared:action.close")}</Button>}
    >
      <div className="ob-stack ob-stack--wide">
        <fieldset className="ob-stack">
          <legend>{t("share.shows")}</legend>
          <div className="ob-row">
            {PARTS.map((part) => (
              <Checkbox
                key={part}
                checked={wanted.parts.includes(part)}
                disabled={OF_BILLS.includes(part) && !maySeeBills}
                onChange={({ target }) =>
                  choose({
                    parts: target.checked
                      ? [...wanted.parts, part]
                      : wanted.parts.filter((each) => each !== part),
                  })
                }
              >
                {t(`share.${part}`)}
              </Checkbox>
            ))}
          </div>
          {!maySeeBills && <p className="ob-quiet ob-small">{t("share.billsOnly")}</p>}
        </fieldset>
        <div className="ob-row">
          <Segmented
            aria-label={t("share.scope")}
            value={wanted.scope}
            options={[
              { value: "order" as const, label: t("share.order") },
              { value: "customer" as const, label: t("share.customer", { customer }) },
            ]}
            onChange={(scope) => choose({ scope })}
          />
          <Segmented
            aria-label={t("share.days")}
            value={wanted.days}
            options={DAYS.map((days) => ({ value: days, label: t(`share.days${days}`) }))}
            onChange={(days) => choose({ days })}
          />
          <Segmented
            aria-label={t("share.language")}
            value={wanted.mailLanguage}
            options={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
            onChange={(mailLanguage) => choose({ mailLanguage })}
          />
        </div>
        <WeeklyMail mailed={wanted} onChange={choose} />
        <p className="ob-share__ways" role="group" aria-label={t("share.by")}>
          <WayButton
            main
            icon={<WhatsAppOutlined aria-hidden />}
            disabled={isWrong}
            onClick={() => send("whatsapp")}
          >
            {t("share.whatsapp")}
          </WayButton>
          <WayButton
            icon={<CopyOutlined aria-hidden />}
            disabled={isWrong}
            onClick={() => send("copy")}
          >
            {t("share.copy")}
          </WayButton>
          <WayButton
            icon={<MailOutlined aria-hidden />}
            disabled={isWrong}
            onClick={() => send("mail")}
          >
            {t("share.mail")}
          </WayButton>
          <WayButton
            icon={<QrcodeOutlined aria-hidden />}
            disabled={isWrong}
            onClick={() => send("qr")}
          >
            {t("share.qr")}
          </WayButton>
        </p>
        {refusal !== null && (
          <p role="alert" className="ob-note ob-note--danger">
            {errorText(refusal)}
          </p>
        )}
        {made !== null && <MadeLink made={made} />}
        <SharedLinks order={order} />
      </div>
    </Modal>
  );
}

interface WayProps {
  main?: boolean;
  icon: ReactNode;
  disabled: boolean;
  onClick: () => Promise<void>;
  children: ReactNode;
}

function WayButton({ main = false, icon, disabled, onClick, children }: WayProps) {
  return (
    <Button
      size="large"
      type={main ? "primary" : "default"}
      icon={icon}
      disabled={disabled}
      onClick={() => void onClick()}
    >
      {children}
    </Button>
  );
}

function MadeLink({ made }: { made: Made }) {
  const { t } = useTranslation("orders");
  return (
    <div className="ob-stack">
      <Input
        readOnly
        aria-label={t("share.address")}
        value={made.address}
        onFocus={({ target }) => target.select()}
      />
      <p role="status" className="ob-quiet ob-small">
        {made.copied === "no" ? t("share.notCopied") : t("share.once")}
      </p>
      {!made.address.startsWith(`${location.origin}/`) && (
        <p role="status" className="ob-note ob-note--warning">
          {t("share.elsewhere", { site: made.address.split("/#")[0] })}
        </p>
      )}
      {made.drawn && (
        <div className="ob-share__qr" role="img" aria-label={t("share.qrLabel")}>
          <QRCode value={made.address} size={220} bordered={false} />
        </div>
      )}
    </div>
  );
}

function bodyOf(
  order: SalesOrder,
  { scope, parts, days, mailTo, mailLanguage }: Wanted,
): CustomerLinkIn {
  return {
    ...(scope === "customer" ? { customerId: order.customerId } : { salesOrderId: order.id }),
    days,
    showsPhotos: parts.includes("photos"),
    showsPrices: parts.includes("prices"),
    showsPapers: parts.includes("papers"),
    showsProcesses: parts.includes("processes"),
    ...(mailTo.trim() === "" ? {} : { mailTo: mailTo.trim(), mailLanguage }),
  };
}

async function isCopied(address: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    return false; // no HTTPS, or the browser denies clipboard access
  }
}
