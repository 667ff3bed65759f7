/** 8 to 15 characters: uppercase, lowercase, digit and special character. See infra/docs/rules.md#passwords. */
export const PASSWORD_MOST = 50;

const RULE = /^(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?=.*[^A-Za-z0-9\s]).{8,15}$/s;

export function isStrong(password: string): boolean {
  return RULE.test(password);
}
