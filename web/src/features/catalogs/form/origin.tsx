/** What customs papers need of a product and of a company: a folded group in their forms. */
import { useTranslation } from "react-i18next";
import type { CompanyIn, ItemIn } from "@/contract";
import { Select } from "@/shared/form/Select";
import { TermSelect } from "@/shared/form/TermSelect";
import type { Section } from "../catalog";

const CRITERIA = ["A", "B", "C", "D", "none"] as const;
const ROLES = ["producer", "exporter"] as const;

interface ChoiceProps {
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
}

function Choice({ options, value, onChange, ...rest }: ChoiceProps & { options: Option[] }) {
  return (
    <Select
      {...rest}
      allowClear
      value={value ? value : null}
      options={options}
      onChange={(chosen: string | null | undefined) => onChange?.(chosen ?? "")}
    />
  );
}

interface Option {
  value: string;
  label: string;
}

function Criterion(props: ChoiceProps) {
  const { t } = useTranslation("catalogs");
  return (
    <Choice
      {...props}
      options={CRITERIA.map((value) => ({ value, label: t(`criterion.${value}`) }))}
    />
  );
}

function Role(props: ChoiceProps) {
  const { t } = useTranslation("catalogs");
  return (
    <Choice
      {...props}
      options={ROLES.map((value) => ({ value, label: t(`certifierRole.${value}`) }))}
    />
  );
}

const Regime = (props: object) => <TermSelect {...props} terms="fiscalRegimes" withCode />;

export interface ProductExport {
  originCriterion: NonNullable<ItemIn["originCriterion"]>;
  satProductCode: string;
}

export const PRODUCT_EXPORT: Section<ProductExport>["fields"] = [
  { name: "originCriterion", kind: "choice", Part: Criterion, half: true },
  { name: "satProductCode", kind: "text", most: 8, digits: true, pattern: /^\d{8}$/, half: true },
];

export const BLANK_PRODUCT_EXPORT: ProductExport = { originCriterion: "", satProductCode: "" };

export interface CompanyExport {
  certifierName: string;
  certifierTitle: string;
  certifierRole: NonNullable<CompanyIn["certifierRole"]>;
  fiscalRegime: string;
}

export const COMPANY_EXPORT: Section<CompanyExport> = {
  title: "exportAndTax",
  folded: true,
  fields: [
    { name: "certifierName", kind: "text", half: true },
    { name: "certifierTitle", kind: "text", half: true },
    { name: "certifierRole", kind: "choice", Part: Role, half: true },
    { name: "fiscalRegime", kind: "choice", Part: Regime, half: true },
  ],
};

export const BLANK_COMPANY_EXPORT: CompanyExport = {
  certifierName: "",
  certifierTitle: "",
  certifierRole: "",
  fiscalRegime: "",
};
