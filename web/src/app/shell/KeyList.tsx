/** List the keyboard shortcuts of the page. */
import Modal from "antd/es/modal";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "@/shared/hooks/browser";
import { shownKey, useShortcuts } from "@/shared/keyboard/shortcuts";

export default function KeyList({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["keyboard", "shared"]);
  useFocusBack();
  return (
    <Modal
      open
      width={440}
      footer={null}
      title={t("list.title")}
      closable={{ "aria-label": t("shared:action.close") }}
      onCancel={onClose}
    >
      <dl className="ob-ruled ob-below ob-keys">
        {useShortcuts().map(
          ({ key, does }) =>
            key !== undefined && (
              <div key={does} className="ob-bar ob-apart">
                <dt>{t(`does.${does}`)}</dt>
                <dd>
                  <kbd className="ob-key">{shownKey(key)}</kbd>
                </dd>
              </div>
            ),
        )}
      </dl>
      <p className="ob-quiet">{t("list.hint")}</p>
    </Modal>
  );
}
