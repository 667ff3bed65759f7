/** Decide from the route table who may open which path. See infra/docs/rules.md#screens. */
import { matchPath } from "react-router";
import type { Permission } from "@/contract";
import type { AppRoute } from "./routes";

/**
 * A path below one of these needs the same access: an order or a line needs that of the list of
 * orders.
 */
const COUNTS_AS = ["/operations/sales-orders"];

function guardedAs(pathname: string): string {
  return COUNTS_AS.find((path) => pathname.startsWith(`${path}/`)) ?? pathname;
}

/** The route that guards a path; undefined if there is no page. */
export function guardOf(pathname: string, routes: readonly AppRoute[]): AppRoute | undefined {
  const path = guardedAs(pathname);
  return routes.find((route) => matchPath(route.path, path) !== null);
}

/** Whether a page is shown without the shell and without a session. */
export function isBare(pathname: string, routes: readonly AppRoute[]): boolean {
  return guardOf(pathname, routes)?.bare ?? false;
}

export function mayOpen(
  pathname: string,
  permissions: readonly Permission[] | null,
  routes: readonly AppRoute[],
): boolean {
  const access = guardOf(pathname, routes)?.access;
  if (access === undefined) return false;
  return access === "public" || (permissions !== null && holds(permissions, access));
}

/** Whether a signed-in user with these permissions has the access that a route requires. */
export function holds(permissions: readonly Permission[], access: AppRoute["access"]): boolean {
  if (access === "public" || access === "signed-in") return true;
  return [access].flat().some((one) => permissions.includes(one));
}

/**
 * Return the page after signing in: the dashboard, else the station of the user's only process,
 * else the home page.
 */
export function landing(
  permissions: readonly Permission[],
  routes: readonly AppRoute[],
  processes: readonly number[] = [],
): string {
  if (mayOpen("/dashboard", permissions, routes)) return "/dashboard";
  const station = `/shop-floor/station/${processes[0]}`;
  return processes.length === 1 && mayOpen(station, permissions, routes) ? station : "/home";
}

/**
 * Return the first page of a session: the requested page if the user may open it, else the landing
 * page.
 */
export function wayBack(
  page: string | null,
  permissions: readonly Permission[],
  routes: readonly AppRoute[],
  processes: readonly number[] = [],
): string {
  const path = page?.split("?")[0] ?? "";
  const route = routes.find((each) => matchPath(each.path, path) !== null);
  const back =
    route !== undefined && route.access !== "public" && mayOpen(path, permissions, routes);
  return back && page !== null ? page : landing(permissions, routes, processes);
}
