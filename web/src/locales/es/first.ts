/** The texts of the sign-in. */
export default import.meta.glob<Record<string, unknown>>(
  ["./shared.json", "./shell.json", "./login.json"],
  { eager: true, import: "default" },
);
