/** Convert a user to form values and back to a request body. */
import type { User, UserIn } from "@/contract";
import type { Language } from "@/shared/language";

/** Address parameter: the id of the user in the station access dialog. */
export const STATION = "station";

/** Address parameter: the id of the user in the erasure dialog. */
export const ERASE = "erase";

export interface UserValues {
  firstName: string;
  lastName: string;
  secondLastName: string;
  email: string;
  password: string;
  /** Only in the form of a new person: later the PIN has a dialog of its own. */
  pin: string;
  roleIds: number[];
  productionProcessIds: number[];
  userType: "Internal" | "Customer";
  customerId: number | null;
  language: Language;
  active: boolean;
  locked: boolean;
}

export const USER_FIELDS = [
  "firstName",
  "lastName",
  "secondLastName",
  "email",
  "password",
  "pin",
  "roleIds",
  "productionProcessIds",
  "userType",
  "customerId",
  "language",
  "active",
  "locked",
] as const;

export const BLANK_USER: UserValues = {
  firstName: "",
  lastName: "",
  secondLastName: "",
  email: "",
  password: "",
  pin: "",
  roleIds: [],
  productionProcessIds: [],
  userType: "Internal",
  customerId: null,
  language: "es",
  active: true,
  locked: false,
};

export function userValues(user: User): UserValues {
  const { firstName, lastName, secondLastName, email, roleIds, customerId } = user;
  return {
    firstName,
    lastName,
    secondLastName,
    email: email ?? "",
    customerId,
    password: "",
    pin: "",
    // Sort the ids, so that a different order alone is not a change.
    roleIds: inOrder(roleIds),
    productionProcessIds: inOrder(user.productionProcessIds),
    userType: user.userType as UserValues["userType"],
    language: user.language as Language,
    active: user.active,
    locked: user.locked,
  };
}

/**
 * Build the request body. An update sends only changed fields, so a password left empty is not
 * sent. A person without an e-mail has no password, a customer's account no PIN.
 */
export function userBody({ password, pin, ...values }: UserValues): UserIn {
  const email = values.email.trim();
  return {
    ...values,
    ...(email === "" ? {} : { password }),
    ...(pin === "" || values.userType === "Customer" ? {} : { pin }),
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
    secondLastName: values.secondLastName.trim(),
    email: email === "" ? null : email,
    customerId: values.userType === "Customer" ? values.customerId : null,
  };
}

export const PIN_DIGITS = 6;
export const PIN = /^\d{6}$/;
const STRAIGHT = ["0123456789", "9876543210"];

/** Whether the server refuses the PIN as too easily guessed. */
export function isWeakPin(pin: string): boolean {
  return /^(.)\1*$/.test(pin) || STRAIGHT.some((row) => row.includes(pin));
}

/** Propose a random PIN. Another person may already have it, which only the server knows. */
export function proposedPin(): string {
  for (;;) {
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    const pin = String(random % 10 ** PIN_DIGITS).padStart(PIN_DIGITS, "0");
    if (!isWeakPin(pin)) return pin;
  }
}

export function inOrder(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other);
}
