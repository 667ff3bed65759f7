import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";
import type { Place } from "@/contract";
import { TermSelect } from "@/shared/form/TermSelect";
import { SHORT } from "./FormFields";

const LINES = [
  "street",
  "exteriorNumber",
  "interiorNumber",
  "neighborhood",
  "city",
  "state",
  "postalCode",
] as const;

export const BLANK_PLACE: Required<Place> = {
  street: "",
  exteriorNumber: "",
  interiorNumber: "",
  neighborhood: "",
  city: "",
  state: "",
  postalCode: "",
  country: "",
};

export function isBlank(place: Place): boolean {
  return Object.values(place).every((line) => line === "" || line === undefined);
}

interface Props {
  /** Where the address is in the form's values. */
  path: readonly (string | number)[];
  /** Whether the address must have a street, as bills need it. */
  required?: boolean;
}

export function PlaceFields({ path, required = false }: Props) {
  const { t } = useTranslation(["catalogs", "forms"]);
  return (
    <>
      {LINES.map((line) => (
        <Form.Item
          key={line}
          name={[...path, line]}
          label={t(`place.${line}`)}
          className={line === "street" ? "ob-whole" : "ob-fields__half"}
          rules={
            required && line === "street"
              ? [{ required, whitespace: true, message: t("forms:required") }]
              : []
          }
        >
          <Input maxLength={SHORT} autoComplete="off" />
        </Form.Item>
      ))}
      <Form.Item name={[...path, "country"]} label={t("place.country")} className="ob-fields__half">
        <TermSelect terms="countries" />
      </Form.Item>
    </>
  );
}

export function CommercialAddress() {
  return <PlaceFields path={["commercialAddress"]} />;
}
