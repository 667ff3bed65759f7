/** Show the progress of line pictures on any page. Failed ones can be sent again or dropped. */
import Button from "antd/es/button";
import Progress from "antd/es/progress";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useSignedIn } from "@/shared/session/session";
import { dropFailed, sendAgain, useSendingPictures } from "./sendingPictures";
import "./pictures.css";

export default function SendingPictures() {
  const { t } = useTranslation("orders");
  const userId = useSignedIn().user.id;
  const pictures = useSendingPictures();
  const failed = pictures.filter(({ failure }) => failure !== null);
  const sent = pictures.filter((each) => each.sent).length;
  const part = pictures.reduce((sum, each) => sum + each.part, 0) / (pictures.length || 1);
  const unsent = pictures.length > 0;

  useEffect(() => {
    if (!unsent) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unsent]);

  if (!unsent) return null;
  return (
    <aside className="ob-surface ob-stack ob-sending" aria-label={t("picture.sending")}>
      {failed.length < pictures.length && (
        <>
          <p role="status">{t("picture.progress", { sent, total: pictures.length })}</p>
          <Progress
            percent={Math.round(100 * part)}
            size="small"
            aria-label={t("picture.sending")}
          />
        </>
      )}
      {failed.length > 0 && (
        <>
          <p className="ob-wrong" role="alert">
            {t("picture.failed", { count: failed.length })}
          </p>
          <ul className="ob-stack ob-sending__failed">
            {failed.map(({ id, position, itemName, failure }) => (
              <li className="ob-stack ob-stack--tight" key={id}>
                <strong>{t("picture.line", { position, item: itemName })}</strong>
                <span>{failure}</span>
              </li>
            ))}
          </ul>
          <div className="ob-row ob-last">
            <Button onClick={() => dropFailed(userId)}>{t("picture.skip")}</Button>
            <Button type="primary" onClick={() => sendAgain(userId)}>
              {t("picture.again")}
            </Button>
          </div>
        </>
      )}
    </aside>
  );
}
