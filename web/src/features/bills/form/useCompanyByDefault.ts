/** Chooses the first company of a new bill: most workshops have but one. */
import type { FormInstance } from "antd/es/form";
import { useEffect } from "react";
import { useOptions } from "@/shared/hooks/useOptions";
import type { BillValues } from "./values";

export function useCompanyByDefault(form: FormInstance<BillValues>, wanted: boolean): void {
  const { data: companies } = useOptions("companies");
  const first = companies?.[0];
  useEffect(() => {
    if (!wanted || first === undefined || form.isFieldTouched("companyId")) return;
    if (form.getFieldValue("companyId") !== null) return;
    form.setFieldsValue({ companyId: first.id, companyName: first.name });
  }, [form, wanted, first]);
}
