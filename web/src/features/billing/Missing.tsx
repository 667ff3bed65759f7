/** Show what is missing before a bill can be issued or its papers printed. Each gap opens the field that fills it. */
import { Children, useEffect, useEffectEvent, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { GapLink, useOpenGap } from "@/shared/form/gap";
import { Fact } from "@/shared/ui/Facts";
import { useAddresses } from "./billing.api";
import "./billing.css";

interface Named {
  id: number;
  name: string;
}

export function MissingAddress({ of, record }: Lacking) {
  const { t } = useTranslation("billing");
  const onOpen = useOpenGap({
    catalog: of === "customer" ? "customers" : "companies",
    id: record.id,
  });
  return <GapLink onOpen={onOpen}>{t("missing.address", { name: record.name })}</GapLink>;
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

/** A list of the gaps, each a link. Renders nothing without parts. */
export function Gaps({ label, children }: { label: string; children: ReactNode }) {
  if (Children.count(children) === 0) return null;
  return (
    <Fact wide name={label}>
      <span className="ob-words">{children}</span>
    </Fact>
  );
}

export function MissingToBill({
  missing,
  children,
}: {
  missing: readonly Lacking[];
  children?: ReactNode;
}) {
  const { t } = useTranslation("billing");
  return (
    <Gaps label={t("missing.label")}>
      {[
        ...missing.map((one) => <MissingAddress key={one.of} {...one} />),
        ...Children.toArray(children),
      ]}
    </Gaps>
  );
}
