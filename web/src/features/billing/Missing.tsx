/** Show the addresses that are missing before a bill can be issued, with links to their records. */
import { Fragment, useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Permission } from "@/contract";
import { searchOf } from "@/shared/hooks/useAddress";
import { useMay } from "@/shared/session/session";
import { Fact } from "@/shared/ui/Facts";
import { useAddresses } from "./billing.api";

interface Named {
  id: number;
  name: string;
}

/**
 * Link to a record's drawer in a new tab, so that typed values stay. Plain text if the user may not
 * open the record.
 */
export function RecordTab({
  catalog,
  may,
  record,
  children,
}: {
  catalog: "customers" | "companies" | "products";
  may: Permission;
  record: Named;
  children: string;
}) {
  const { t } = useTranslation("billing");
  if (!useMay(may)) return children;
  return (
    <Link
      to={`/catalogs/${catalog}${searchOf(record.id, "")}`}
      target="_blank"
      title={t("missing.open", { name: record.name })}
    >
      {children}
    </Link>
  );
}

export function MissingAddress({ of, record }: Lacking) {
  const { t } = useTranslation("billing");
  const [catalog, may] =
    of === "customer"
      ? (["customers", "ListCustomers"] as const)
      : (["companies", "ListCompanies"] as const);
  return (
    <RecordTab catalog={catalog} may={may} record={record}>
      {t("missing.address", { name: record.name })}
    </RecordTab>
  );
}

export interface Lacking {
  of: "customer" | "company";
  record: Named;
}

interface Parties {
  customerId: number | null;
  customerName: string;
  companyId: number | null;
  companyName: string;
}

/** Return the parties without a commercial address. Sends no request if `asked` is false. */
export function useMissingAddresses(
  { customerId, customerName, companyId, companyName }: Parties,
  asked = true,
): Lacking[] {
  const { data } = useAddresses(customerId, companyId, asked);
  const missing: Lacking[] = [];
  if (data?.customer === false && customerId !== null)
    missing.push({ of: "customer", record: { id: customerId, name: customerName } });
  if (data?.company === false && companyId !== null)
    missing.push({ of: "company", record: { id: companyId, name: companyName } });
  return missing;
}

/** Call `onMended` when a missing address was filled in, so that its error can be cleared. */
export function useMended(
  missing: readonly Lacking[],
  onMended: (of: Lacking["of"]) => void,
): void {
  const before = useRef<Lacking["of"][]>([]);
  const mended = useEffectEvent(onMended);
  const parties = missing.map(({ of }) => of).join(" ");
  useEffect(() => {
    const now = parties.split(" ") as Lacking["of"][];
    for (const of of before.current) if (!now.includes(of)) mended(of);
    before.current = parties === "" ? [] : now;
  }, [parties]);
}

export function MissingToBill({ missing }: { missing: readonly Lacking[] }) {
  const { t } = useTranslation("billing");
  if (missing.length === 0) return null;
  return (
    <Fact wide name={t("missing.label")}>
      {missing.map((one, index) => (
        <Fragment key={one.of}>
          {index > 0 && " · "}
          <MissingAddress {...one} />
        </Fragment>
      ))}
    </Fact>
  );
}
