/** What the login form asks of an e-mail. See infra/docs/rules.md#screens. */
import { EMAIL } from "@/shared/session/emailRule";

const LOOSE = /^[^\s@]+@[^\s@]+$/;

export type EmailProblem = "emailRequired" | "emailInvalid";

/** What stands beside the field. */
export function emailProblem(email: string): EmailProblem | null {
  if (email === "") return "emailRequired";
  return LOOSE.test(email) ? null : "emailInvalid";
}

/** What is said on submitting. */
export function submitProblem(email: string): "emailMissing" | "emailFormat" | null {
  if (email === "") return "emailMissing";
  return EMAIL.test(email) ? null : "emailFormat";
}
