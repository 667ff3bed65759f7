/** Leaving a form with unsaved changes asks first, by link, by Back and by closing the page. */
import Modal from "antd/es/modal";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useBeforeUnload, useBlocker } from "react-router";
import { getSession } from "@/shared/session/session";

/** Answers the question to draw: `{unsaved}` somewhere on the page. A session that ended is never held up. */
export function useUnsaved(dirty: boolean) {
  const { t } = useTranslation("shared");
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty && getSession() !== null && currentLocation.pathname !== nextLocation.pathname,
  );
  useBeforeUnload((event) => {
    if (dirty) event.preventDefault();
  });
  // Saved while the question was open: nothing is left to ask.
  useEffect(() => {
    if (blocker.state === "blocked" && !dirty) blocker.proceed();
  }, [blocker, dirty]);

  return (
    <Modal
      open={blocker.state === "blocked"}
      title={t("unsaved.title")}
      okText={t("unsaved.stay")}
      cancelText={t("unsaved.leave")}
      onOk={() => blocker.reset?.()}
      closable={false}
      mask={{ closable: false }}
      cancelButtonProps={{ danger: true, onClick: () => blocker.proceed?.() }}
      onCancel={() => blocker.reset?.()}
    >
      {t("unsaved.text")}
    </Modal>
  );
}
