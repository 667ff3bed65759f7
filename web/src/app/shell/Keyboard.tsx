/** Open the command palette with Ctrl+K, and the list of shortcuts with `?`. */
import SearchOutlined from "@ant-design/icons/es/icons/SearchOutlined";
import Button from "antd/es/button";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { useTakeBack } from "@/features/orders/useTakeBack";
import { useOnThisPage } from "@/shared/hooks/useOnThisPage";
import { shownKey, useShortcut, useShortcutKeys } from "@/shared/keyboard/shortcuts";
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
  const toggle = useEffectEvent(() => show(open === "palette" ? null : "palette"));

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
      // Load the palette when Ctrl is pressed, so that no text typed after Ctrl+K is lost.
      if (key === "Control" || key === "Meta") loadPalette().catch(() => undefined); // The palette itself retries.
      if (key.toLowerCase() !== "k" || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      event.preventDefault();
      if (!repeat) toggle();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
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
      {open === "palette" && <Palette onClose={close} />}
      {open === "keys" && <KeyList onClose={close} />}
    </>
  );
}
