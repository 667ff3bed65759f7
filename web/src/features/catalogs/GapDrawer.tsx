/** A drawer beside a page, with the field that the page needs filled in another record. */
import Form from "antd/es/form";
import { useState } from "react";
import type { Address } from "@/contract";
import { openGap, type Gap } from "@/shared/form/gap";
import { typedIn } from "@/shared/form/FormParts";
import { fieldsOf } from "./catalog";
import { COMPANIES } from "./CompaniesPage";
import { CUSTOMERS } from "./CustomersPage";
import { EntryDrawer } from "./EntryDrawer";
import { addressesText, placeText } from "./form/labels";
import { BLANK_PLACE, PlaceFields } from "./form/PlaceFields";
import { TariffSelect } from "./form/TariffSelect";
import { PROCESSES } from "./ProductionProcessPage";
import { PRODUCTS } from "./ProductsPage";

const isCommercial = ({ kind }: Pick<Address, "kind">) => kind === "Commercial";

/** The form of the customer's commercial address. Adds an empty address if there is none. */
const ADDRESS_OF_CUSTOMER: typeof CUSTOMERS = {
  ...CUSTOMERS,
  sections: [
    {
      title: "commercialAddress",
      fields: [
        {
          name: "addresses",
          kind: "part",
          Part: AddressOfCustomer,
          spoken: ({ addresses }) => addressesText(addresses),
        },
      ],
    },
  ],
  valuesOf: (customer) => {
    const values = CUSTOMERS.valuesOf(customer);
    if (values.addresses.some(isCommercial)) return values;
    return { ...values, addresses: [...values.addresses, { kind: "Commercial", ...BLANK_PLACE }] };
  },
  pictured: false,
};

const ADDRESS_OF_COMPANY: typeof COMPANIES = {
  ...COMPANIES,
  sections: [
    {
      title: "commercialAddress",
      fields: [
        {
          name: "commercialAddress",
          kind: "part",
          Part: AddressOfCompany,
          spoken: ({ commercialAddress }) => placeText(commercialAddress),
        },
      ],
    },
  ],
  pictured: false,
};

const TARIFF_OF_PRODUCT: typeof PRODUCTS = {
  ...PRODUCTS,
  sections: [
    { fields: [{ name: "taxItemKey", kind: "choice", Part: TariffSelect, required: true }] },
  ],
  pictured: false,
};

const { Below: _prices, sections: SECTIONS_OF_PROCESS, ...PROCESS } = PROCESSES;
const WORKERS_OF_PROCESS: typeof PROCESSES = {
  ...PROCESS,
  sections: [{ fields: fieldsOf(SECTIONS_OF_PROCESS).filter(({ name }) => name === "userIds") }],
};

function AddressOfCompany() {
  return <PlaceFields path={["commercialAddress"]} required />;
}

function AddressOfCustomer() {
  const form = Form.useFormInstance<{ addresses: Address[] }>();
  const [index] = useState(() => typedIn(form).addresses.findIndex(isCommercial));
  return <PlaceFields path={["addresses", index]} required />;
}

/** The fields of each record that customs papers need. */
const CUSTOMS_OF_PRODUCT: typeof PRODUCTS = {
  ...PRODUCTS,
  sections: [
    {
      fields: fieldsOf(PRODUCTS.sections).filter(({ name }) =>
        [
          "taxItemKey",
          "satUnitMeasurement",
          "originCriterion",
          "satProductCode",
          "netGrams",
          "otherGrams",
        ].includes(name),
      ),
    },
  ],
  pictured: false,
};

const CUSTOMS_OF_COMPANY: typeof COMPANIES = {
  ...COMPANIES,
  sections: COMPANIES.sections.map(({ fields }) => ({
    fields: fields.filter(({ name }) => name !== "name" && name !== "status"),
  })),
  pictured: false,
};

const CUSTOMS_OF_CUSTOMER: typeof CUSTOMERS = {
  ...ADDRESS_OF_CUSTOMER,
  sections: [
    { fields: fieldsOf(CUSTOMERS.sections).filter(({ name }) => name === "taxId") },
    ...ADDRESS_OF_CUSTOMER.sections,
  ],
};

export default function GapDrawer({ catalog, id, customs = false }: Gap) {
  const drawer = {
    opened: id,
    listed: undefined,
    part: true,
    onExpired: () => undefined,
    onClose: () => openGap.set(null),
  };
  switch (catalog) {
    case "customers":
      return (
        <EntryDrawer catalog={customs ? CUSTOMS_OF_CUSTOMER : ADDRESS_OF_CUSTOMER} {...drawer} />
      );
    case "companies":
      return (
        <EntryDrawer catalog={customs ? CUSTOMS_OF_COMPANY : ADDRESS_OF_COMPANY} {...drawer} />
      );
    case "items":
      return <EntryDrawer catalog={customs ? CUSTOMS_OF_PRODUCT : TARIFF_OF_PRODUCT} {...drawer} />;
    case "production-processes":
      return <EntryDrawer catalog={WORKERS_OF_PROCESS} {...drawer} />;
  }
}
