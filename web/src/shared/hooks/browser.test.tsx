import { act, fireEvent, render, renderHook, screen } from "@testing-library/react";
import { memo, useLayoutEffect, type FC } from "react";
import { expect, test, vi } from "vitest";
import { useFocusBack, useStable } from "./browser";

test("a stable function keeps its identity and runs the newest render's function", () => {
  const { result, rerender } = renderHook(({ by }) => useStable((n: number) => n * by), {
    initialProps: { by: 2 },
  });
  const first = result.current;
  expect(first(5)).toBe(10);
  rerender({ by: 3 });
  expect(result.current).toBe(first);
  expect(first(5)).toBe(15);
});

test("a memoized row with a stable handler does not render again, and runs the newest handler", () => {
  const pressed: string[] = [];
  const draw = vi.fn<FC<{ onPress: () => void }>>(({ onPress }) => (
    <button onClick={onPress}>press</button>
  ));
  const Row = memo(draw);
  function List({ name }: { name: string }) {
    return <Row onPress={useStable(() => void pressed.push(name))} />;
  }
  const { rerender } = render(<List name="before" />);
  rerender(<List name="now" />);
  fireEvent.click(screen.getByText("press"));
  expect(draw).toHaveBeenCalledTimes(1);
  expect(pressed).toEqual(["now"]);
});

test("a child that calls it in a layout effect runs the newest function", () => {
  const seen: string[] = [];
  function Child({ tell, name }: { tell: () => void; name: string }) {
    useLayoutEffect(tell, [tell, name]);
    return null;
  }
  function Parent({ name }: { name: string }) {
    return <Child tell={useStable(() => void seen.push(name))} name={name} />;
  }
  const { rerender } = render(<Parent name="before" />);
  act(() => rerender(<Parent name="now" />));
  expect(seen).toEqual(["before", "now"]);
});

test.each([
  ["its button", false, "open"],
  ["what is near, if it has removed its button", true, "near"],
])("a dialog that closes gives the focus back to %s", async (_, isGone, focused) => {
  function Dialog() {
    useFocusBack();
    return <input aria-label="field" ref={(field) => field?.focus()} />;
  }
  function Page({ shows, done }: { shows: boolean; done: boolean }) {
    return (
      <>
        <button>elsewhere</button>
        <ul>
          <li>
            <button>near</button>
            {!done && <button>open</button>}
          </li>
        </ul>
        {shows && <Dialog />}
      </>
    );
  }
  const { rerender } = render(<Page shows={false} done={false} />);
  screen.getByText("open").focus();
  rerender(<Page shows done={false} />);
  expect(document.activeElement).toBe(screen.getByLabelText("field"));
  rerender(<Page shows={false} done={isGone} />);
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByText(focused)));
});
