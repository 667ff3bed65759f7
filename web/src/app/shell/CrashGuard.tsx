/** Contain a render error: show a translated message in place of the part, and keep the rest of the page. */
import { Component, Suspense, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import "@/shared/ui/states.css";

export class CrashGuard extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError() {
    return { crashed: true };
  }

  override render() {
    if (!this.state.crashed) return this.props.children;
    return <Crash onRetry={() => this.setState({ crashed: false })} />;
  }
}

/** The message after a crash. It uses no Ant Design, because Ant Design may be what failed. */
export function Crash({ onRetry }: { onRetry: () => void }) {
  return (
    <Suspense fallback={null}>
      <Words onRetry={onRetry} />
    </Suspense>
  );
}

function Words({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation("shared");
  return (
    <div className="ob-state" role="alert">
      <p className="ob-large ob-strong">{t("crash.title")}</p>
      <p className="ob-quiet ob-state__hint">{t("crash.text")}</p>
      <p className="ob-row">
        <button type="button" className="ob-plain-button ob-plain-button--main" onClick={onRetry}>
          {t("action.retry")}
        </button>
        <button type="button" className="ob-plain-button" onClick={() => window.location.reload()}>
          {t("action.reload")}
        </button>
      </p>
    </div>
  );
}
