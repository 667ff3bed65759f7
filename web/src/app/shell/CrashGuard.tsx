/** A page that fails to draw leaves the shell standing. */
import Button from "antd/es/button";
import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import "@/shared/ui/states.css";

export class CrashGuard extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError() {
    return { crashed: true };
  }

  override render() {
    return this.state.crashed ? <Crash /> : this.props.children;
  }
}

function Crash() {
  const { t } = useTranslation("shell");
  return (
    <div className="ob-state" role="alert">
      <p className="ob-state__title">{t("crash.title")}</p>
      <p className="ob-state__hint">{t("crash.text")}</p>
      <Button type="primary" onClick={() => window.location.reload()}>
        {t("crash.reload")}
      </Button>
    </div>
  );
}
