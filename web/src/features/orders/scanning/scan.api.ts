/** The line that a work sheet's code stands for. Contract, section 6. */
import type { components } from "@/contract/openapi";
import { api, call } from "@/shared/http/client";

export type Scanned = components["schemas"]["ScanOut"];

/** 422 `unknown_code` for what is no code of this workshop. */
export function scan(code: string): Promise<Scanned> {
  return call(api.POST("/api/scan", { body: { code } }));
}
