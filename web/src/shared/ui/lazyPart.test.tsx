import { act, cleanup, render, screen } from "@testing-library/react";
import type { ComponentType } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lazyPart } from "./lazyPart";

interface Props {
  word: string;
  open?: boolean;
  onClose?: () => void;
}

let network: boolean;
let asked: number;
/** Counts the checks of the server before a reload. The server never answers here, so nothing reloads. */
let serverAsked: number;
const load = async (): Promise<{ default: ComponentType<Props> }> => {
  asked += 1;
  if (!network) throw new TypeError("Failed to fetch dynamically imported module");
  return { default: ({ word }) => <p>{word}</p> };
};
const settled = () => act(async () => vi.advanceTimersByTimeAsync(0));
const missing = () => screen.queryByRole("alert");

beforeEach(() => {
  network = false;
  asked = 0;
  serverAsked = 0;
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async () => {
    serverAsked += 1;
    throw new TypeError("Failed to fetch");
  });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a part with code that fails to load", () => {
  it("shows a message in its place, and appears when the network is back", async () => {
    const Part = lazyPart(load);
    render(<Part word="aquí" />);
    await settled();
    expect(missing()).not.toBeNull();
    network = true;
    await act(async () => void window.dispatchEvent(new Event("online")));
    await settled();
    expect(missing()).toBeNull();
    expect(screen.getByText("aquí")).toBeDefined();
  });

  it("is requested every 5 s until it is unmounted", async () => {
    const Part = lazyPart(load);
    const { unmount } = render(<Part word="aquí" />);
    await settled();
    await act(async () => vi.advanceTimersByTimeAsync(11_000));
    expect(asked).toBe(3);
    unmount();
    await act(async () => vi.advanceTimersByTimeAsync(60_000));
    expect(asked).toBe(3);
  });

  it("can be requested again by the user, and closed", async () => {
    const close = vi.fn<() => void>();
    const Part = lazyPart(load);
    render(<Part word="aquí" onClose={close} />);
    await settled();
    const [again, , shut] = screen.getAllByRole("button");
    await act(async () => shut!.click());
    expect(close).toHaveBeenCalledWith();
    network = true;
    await act(async () => again!.click());
    await settled();
    expect(screen.getByText("aquí")).toBeDefined();
  });

  it("as a page tries to reload the application while its file cannot be loaded", async () => {
    const Page = lazyPart(load, "page");
    render(<Page word="aquí" />);
    await settled();
    expect(serverAsked).toBe(1);
    await act(async () => vi.advanceTimersByTimeAsync(6_000));
    expect(serverAsked).toBe(2);
  });

  it("as a dialog tries to reload the application only when the user retries", async () => {
    const Dialog = lazyPart(load);
    render(<Dialog word="aquí" />);
    await act(async () => vi.advanceTimersByTimeAsync(6_000));
    expect(serverAsked).toBe(0);
    await act(async () => screen.getAllByRole("button")[0]!.click());
    expect(serverAsked).toBe(1);
  });

  it("shows no message if it is unseen or closed, and still loads later", async () => {
    const Unseen = lazyPart(load, "unseen");
    const Menu = lazyPart(load);
    render(
      <>
        <Unseen word="vigía" />
        <Menu word="menú" open={false} />
      </>,
    );
    await settled();
    expect(missing()).toBeNull();
    network = true;
    await act(async () => void window.dispatchEvent(new Event("online")));
    await settled();
    expect(screen.getByText("vigía")).toBeDefined();
  });
});

it("code that loads but fails to run is reported as an uncaught error", async () => {
  const reported = vi.fn<(reason: unknown) => void>();
  vi.stubGlobal("reportError", reported);
  const fault = new TypeError("Cannot set properties of undefined");
  const Broken = lazyPart<Props>(() => Promise.reject(fault));
  const Absent = lazyPart(load);
  render(
    <>
      <Broken word="rota" />
      <Absent word="ausente" />
    </>,
  );
  await settled();
  expect(reported.mock.calls).toEqual([[fault]]);
});

it("a style sheet that failed to load is requested again before the part renders", async () => {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = "https://obrador.test/part.css";
  document.head.append(link);
  link.dispatchEvent(new Event("error"));
  network = true;
  const Part = lazyPart(load);
  render(<Part word="vestida" />);
  await settled();
  expect(screen.queryByText("vestida")).toBeNull();
  const again = document.head.querySelector('link[href="https://obrador.test/part.css"]');
  expect(again).not.toBe(link);
  await act(async () => void again?.dispatchEvent(new Event("load")));
  await settled();
  expect(screen.getByText("vestida")).toBeDefined();
});
