/** The links of an order: what they show, how often they were opened and answered, and how to revoke one. */
import Button from "antd/es/button";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { CustomerLink, SalesOrder } from "@/contract";
import { formatDay, formatInstant } from "@/shared/format/plant";
import { useSubmit } from "@/shared/ui/useSubmit";
import { useAnswer, useAnswers } from "@/shared/http/data";
import { CUSTOMER_LINKS, under } from "@/shared/http/keys";
import { toastError } from "@/shared/ui/errors";
import { LoadFailed } from "@/shared/ui/states";
import { toast } from "@/shared/ui/toast";
import { AskApproval } from "./AskApproval";
import { LinkMail } from "./LinkMail";
import { revokeLink } from "./shareLink";

/** Reload interval in ms, because no event is sent when a page is opened. */
const COUNTED_EVERY = 10_000;
const MOST = 50;

export function SharedLinks({ order }: { order: SalesOrder }) {
  const { t } = useTranslation("orders");
  const { data, error, mutate } = useAnswer(
    CUSTOMER_LINKS,
    { query: { salesOrderId: order.id, limit: MOST } },
    { quiet: true, refreshInterval: COUNTED_EVERY },
  );
  return (
    <section className="ob-stack" aria-labelledby="shared-links">
      <h3 id="shared-links">{t("share.made")}</h3>
      {data === undefined && error !== undefined && (
        <LoadFailed error={error} onRetry={() => void mutate()} />
      )}
      {data?.length === 0 && <p className="ob-quiet">{t("share.none")}</p>}
      <ul className="ob-ruled">
        {data?.map((link) => (
          <li key={link.id} className="ob-stack ob-stack--tight ob-share__link">
            <div className="ob-bar">
              <LinkFacts link={link} />
              {!link.over && <Revoke link={link} />}
            </div>
            {!link.over && <AskApproval link={link} order={order} />}
            {!link.over && <LinkMail link={link} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function LinkFacts({ link }: { link: CustomerLink }) {
  const { t } = useTranslation("orders");
  const { name, createdBy, createdAt, openedCount, openedAt, answersCount, salesOrderId } = link;
  const shows = [
    ...(salesOrderId === null ? [t("share.forAll")] : []),
    ...(link.showsPhotos ? [t("share.photos")] : []),
    ...(link.showsPrices ? [t("share.prices")] : []),
    ...(link.showsPapers ? [t("share.papers")] : []),
    ...(link.showsProcesses ? [t("share.processes")] : []),
  ];
  const last = t("share.last", { at: formatInstant(openedAt) });
  return (
    <div className="ob-fill ob-stack ob-stack--tight">
      <strong className={link.over ? "ob-quiet" : ""}>
        {t("share.link", { name, by: createdBy, at: formatInstant(createdAt) })}
      </strong>
      <span className="ob-small">
        {openedCount === 0
          ? t("share.never")
          : `${t("share.opened", { count: openedCount })}, ${last}`}
        {answersCount > 0 && ` · ${t("share.answered", { count: answersCount })}`}
      </span>
      {link.mailTo !== null && (
        <span className="ob-small">
          {t(link.mailStopped ? "share.mailStopped" : "share.mailed", { address: link.mailTo })}
        </span>
      )}
      {link.mailRefused && (
        <span className="ob-small ob-note ob-note--danger">{t("share.mailRefused")}</span>
      )}
      <span className="ob-quiet ob-small">{[...shows, stateOf(link, t)].join(" · ")}</span>
    </div>
  );
}

function stateOf(link: CustomerLink, t: TFunction<"orders">): string {
  if (link.revokedBy !== null) return t("share.isRevoked", { by: link.revokedBy });
  if (link.over) return t("share.isOver");
  return t("share.until", { day: formatDay(link.expiresAt) });
}

/** Button that revokes a link. It asks for no confirmation, because a new link can be made. */
function Revoke({ link }: { link: CustomerLink }) {
  const { t } = useTranslation("orders");
  const { reload } = useAnswers();
  const { submit, busy } = useSubmit(revokeLink);

  async function revoke() {
    try {
      if ((await submit(link.id)) === undefined) return;
      toast.success(t("share.revoked"));
    } catch (reason) {
      toastError(reason);
    }
    await reload(under(CUSTOMER_LINKS));
  }

  return (
    <Button
      danger
      loading={busy}
      aria-label={t("share.revokeOf", { name: link.name, at: formatInstant(link.createdAt) })}
      onClick={() => void revoke()}
    >
      {t("share.revoke")}
    </Button>
  );
}
