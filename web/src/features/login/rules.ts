/** What the login form asks of an e-mail. Specification 1, section 5. */
const LOOSE = /^[^\s@]+@[^\s@]+$/;
/** Word, dash and dot before the @, domain labels, a top-level domain of 2 to 4 characters. */
const STRICT = /^[\w.-]+@([\w-]+\.)+[\w-]{2,4}$/;

export type EmailProblem = "emailRequired" | "emailInvalid";

/** What stands beside the field. */
export function emailProblem(email: string): EmailProblem | null {
  if (email === "") return "emailRequired";
  return LOOSE.test(email) ? null : "emailInvalid";
}

/** What is said on submitting. */
export function submitProblem(email: string): "emailMissing" | "emailFormat" | null {
  if (email === "") return "emailMissing";
  return STRICT.test(email) ? null : "emailFormat";
}
