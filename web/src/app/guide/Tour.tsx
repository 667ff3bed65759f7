/** A one-minute tour of the parts that the user's role needs every day. The user can leave it at any step. */
import Button from "antd/es/button";
import AntTour from "antd/es/tour";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Permission } from "@/contract";
import type guide from "@/locales/es/guide.json";
import { useFocusBack } from "@/shared/hooks/browser";
import { catalogPath } from "@/shared/catalogPaths";
import { useSignedIn } from "@/shared/session/session";
import { mayOpen } from "../guard";
import { ROUTES } from "../routes";
import "./guide.css";

type StepName = keyof (typeof guide)["steps"];
type Kind = "worker" | "clerk" | "administrator";

/** The page that a step speaks of. */
const PAGES: Partial<Record<StepName, string>> = {
  menuWorker: "/shop-floor",
  menuClerk: "/operations/sales-orders",
  menuAdministrator: catalogPath("production-processes"),
  people: "/administration/users",
};

/**
 * Each step, with the selector of the element that it explains. A step without such an element on
 * the page is shown in the middle.
 */
const STEPS: Record<Kind, readonly (readonly [StepName, string?])[]> = {
  worker: [
    ["welcomeWorker"],
    ["processes", ".ob-home__processes"],
    ["move"],
    ["undo"],
    ["menuWorker", ".ob-navbar__button"],
    ["live", ".ob-live"],
    ["you", ".ob-navbar__user"],
  ],
  clerk: [
    ["welcomeClerk"],
    ["menuClerk", ".ob-navbar__button"],
    ["home", ".ob-navbar__brand"],
    ["live", ".ob-live"],
    ["bell", ".ob-bell"],
    ["you", ".ob-navbar__user"],
  ],
  administrator: [
    ["welcomeAdministrator"],
    ["menuAdministrator", ".ob-navbar__button"],
    ["people"],
    ["home", ".ob-navbar__brand"],
    ["live", ".ob-live"],
    ["bell", ".ob-bell"],
    ["you", ".ob-navbar__user"],
  ],
};

const OFFICE: readonly Permission[] = ["Dashboard", "CreateSalesOrder", "CreateDelivery"];

export function kindOf(permissions: readonly Permission[]): Kind {
  if (permissions.includes("ListUsers")) return "administrator";
  return OFFICE.some((each) => permissions.includes(each)) ? "clerk" : "worker";
}

export default function Tour({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("guide");
  const { permissions } = useSignedIn();
  const [current, setCurrent] = useState(0);
  useFocusBack();
  const next = useRef<HTMLButtonElement>(null);
  // Focus the next button at every step, a frame later because the panel takes the focus when it opens.
  useEffect(() => {
    const frame = requestAnimationFrame(() => next.current?.focus());
    return () => cancelAnimationFrame(frame);
  });
  const steps = STEPS[kindOf(permissions)];
  const last = current === steps.length - 1;
  const count = (
    <span className="ob-quiet">
      {t("buttons.count", { current: current + 1, total: steps.length })}
    </span>
  );
  const buttons = (
    <>
      <Button onClick={onClose}>{t("buttons.leave")}</Button>
      {current > 0 && <Button onClick={() => setCurrent(current - 1)}>{t("buttons.back")}</Button>}
      <Button
        ref={next}
        type="primary"
        onClick={() => (last ? onClose() : setCurrent(current + 1))}
      >
        {last ? t("buttons.end") : t("buttons.next")}
      </Button>
    </>
  );
  return (
    <AntTour
      open
      current={current}
      rootClassName="ob-tour"
      onClose={onClose}
      indicatorsRender={() => count}
      actionsRender={() => buttons}
      closable={{ "aria-label": t("buttons.leave") }}
      steps={steps.map(([name, target]) => ({
        title: t(`steps.${name}.title`),
        description: (
          <>
            {t(`steps.${name}.text`)} <PageLink path={PAGES[name]} onOpen={onClose} />
          </>
        ),
        target: target === undefined ? null : (document.querySelector<HTMLElement>(target) ?? null),
      }))}
    />
  );
}

/** A link that ends the tour at the page; nothing if the user may not open it. */
function PageLink({ path, onOpen }: { path: string | undefined; onOpen: () => void }) {
  const { t } = useTranslation("guide");
  const { permissions } = useSignedIn();
  if (path === undefined || !mayOpen(path, permissions, ROUTES)) return null;
  return (
    <Link to={path} onClick={onOpen}>
      {t("buttons.open")}
    </Link>
  );
}
