/** Check the e-mail on the sign-in form. See infra/docs/rules.md#screens. */
import { EMAIL } from "@/shared/session/emailRule";

const LOOSE = /^[^\s@]+@[^\s@]+$/;

export type EmailProblem = "emailRequired" | "emailInvalid";

/** The error beside the field. */
export function emailProblem(email: string): EmailProblem | null {
  if (email === "") return "emailRequired";
  return LOOSE.test(email) ? null : "emailInvalid";
}

/** The error on submit. */
export function submitProblem(email: string): "emailMissing" | "emailFormat" | null {
  if (email === "") return "emailMissing";
  return EMAIL.test(email) ? null : "emailFormat";
}
