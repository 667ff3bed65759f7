// @vitest-environment node
/** The server's pattern is tested with the same table: tests/project/identity/test_emails.py. */
import { expect, it } from "vitest";
import emails from "../../../../tests/contract/emails.json";
import { EMAIL } from "./emailRule";

it.each(emails.valid)("accepts %j", (email) => expect(EMAIL.test(email)).toBe(true));

it.each(emails.invalid)("refuses %j", (email) => expect(EMAIL.test(email)).toBe(false));
