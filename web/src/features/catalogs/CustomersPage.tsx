/** Catalog of customers, with their addresses, telephones and e-mails. */
import type { Address, Customer, CustomerIn, Phone } from "@/contract";
import { Select } from "@/shared/form/Select";
import { TermSelect } from "@/shared/form/TermSelect";
import { plantCurrency } from "@/shared/format/plant";
import { useShortList } from "@/shared/hooks/useOptions";
import type { ShortListName } from "@/shared/http/keys";
import type { Catalog } from "./catalog";
import { CatalogPage } from "./CatalogPage";
import { AddressRows, EmailRows, PhoneRows } from "./form/ContactRows";
import { addressesText, phoneText } from "./form/labels";
import { BLANK_PLACE } from "./form/PlaceFields";

interface Values {
  name: string;
  customerTypeId: number | null;
  taxSectionId: number | null;
  taxId: string;
  quinto: string;
  currency: string;
  addresses: Required<Address>[];
  phones: Required<Phone>[];
  emails: string[];
  status: boolean;
}

const Currency = (props: object) => <TermSelect {...props} terms="currencies" withCode />;
const CustomerType = (props: object) => <NamedSelect {...props} list="customer-types" />;
const TaxSection = (props: object) => <NamedSelect {...props} list="tax-sections" />;

/** Add the plus sign that calling codes of older records lack. */
function phoneOf(phone: Phone): Required<Phone> {
  const code = phone.countryCode ?? "";
  const countryCode = /^\d/.test(code) ? `+${code}` : code;
  return { countryCode, number: phone.number, extension: phone.extension ?? "" };
}

export const CUSTOMERS: Catalog<Customer, Values, CustomerIn> = {
  resource: "customers",
  nameOf: ({ name }) => name,
  columns: ({ picture, name, text, own, status }) => [
    picture(),
    name("name"),
    text("quinto"),
    own("customerTypeId", ({ customerTypeId }) => (
      <span className="ob-two-rows ob-catalog__text">
        <NamedText list="customer-types" id={customerTypeId} />
      </span>
    )),
    text("taxId"),
    text("currency"),
    own("contact", ({ phones: [phone], emails: [email] }) => (
      <>
        {email !== undefined && <div className="ob-two-rows ob-catalog__text">{email}</div>}
        {phone !== undefined && <div className="ob-quiet">{phoneText(phoneOf(phone))}</div>}
      </>
    )),
    status(),
  ],
  card: ({ quinto, taxId, emails }) => [quinto, taxId, emails[0]],
  sections: [
    {
      fields: [
        { name: "name", kind: "text", required: true },
        { name: "customerTypeId", kind: "choice", Part: CustomerType, half: true },
        { name: "taxSectionId", kind: "choice", Part: TaxSection, half: true },
        { name: "taxId", kind: "text", half: true },
        { name: "quinto", kind: "text", half: true },
        { name: "currency", kind: "choice", Part: Currency, required: true, half: true },
        { name: "status", kind: "switch" },
      ],
    },
    {
      title: "addresses",
      fields: [
        {
          name: "addresses",
          kind: "part",
          Part: AddressRows,
          spoken: ({ addresses }) => addressesText(addresses),
        },
      ],
    },
    {
      title: "phones",
      fields: [
        {
          name: "phones",
          kind: "part",
          Part: PhoneRows,
          spoken: ({ phones }) => phones.map(phoneText).join("; "),
        },
      ],
    },
    {
      title: "emails",
      fields: [
        {
          name: "emails",
          kind: "part",
          Part: EmailRows,
          spoken: ({ emails }) => emails.join("; "),
        },
      ],
    },
  ],
  blank: {
    name: "",
    customerTypeId: null,
    taxSectionId: null,
    taxId: "",
    quinto: "",
    get currency() {
      return plantCurrency();
    },
    addresses: [],
    phones: [],
    emails: [],
    status: true,
  },
  valuesOf: (customer) => ({
    name: customer.name,
    customerTypeId: customer.customerTypeId,
    taxSectionId: customer.taxSectionId,
    taxId: customer.taxId,
    quinto: customer.quinto,
    currency: customer.currency,
    addresses: customer.addresses.map((address) => ({ ...BLANK_PLACE, ...address })),
    phones: customer.phones.map(phoneOf),
    emails: customer.emails,
    status: customer.status,
  }),
  bodyOf: (values) => ({
    ...values,
    name: values.name.trim(),
    emails: values.emails.map((email) => email.trim()),
  }),
  inactive: { status: false },
  pictured: true,
  width: 640,
};

export default function CustomersPage() {
  return <CatalogPage catalog={CUSTOMERS} />;
}

interface Props {
  list: ShortListName;
  id?: string;
  value?: number | null;
  onChange?: (id: number | null) => void;
  disabled?: boolean;
}

/**
 * Choose from a short list of customers: types or tax sections. Offers the active entries and the
 * one already chosen.
 */
function NamedSelect({ list, value = null, onChange, ...rest }: Props) {
  const { rows, isLoading } = useShortList(list);
  return (
    <Select
      {...rest}
      allowClear
      loading={isLoading}
      showSearch
      value={value}
      options={rows
        .filter(({ id, active }) => active || id === value)
        .map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id: number | null | undefined) => onChange?.(id ?? null)}
    />
  );
}

/** The name of a short list's entry. */
function NamedText({ list, id }: { list: ShortListName; id: number | null }) {
  const { rows } = useShortList(list);
  return rows.find((row) => row.id === id)?.name ?? "";
}
