import { act, fireEvent, render, renderHook, screen } from "@testing-library/react";
import { memo, useLayoutEffect, type FC } from "react";
import { expect, test, vi } from "vitest";
import { useStable } from "./browser";

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
