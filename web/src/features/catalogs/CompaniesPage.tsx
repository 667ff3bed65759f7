/** Catalog of companies, which issue the bills. */
import type { Company, CompanyIn, Place } from "@/contract";
import type { Catalog } from "./catalog";
import { CatalogPage } from "./CatalogPage";
import { Parts } from "./Parts";
import { EMAIL } from "./form/ContactRows";
import { BLANK_PLACE, CommercialAddress, isBlank } from "./form/PlaceFields";
import { CsdFields } from "./form/CsdFields";
import { placeText } from "./form/labels";
import { BLANK_COMPANY_EXPORT, COMPANY_EXPORT, type CompanyExport } from "./form/origin";

interface Values extends CompanyExport {
  name: string;
  legalName: string;
  taxId: string;
  email: string;
  phone: string;
  commercialAddress: Required<Place>;
  status: boolean;
}

/** The tax id of a Mexican company or person. */
const RFC = /^[A-ZÑ&]{3,4}\d{6}[A-Z\d]{3}$/i;

export const COMPANIES: Catalog<Company, Values, CompanyIn> = {
  resource: "companies",
  nameOf: ({ name }) => name,
  columns: ({ picture, name, text, own, status }) => [
    picture(),
    name("name"),
    text("legalName"),
    text("taxId"),
    own("contact", ({ email, phone }) => (
      <>
        {email !== "" && <div className="ob-two-rows ob-catalog__text">{email}</div>}
        {phone !== "" && <div className="ob-two-rows ob-catalog__text ob-quiet">{phone}</div>}
      </>
    )),
    status(),
  ],
  card: ({ legalName, taxId, email }) => [legalName, taxId, email],
  sections: [
    {
      fields: [
        { name: "name", kind: "text", required: true },
        { name: "legalName", kind: "text" },
        { name: "taxId", kind: "text", usual: RFC, half: true },
        { name: "phone", kind: "text", half: true },
        { name: "email", kind: "text", most: 254, pattern: EMAIL },
        { name: "status", kind: "switch" },
      ],
    },
    {
      title: "commercialAddress",
      fields: [
        {
          name: "commercialAddress",
          kind: "part",
          Part: CommercialAddress,
          spoken: ({ commercialAddress }) => placeText(commercialAddress),
        },
      ],
    },
    COMPANY_EXPORT,
  ],
  blank: {
    name: "",
    legalName: "",
    taxId: "",
    email: "",
    phone: "",
    commercialAddress: BLANK_PLACE,
    status: true,
    ...BLANK_COMPANY_EXPORT,
  },
  valuesOf: (company) => ({
    name: company.name,
    legalName: company.legalName,
    taxId: company.taxId,
    email: company.email,
    phone: company.phone,
    commercialAddress: { ...BLANK_PLACE, ...company.commercialAddress },
    status: company.status,
    certifierName: company.certifierName,
    certifierTitle: company.certifierTitle,
    certifierRole: company.certifierRole as CompanyExport["certifierRole"],
    fiscalRegime: company.fiscalRegime,
  }),
  bodyOf: ({ commercialAddress, ...values }) => ({
    ...values,
    name: values.name.trim(),
    email: values.email.trim(),
    commercialAddress: isBlank(commercialAddress) ? null : commercialAddress,
  }),
  inactive: { status: false },
  pictured: true,
  width: 600,
  Below: CsdFields,
};

export default function CompaniesPage() {
  return <CatalogPage catalog={COMPANIES} above={<Parts />} />;
}
