import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { useKeptFocus } from "./focus";

const ROWS = ["uno", "dos", "tres"];

/** A page with rows that can be removed, a red button after them, and a dialog that removes a row too. */
function Page() {
  useKeptFocus();
  const [rows, setRows] = useState(ROWS);
  const [asking, setAsking] = useState<string | null>(null);
  const [off, setOff] = useState(false);
  const remove = (row: string) => setRows(rows.filter((each) => each !== row));
  return (
    <>
      <main tabIndex={-1}>
        <ul>
          {rows.map((row) => (
            <li key={row}>
              <button onClick={() => remove(row)}>quitar {row}</button>
              <button onClick={() => setAsking(row)}>preguntar {row}</button>
            </li>
          ))}
        </ul>
        <button className="ant-btn-dangerous">eliminar todo</button>
        <button disabled={off} onClick={() => setOff(true)}>
          una vez
        </button>
        <p>texto</p>
      </main>
      {asking !== null && (
        <div role="dialog">
          <button
            onClick={() => {
              remove(asking);
              setAsking(null);
            }}
          >
            sí
          </button>
        </div>
      )}
    </>
  );
}

function press(name: string): void {
  const button = screen.getByRole("button", { name });
  button.focus();
  fireEvent.click(button);
}

const focused = () => document.activeElement?.textContent;

it("goes from a removed row to the next one, and from the last one to the one before", async () => {
  render(<Page />);
  press("quitar dos");
  await waitFor(() => expect(focused()).toBe("quitar tres"));
  press("quitar tres");
  await waitFor(() => expect(focused()).toBe("quitar uno"));
});

it("passes a red button, also where nothing else is left of the list", async () => {
  render(<Page />);
  for (const row of ROWS) press(`quitar ${row}`);
  await waitFor(() => expect(focused()).toBe("una vez"));
});

it("leaves a button that is disabled", async () => {
  render(<Page />);
  press("una vez");
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "una vez" });
  // Browsers take the focus from a disabled button a moment later; here it must be enabled for that.
  button.disabled = false;
  button.blur();
  button.disabled = true;
  await waitFor(() => expect(focused()).toBe("quitar uno"));
});

it("returns from a dialog to the next row if the dialog removed the row that opened it", async () => {
  render(<Page />);
  press("preguntar uno");
  press("sí");
  await waitFor(() => expect(focused()).toBe("quitar dos"));
});

it("goes to the page from a dialog if it was nowhere before", async () => {
  render(<Page />);
  fireEvent.click(screen.getByRole("button", { name: "preguntar uno" }));
  press("sí");
  await waitFor(() => expect(document.activeElement?.localName).toBe("main"));
});

it("stays nowhere after a click beside all controls", async () => {
  render(<Page />);
  const button = screen.getByRole("button", { name: "quitar uno" });
  button.focus();
  fireEvent.pointerDown(screen.getByText("texto"));
  button.blur();
  fireEvent.click(button);
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  expect(document.activeElement).toBe(document.body);
});
