/** The user menu: name, version, help, privacy, language, theme and logout. */
import Button from "antd/es/button";
import Dropdown from "antd/es/dropdown";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMatch, useNavigate } from "react-router";
import { switchDesktop, useDesktopState } from "@/features/notifications/desktop";
import { api, call } from "@/shared/http/client";
import { download } from "@/shared/http/download";
import { leaveHere } from "@/shared/http/pushes";
import { signOutAtServer } from "@/shared/http/signOuts";
import { useHand } from "@/shared/hooks/browser";
import { changeLanguage, useLanguage } from "@/shared/i18n";
import { useShortcut } from "@/shared/keyboard/shortcuts";
import { keepChoice, LANGUAGE_NAMES, LANGUAGES, type Language } from "@/shared/language";
import {
  readLeaveAt,
  signOut,
  storeUser,
  useIsCustomer,
  useMay,
  useSignedIn,
} from "@/shared/session/session";
import { chooseDensity, chooseTheme, useDensity, useThemeName } from "@/shared/theme/look";
import { toastError } from "@/shared/ui/errors";
import { lazyPart } from "@/shared/ui/lazyPart";
import { VERSION } from "@/shared/version";

const ChangePasswordDialog = lazyPart(() => import("@/features/account/ChangePasswordDialog"));

const LEAVING_LASTS = 1_500;

export type Guide = "help" | "tour";

export function UserMenu({ onGuide }: { onGuide: (guide: Guide) => void }) {
  const { t } = useTranslation("shell");
  const { user, token } = useSignedIn();
  const language = useLanguage();
  const theme = useThemeName();
  const density = useDensity();
  const hand = useHand();
  const desktop = useDesktopState();
  const customer = useIsCustomer();
  const navigate = useNavigate();
  const atStation = useMatch("/shop-floor/station/:processId") !== null;
  // A station's header names who works there, often somebody else.
  const shownName = atStation ? t("user.account", { name: user.fullName }) : user.fullName;
  const mayChangePassword = useMay("ChangePassword");
  const [listsOrders, listsLines] = [useMay("ListSalesOrders"), useMay("ListOrders")];
  const [changing, setChanging] = useState(false);
  const [leaving, setLeaving] = useState(false);

  /** Change the language and store it: for customers in this browser, for other users at the server. */
  async function chooseLanguage(chosen: Language) {
    await changeLanguage(chosen);
    if (customer) return keepChoice(user.id, chosen);
    const path = { user_id: user.id };
    const body = { language: chosen };
    return call(api.PUT("/identity/users/{user_id}/language", { params: { path }, body })).then(
      storeUser,
      toastError,
    );
  }

  /** Download all personal data stored about the user. */
  async function saveOwnData() {
    const params = { path: { user_id: user.id } };
    const asked = api.GET("/identity/users/{user_id}/personal-data", { params, parseAs: "blob" });
    await download(asked, `personal-data-${user.id}.json`).catch(toastError);
  }

  const switchTheme = () => chooseTheme(theme === "dark" ? "light" : "dark");
  const switchDensity = () => chooseDensity(density === "compact" ? "comfortable" : "compact");
  const switchLanguage = () => void chooseLanguage(LANGUAGES.find((each) => each !== language)!);
  // The pages of help are written for the workshop.
  useShortcut({ does: "guide", press: () => onGuide("help") }, { is: !customer });
  useShortcut({ does: "language", press: switchLanguage });
  useShortcut({ does: "theme", press: switchTheme });
  useShortcut({ does: "density", press: switchDensity }, { is: !hand });
  useShortcut({ does: "password", press: () => setChanging(true) }, { is: mayChangePassword });
  useShortcut({ does: "signOut", press: () => setLeaving(true) });

  useEffect(() => {
    if (!leaving) return undefined;
    // The next user of this browser must not get this user's pushes.
    void leaveHere();
    const timer = setTimeout(() => {
      const leaveAt = readLeaveAt();
      signOutAtServer(token);
      signOut();
      if (leaveAt !== null) window.location.assign(leaveAt);
    }, LEAVING_LASTS);
    return () => clearTimeout(timer);
  }, [leaving, token]);

  return (
    <>
      <Dropdown
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the keys then move in the menu that was opened
        autoFocus
        trigger={["click"]}
        placement="bottomRight"
        menu={{
          items: [
            {
              key: "who",
              type: "group",
              label: (
                <span className="ob-user-menu__head">
                  <strong>{user.fullName}</strong>
                  <small>{t("user.version", { version: VERSION })}</small>
                </span>
              ),
            },
            { type: "divider" },
            ...(customer
              ? []
              : [
                  { key: "help", label: t("user.help"), onClick: () => onGuide("help") },
                  { key: "tour", label: t("user.tour"), onClick: () => onGuide("tour") },
                  { type: "divider" as const },
                ]),
            ...(mayChangePassword
              ? [
                  {
                    key: "password",
                    label: t("user.password"),
                    onClick: () => setChanging(true),
                  },
                ]
              : []),
            { key: "ways", label: t("user.ways"), onClick: () => void navigate("/account/ways") },
            ...(listsOrders || listsLines
              ? [
                  {
                    key: "calendar",
                    label: t("user.calendar"),
                    onClick: () => void navigate("/account/calendar"),
                  },
                ]
              : []),
            ...(customer
              ? []
              : [
                  {
                    key: "notices",
                    label: t("user.notices"),
                    onClick: () => void navigate("/account/notices"),
                  },
                ]),
            { key: "data", label: t("user.data"), onClick: () => void saveOwnData() },
            { key: "privacy", label: t("user.privacy"), onClick: () => void navigate("/privacy") },
            {
              key: "language",
              type: "group",
              label: t("user.language"),
              children: LANGUAGES.map((each) => ({
                key: each,
                label: LANGUAGE_NAMES[each],
                className: each === language ? "ant-dropdown-menu-item-selected" : "",
                onClick: () => void chooseLanguage(each),
              })),
            },
            {
              key: "theme",
              label: theme === "dark" ? t("user.light") : t("user.dark"),
              onClick: switchTheme,
            },
            // Touch screens have no compact density.
            ...(hand
              ? []
              : [
                  {
                    key: "density",
                    label: t(density === "compact" ? "user.comfortable" : "user.compact"),
                    onClick: switchDensity,
                  },
                ]),
            ...(desktop === "unsupported" || customer
              ? []
              : [
                  {
                    key: "desktop",
                    label: t(`user.desktop.${desktop}`),
                    disabled: desktop === "blocked",
                    onClick: () => void switchDesktop(),
                  },
                ]),
            { type: "divider" },
            {
              key: "logout",
              label: t("user.logout"),
              disabled: leaving,
              onClick: () => setLeaving(true),
            },
          ],
        }}
      >
        <Button size="large" className="ob-navbar__user" type="text">
          <span
            className="ob-face ob-navbar__initials"
            aria-hidden
            data-initials={initials(user.fullName)}
          />
          <span className="ob-visually-hidden">{t("user.menu")}</span>
          <span className="ob-cut ob-navbar__name" title={shownName}>
            {shownName}
          </span>
        </Button>
      </Dropdown>
      {changing && <ChangePasswordDialog onClose={() => setChanging(false)} />}
      {leaving && <div className="ob-leaving" role="progressbar" aria-label={t("user.leaving")} />}
    </>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase())
    .join("");
}
