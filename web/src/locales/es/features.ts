/** The texts of all features but the sign-in and a customer's page. */
export default import.meta.glob<Record<string, unknown>>(
  ["./*.json", "!./shared.json", "!./shell.json", "!./login.json", "!./customerPage.json"],
  { eager: true, import: "default" },
);
