/** Rows of a customer's addresses, telephones and e-mails. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";
import type { Address, Phone } from "@/contract";
import { Select } from "@/shared/form/Select";
import { TermSelect } from "@/shared/form/TermSelect";
import { BLANK_PLACE, PlaceFields } from "./PlaceFields";
import { Rows } from "./Rows";

export const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;
const EMAIL_MOST = 254;
const NUMBER = /^[\d ()-]{1,30}$/;
const EXTENSION = /^\d{0,10}$/;

export function AddressRows() {
  const { t } = useTranslation("catalogs");
  const form = Form.useFormInstance();
  const kinds = (["Commercial", "Shipping"] as const).map((kind) => ({
    value: kind,
    label: t(`address.${kind}`),
  }));
  return (
    <Rows
      name="addresses"
      one={t("address.one")}
      addLabel={t("address.add")}
      blank={(): Required<Address> => {
        const rows: Address[] = form.getFieldValue("addresses") ?? [];
        const commercial = rows.some(({ kind }) => kind === "Commercial");
        return { kind: commercial ? "Shipping" : "Commercial", ...BLANK_PLACE };
      }}
    >
      {(index) => (
        <>
          <Form.Item name={[index, "kind"]} label={t("address.kind")} className="ob-whole">
            <Select options={kinds} />
          </Form.Item>
          <PlaceFields path={[index]} />
        </>
      )}
    </Rows>
  );
}

export function PhoneRows() {
  const { t } = useTranslation("catalogs");
  return (
    <Rows
      name="phones"
      one={t("phone.one")}
      addLabel={t("phone.add")}
      blank={(): Required<Phone> => ({ countryCode: "+52", number: "", extension: "" })}
      className="ob-rows__row--phone"
    >
      {(index) => (
        <>
          <Form.Item name={[index, "countryCode"]} label={t("phone.countryCode")}>
            <TermSelect terms="callingCodes" withCode />
          </Form.Item>
          <Form.Item
            name={[index, "number"]}
            label={t("phone.number")}
            rules={[{ required: true, pattern: NUMBER, message: t("wrong.phone") }]}
          >
            <Input type="tel" maxLength={30} autoComplete="off" />
          </Form.Item>
          <Form.Item
            name={[index, "extension"]}
            label={t("phone.extension")}
            rules={[{ pattern: EXTENSION, message: t("wrong.extension") }]}
          >
            <Input inputMode="numeric" maxLength={10} autoComplete="off" />
          </Form.Item>
        </>
      )}
    </Rows>
  );
}

export function EmailRows() {
  const { t } = useTranslation("catalogs");
  return (
    <Rows
      name="emails"
      one={t("email.one")}
      addLabel={t("email.add")}
      blank={() => ""}
      className="ob-rows__row--single"
    >
      {(index) => (
        <Form.Item
          name={[index]}
          label={`${t("email.one")} ${index + 1}`}
          className="ob-whole"
          rules={[{ required: true, pattern: EMAIL, message: t("wrong.email") }]}
        >
          <Input type="email" inputMode="email" maxLength={EMAIL_MOST} autoComplete="off" />
        </Form.Item>
      )}
    </Rows>
  );
}
