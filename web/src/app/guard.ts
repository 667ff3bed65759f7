/** Who may open which path, from the route table alone. Specification 1, section 2. */
import { matchPath } from "react-router";
import type { Permission } from "@/contract";
import type { AppRoute } from "./routes";

/** A single order or line counts as the list of sales orders. */
const COUNTS_AS = ["/operations/sales-orders"];

function guardedAs(pathname: string): string {
  return COUNTS_AS.find((path) => pathname.startsWith(`${path}/`)) ?? pathname;
}

/** The route that decides about a path; undefined where no page stands. */
export function guardOf(pathname: string, routes: readonly AppRoute[]): AppRoute | undefined {
  const path = guardedAs(pathname);
  return routes.find((route) => matchPath(route.path, path) !== null);
}

export function mayOpen(
  pathname: string,
  permissions: readonly Permission[] | null,
  routes: readonly AppRoute[],
): boolean {
  const access = guardOf(pathname, routes)?.access;
  if (access === undefined) return false;
  if (access === "public") return true;
  if (permissions === null) return false;
  return access === "signed-in" || permissions.includes(access);
}

/** Where a person lands after signing in. */
export function landing(permissions: readonly Permission[], routes: readonly AppRoute[]): string {
  return mayOpen("/dashboard", permissions, routes) ? "/dashboard" : "/home";
}
