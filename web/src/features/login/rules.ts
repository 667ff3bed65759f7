/** Check the e-mail on the sign-in form. See infra/docs/rules.md#screens. */
import { EMAIL } from "@/shared/session/emailRule";

const LOOSE = /^[^\s@]+@[^\s@]+$/;

export type EmailProblem = "emailRequired" | "emailInvalid";

/** Return the error shown beside the field; null if there is none. */
export function emailProblem(email: string): EmailProblem | null {
  if (email === "") return "emailRequired";
  return LOOSE.test(email) ? null : "emailInvalid";
}

/** Return the error shown on submit; null if there is none. This check is stricter. */
export function submitProblem(email: string): "emailMissing" | "emailFormat" | null {
  if (email === "") return "emailMissing";
  return EMAIL.test(email) ? null : "emailFormat";
}
