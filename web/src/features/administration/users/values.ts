/** Convert a user to form values and back to a request body. */
import type { User, UserIn } from "@/contract";
import type { Language } from "@/shared/session/language";

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
    email,
    customerId,
    password: "",
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
 * sent.
 */
export function userBody(values: UserValues): UserIn {
  return {
    ...values,
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
    secondLastName: values.secondLastName.trim(),
    email: values.email.trim(),
    customerId: values.userType === "Customer" ? values.customerId : null,
  };
}

export function inOrder(ids: readonly number[]): number[] {
  return ids.toSorted((one, other) => one - other);
}
