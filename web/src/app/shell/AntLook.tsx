/**
 * Configure Ant Design with the user's theme and language. The sign-in page does not use Ant Design
 * and does not load it.
 */
import ConfigProvider from "antd/es/config-provider";
import enGB from "antd/es/locale/en_GB";
import esES from "antd/es/locale/es_ES";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useHand } from "@/shared/hooks/browser";
import { useLanguage } from "@/shared/i18n";
import { useDensity, useThemeName } from "@/shared/theme/look";
import { antTheme } from "@/shared/theme/theme";
import { EmptyState } from "@/shared/ui/states";
import "@/shared/theme/hand.css";
import "@/shared/ui/ui.css";

const WORDS = { en: enGB, es: esES };

export default function AntLook({ children }: { children: ReactNode }) {
  const { t } = useTranslation("shared");
  const theme = antTheme(useThemeName(), useHand(), useDensity());
  return (
    <ConfigProvider
      theme={theme}
      locale={WORDS[useLanguage()]}
      button={{ autoInsertSpace: false }}
      renderEmpty={(part) =>
        part === "Table" ? (
          <EmptyState title={t("table.nothing")} />
        ) : (
          <span className="ob-quiet">{t("table.noOptions")}</span>
        )
      }
    >
      {children}
    </ConfigProvider>
  );
}
