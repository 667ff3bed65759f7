/** Ask before the user leaves unsaved input by a link, the back button or closing the tab. */
import Button from "antd/es/button";
import Modal from "antd/es/modal";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useBlocker } from "react-router";

interface LeaveGuard {
  /** The dialog, which the page must render. */
  question: ReactNode;
  /** Stops asking, because the input has been saved. */
  release: () => void;
  /** Closes a drawer, after asking if there is unsaved input. */
  askToClose: () => void;
}

/**
 * Ask before the user leaves unsaved input. `onLeave` runs when the user discards the input.
 * `close` closes a part of the page, such as a drawer. `keeps`: the page keeps the input while its
 * search and filters change.
 */
export function useLeaveGuard(
  unsaved: boolean,
  onLeave: () => void,
  close: () => void = () => undefined,
  keeps = false,
): LeaveGuard {
  const { t } = useTranslation("shared");
  const released = useRef(false);
  const [closing, setClosing] = useState(false);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved &&
      !released.current &&
      (currentLocation.pathname !== nextLocation.pathname ||
        (!keeps && currentLocation.search !== nextLocation.search)),
  );

  useEffect(() => {
    if (!unsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => {
      if (!released.current) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unsaved]);

  function stay() {
    setClosing(false);
    blocker.reset?.();
  }

  function leave() {
    onLeave();
    released.current = true;
    if (closing) close();
    else blocker.proceed?.();
  }

  const question = (
    <Modal
      open={closing || blocker.state === "blocked"}
      title={t("unsaved.title")}
      closable={false}
      onCancel={stay}
      footer={[
        // The first button gets the focus. It keeps the input, so a hasty Enter discards nothing.
        <Button key="stay" type="primary" onClick={stay}>
          {t("unsaved.stay")}
        </Button>,
        <Button key="leave" danger onClick={leave}>
          {t("unsaved.leave")}
        </Button>,
      ]}
    >
      <p>{t("unsaved.text")}</p>
    </Modal>
  );
  return {
    question,
    release: () => {
      released.current = true;
    },
    askToClose: () => {
      if (unsaved && !released.current) setClosing(true);
      else close();
    },
  };
}
