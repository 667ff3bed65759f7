/** Choose in a select box, for tests in a browser. */
import { vi } from "vitest";
import { userEvent, type Locator } from "vitest/browser";

/** Type `text` and take the first option that has it. Returns the option. */
export async function choose(field: Locator, text: string): Promise<Element> {
  const option = await offered(field, text);
  await userEvent.click(option);
  return option;
}

/** Type `text`, and return the first option that has it. */
export async function offered(field: Locator, text: string): Promise<Element> {
  await field.click();
  if (!(field.element() as HTMLInputElement).readOnly) await field.fill(text);
  return vi.waitFor(
    () => {
      const id = field.element().getAttribute("aria-controls") ?? "";
      const list = document.getElementById(id)?.closest(".ant-select-dropdown");
      const options = [...(list?.querySelectorAll(".ant-select-item-option") ?? [])];
      const found = options.find(({ textContent }) => textContent.includes(text));
      if (found === undefined) throw new Error(`Nothing offered is called ${text}.`);
      return found;
    },
    { timeout: 10_000 },
  );
}
