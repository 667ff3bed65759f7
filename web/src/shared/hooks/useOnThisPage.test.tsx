import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, useNavigate } from "react-router";
import { beforeEach, expect, it } from "vitest";
import { useOnThisPage } from "./useOnThisPage";

const wrapper = ({ children }: { children: ReactNode }) => (
  <MemoryRouter initialEntries={["/orders"]}>{children}</MemoryRouter>
);

function shown() {
  const { result } = renderHook(() => ({ go: useNavigate(), held: useOnThisPage<string>() }), {
    wrapper,
  });
  const set = (value: string | null) => act(() => result.current.held[1](value));
  const go = (path: string) => act(async () => result.current.go(path));
  return { now: () => result.current.held[0], set, go };
}

beforeEach(() => {
  window.location.hash = "#/orders?late=true";
});

it("ends with its page, and does not come back with it", async () => {
  const { now, set, go } = shown();
  set("palette");
  expect(now()).toBe("palette");
  await go("/bills");
  expect(now()).toBeNull();
  await go("/orders");
  expect(now()).toBeNull();
});

it("stays for the page that was being loaded when it was set", async () => {
  const { now, set, go } = shown();
  window.location.hash = "#/bills?new=true";
  set("palette");
  await go("/bills");
  expect(now()).toBe("palette");
  await go("/orders");
  expect(now()).toBe("palette");
  await go("/customers");
  expect(now()).toBeNull();
});
