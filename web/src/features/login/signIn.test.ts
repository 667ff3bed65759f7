import { beforeEach, expect, it, vi } from "vitest";
import { currentLanguage, startI18n } from "@/shared/i18n";
import { keepChoice } from "@/shared/language";
import { aSession, aStart, aToken } from "@/testing/builders";
import { signIn } from "./signIn.api";

function answering(language: string) {
  const { user } = aSession();
  vi.stubGlobal(
    "fetch",
    vi.fn(async (request: Request) => {
      if (request.url.includes("sign-in")) return Response.json({ access_token: aToken() });
      return Response.json(aStart({ user: { ...user, language }, permissions: [] }));
    }),
  );
}

beforeEach(async () => {
  localStorage.clear();
  await startI18n();
  return () => vi.unstubAllGlobals();
});

it("shows the first screen in the user's language, whatever this browser used before", async () => {
  localStorage.setItem("language", "es");
  answering("en");
  await signIn("ana@obrador.test", "secret");
  expect(currentLanguage()).toBe("en");
  expect(localStorage.getItem("language")).toBe("en");
});

it("prefers a language kept in this browser over the account's", async () => {
  keepChoice(aSession().user.id, "en");
  answering("es");
  await signIn("ana@obrador.test", "secret");
  expect(currentLanguage()).toBe("en");
});
