/** A browser that keeps no data for the page shows what a person without an account may read. */
import { expect, test } from "./fixtures";

const PAGES = [
  ["/#/login", "Iniciar sesión"],
  ["/#/privacy", "Aviso de privacidad"],
  ["/#/unsubscribe/abc", "correos"],
  ["/#/Restablecer/abc", "contraseña"],
  ["/#/c/abc", /enlace|link/i],
] as const;

for (const kind of ["denied", "null"] as const) {
  test(`public pages show without storage, ${kind}`, async ({ page }) => {
    await page.addInitScript((denied) => {
      for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, {
          get() {
            if (denied) throw new DOMException("Access is denied.", "SecurityError");
            return null;
          },
        });
      }
    }, kind === "denied");
    for (const [address, said] of PAGES) {
      // oxlint-disable no-await-in-loop -- one page after the other
      await page.goto("about:blank");
      await page.goto(address);
      await expect(page.getByText(said).first()).toBeVisible();
      // oxlint-enable no-await-in-loop
    }
  });
}
