/** Explain the current page to the workshop's people in a few sentences. */
import Button from "antd/es/button";
import Drawer from "antd/es/drawer";
import { useTranslation } from "react-i18next";
import { matchPath, useLocation } from "react-router";
import { useFocusBack } from "@/shared/hooks/browser";
import { isPagedCatalog, isReport, ROUTES, titleKey, type PageTitle } from "../routes";
import "./guide.css";

/** Pages outside the shell, which have no help. Without a text for every other page this does not compile. */
type Bare = "login" | "recover" | "reset" | "unsubscribe" | "display" | "company";
type Explained = Exclude<PageTitle, Bare>;

export default function Help({ onClose, onTour }: { onClose: () => void; onTour: () => void }) {
  const { t } = useTranslation(["guide", "shell", "shared", "catalogs", "reports"]);
  const { pathname } = useLocation();
  useFocusBack();
  const route = ROUTES.find(({ path }) => matchPath(path, pathname) !== null);
  const page = (route?.title ?? "home") as Explained;
  return (
    <Drawer
      open
      size={400}
      title={t("title", { page: t(titleKey(page)) })}
      closable={{ "aria-label": t("shared:action.close") }}
      onClose={onClose}
    >
      <div className="ob-stack ob-stack--wide ob-large ob-help">
        {t(guideKey(page))
          .split("\n")
          .map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        <Button onClick={onTour}>{t("tour")}</Button>
      </div>
    </Drawer>
  );
}

/** The locale key of a page's help. */
function guideKey(page: Explained) {
  if (isPagedCatalog(page)) return `catalogs:${page}.guide` as const;
  return isReport(page) ? (`reports:${page}.guide` as const) : (`pages.${page}` as const);
}
