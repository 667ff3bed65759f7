import { fireEvent, render, screen } from "@testing-library/react";
import Table from "antd/es/table";
import { beforeAll, expect, it } from "vitest";
import { Select } from "@/shared/form/Select";
import { startI18n } from "@/shared/i18n";
import AntLook from "./AntLook";

beforeAll(async () => {
  await startI18n();
});

it("draws an empty table for the trade, and no tray", () => {
  const { container } = render(
    <AntLook>
      <Table columns={[{ title: "PO#" }]} dataSource={[]} />
    </AntLook>,
  );
  expect(screen.getByText("No hay nada aquí todavía")).toBeDefined();
  expect(container.querySelector(".ob-drawing")).not.toBeNull();
  expect(container.querySelector(".ant-empty")).toBeNull();
});

it("says in words that a field has no options", async () => {
  render(
    <AntLook>
      <Select aria-label="Estado" options={[]} />
    </AntLook>,
  );
  fireEvent.mouseDown(screen.getByRole("combobox", { name: "Estado" }));
  expect(await screen.findByText("No hay opciones")).toBeDefined();
  expect(document.querySelector(".ant-empty")).toBeNull();
});
