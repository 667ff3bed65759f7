import { expect, it, vi } from "vitest";
import { mount, unmountAll } from "@/testing/mount";
import { LiveIndicator } from "./LiveIndicator";
import type { LiveStatus } from "./LiveProvider";

const { status } = vi.hoisted(() => ({ status: vi.fn<() => LiveStatus>() }));
vi.mock("./LiveProvider", () => ({ useLiveStatus: status }));

it("is as wide whatever the age of the last event is, so that the top bar stands still", () => {
  const widths = [null, 5, 42, 12 * 60, 3 * 3_600].map((seconds) => {
    const lastEventAt = seconds === null ? null : Date.now() - seconds * 1_000;
    status.mockReturnValue({ state: "live", liveUntil: null, lastEventAt } as LiveStatus);
    const container = mount(<LiveIndicator isReadOnlyAway />);
    const { width } = container.querySelector(".ob-live")!.getBoundingClientRect();
    const said = container.querySelector(".ob-live__age")!.textContent;
    unmountAll();
    return { said, width };
  });
  expect(widths.slice(1).map(({ said }) => said)).toEqual([
    "hace 5 s",
    "hace 42 s",
    "hace 12 min",
    "hace 3 h",
  ]);
  expect(new Set(widths.map(({ width }) => width)).size).toBe(1);
});

it.each([
  [true, "Sin conexión: solo lecturadatos de las 10:41"],
  [false, "Reconectandodatos de las 10:41"],
])(
  "says without a server from when the data are, and whether they can only be read",
  (isReadOnlyAway, said) => {
    const liveUntil = Date.parse("2026-03-14T16:41:00Z");
    status.mockReturnValue({ state: "reconnecting", isAway: true, liveUntil, lastEventAt: null });
    const container = mount(<LiveIndicator isReadOnlyAway={isReadOnlyAway} />);
    expect(container.querySelector(".ob-live")!.textContent).toBe(said);
    unmountAll();
  },
);
