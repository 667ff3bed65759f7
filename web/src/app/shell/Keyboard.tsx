/** Open the command palette with Ctrl+K, and the list of shortcuts with `?`. */
import SearchOutlined from "@ant-design/icons/es/icons/SearchOutlined";
import Button from "antd/es/button";
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useTakeBack } from "@/features/orders/useTakeBack";
import { useOnThisPage } from "@/shared/hooks/useOnThisPage";
import { isCovered, shownKey, useShortcut, useShortcutKeys } from "@/shared/keyboard/shortcuts";
import { lazyPart } from "@/shared/ui/lazyPart";
import { focusSaved } from "@/shared/ui/toast";

const loadPalette = () => import("./Palette");
const Palette = lazyPart(loadPalette);
const KeyList = lazyPart(() => import("./KeyList"));

type What = "palette" | "keys";

export function Keyboard() {
  const { t } = useTranslation("keyboard");
  const [open, show] = useOnThisPage<What>();
  const close = () => show(null);
  /** What is typed after Ctrl+K, until the palette's field is there. */
  const early = useRef("");
  const toggle = useEffectEvent(() => {
    early.current = "";
    show(open === "palette" ? null : "palette");
  });
  const isEarly = useEffectEvent(() => open === "palette" && !isCovered(".ob-palette"));

  useShortcutKeys();
  useTakeBack();
  useShortcut({ key: "Control+k", does: "palette" });
  useShortcut({ key: "?", does: "help", press: () => show("keys") });
  useShortcut({ key: "g", does: "saved", press: focusSaved });
  useShortcut({ key: "Control+Enter", does: "send" });
  useShortcut({ key: "Escape", does: "close" });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey, repeat } = event;
      // Load the palette when Ctrl is pressed, so that it is there when the user types.
      if (key === "Control" || key === "Meta") loadPalette().catch(() => undefined); // The palette itself retries.
      if (key.toLowerCase() !== "k" || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      event.preventDefault();
      if (!repeat) toggle();
    };
    // Before the shortcuts of the page, which these letters are not.
    const onLetter = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (key.length !== 1 || ctrlKey || metaKey || altKey || !isEarly()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      early.current += key;
    };
    window.addEventListener("keydown", onLetter, true);
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("keydown", onLetter, true);
      window.removeEventListener("keydown", onKey);
    };
  }, []);

  return (
    <>
      <Button
        size="large"
        className="ob-navbar__search"
        icon={<SearchOutlined aria-hidden />}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => show("palette")}
      >
        <span className="ob-navbar__search-words">{t("palette.button")}</span>
        <kbd className="ob-key" aria-hidden>
          {shownKey("Control+k")}
        </kbd>
      </Button>
      {open === "palette" && <Palette early={() => early.current} onClose={close} />}
      {open === "keys" && <KeyList onClose={close} />}
    </>
  );
}
