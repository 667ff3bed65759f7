/** The parts of the product that the workshop uses. What is off is not in the menu; nothing else depends on it. */
import type { Part, Permission } from "@/contract";
import { useAnswer } from "@/shared/http/data";
import { RESOURCES } from "@/shared/http/keys";
import { useSignedIn } from "@/shared/session/session";

export type PartKey = Part["key"];

/** The permissions that belong to a part alone. */
export const PERMISSIONS_OF: Readonly<Record<PartKey, readonly Permission[]>> = {
  metal: [
    "ListAlloys",
    "CreateAlloy",
    "UpdateAlloy",
    "DeleteAlloy",
    "ViewMetal",
    "ManageMetal",
    "CloseMetalDay",
    "ManageBatches",
  ],
  piecePrices: ["ListPiecePrices", "UpdatePiecePrices"],
  export: [],
  customerLinks: ["ManageCustomerLinks"],
  displays: ["ManageDisplays"],
  integrations: ["ManageIntegrations"],
  forecasts: ["ReportPromises"],
};

export function useParts(): readonly Part[] | undefined {
  const isCustomer = useSignedIn().user.userType === "Customer";
  return useAnswer(RESOURCES.parts, isCustomer ? null : {}, { quiet: true }).data;
}

/** The parts that are off. None while that is not known: what may be used is not hidden. */
export function usePartsOff(): ReadonlySet<PartKey> {
  const parts = useParts() ?? [];
  return new Set(parts.filter(({ on }) => !on).map(({ key }) => key));
}
