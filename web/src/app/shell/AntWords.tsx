/** Ant's own words in the person's language; its calendars stay en-GB. Specification 2, section 9. */
import ConfigProvider from "antd/es/config-provider";
import enGB from "antd/es/locale/en_GB";
import esES from "antd/es/locale/es_ES";
import type { ReactNode } from "react";
import { useLanguage } from "@/shared/i18n";

const { DatePicker, Calendar } = enGB;
const WORDS = {
  en: enGB,
  es: {
    ...esES,
    ...(DatePicker === undefined ? {} : { DatePicker }),
    ...(Calendar === undefined ? {} : { Calendar }),
  },
};

export function AntWords({ children }: { children: ReactNode }) {
  return <ConfigProvider locale={WORDS[useLanguage()]}>{children}</ConfigProvider>;
}
