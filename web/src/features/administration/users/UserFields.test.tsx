import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import Form from "antd/es/form";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { User } from "@/contract";
import { startI18n } from "@/shared/i18n";
import { storeSession } from "@/shared/session/session";
import { aSession } from "@/testing/builders";
import { UserFields } from "./UserFields";
import { BLANK_USER, type UserValues } from "./values";

interface Props {
  catalog: string;
  onChange?: (ids: number[]) => void;
}

vi.mock("@/shared/form/OptionsSelect", () => ({
  OptionsSelect: ({ catalog, onChange }: Props) => (
    <button type="button" onClick={() => onChange?.([1])}>
      {catalog}
    </button>
  ),
}));
vi.mock("@/shared/form/OptionSelect", () => ({ OptionSelect: () => null }));
vi.mock("../administration.api", () => ({ useEveryRole: () => ({ data: undefined }) }));

const WARNING = /Sin rol ni proceso/;

beforeAll(async () => {
  await startI18n();
});
beforeEach(() => storeSession(aSession({ permissions: [] })));

function show(values: Partial<UserValues> = {}, user?: User) {
  render(
    <Form initialValues={{ ...BLANK_USER, ...values }}>
      <UserFields user={user} isSelf={false} />
    </Form>,
  );
}

it.each(["roles", "production-processes"])(
  "warns about a person who has neither a role nor a process, until one of the %s is chosen",
  async (catalog) => {
    show();
    expect(await screen.findByText(WARNING)).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: catalog }));
    await waitFor(() => expect(screen.queryByText(WARNING)).toBeNull());
  },
);

it("does not warn about a customer's account or an erased person", async () => {
  show({ userType: "Customer" });
  show({}, { ...aSession().user, erased: true });
  expect(await screen.findAllByText("Idioma")).toHaveLength(2);
  expect(screen.queryByText(WARNING)).toBeNull();
});
