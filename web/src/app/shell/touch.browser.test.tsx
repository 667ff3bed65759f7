/** Small controls in the middle of pages, on a touch screen. */
import Button from "antd/es/button";
import Checkbox from "antd/es/checkbox";
import Popconfirm from "antd/es/popconfirm";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import { page } from "vitest/browser";
import { DayField } from "@/shared/form/DayField";
import { startI18n } from "@/shared/i18n";
import AntLook from "./AntLook";
import "@/shared/form/gap.css";

const LEAST = 48;

it("confirmations, check boxes of bills, gaps, links of Hoy and the x of a date fit a finger", async () => {
  await page.viewport(800, 1280);
  await startI18n();
  const root = document.body.appendChild(document.createElement("div"));
  createRoot(root).render(
    <AntLook>
      <main>
        <Popconfirm open title="¿Reabrir?" okText="Sí" cancelText="No">
          <Button>Reabrir</Button>
        </Popconfirm>
        <table className="ob-picker">
          <tbody>
            <tr>
              <td>
                <Checkbox>Anillo</Checkbox>
              </td>
            </tr>
          </tbody>
        </table>
        <Button type="link" className="ob-gap">
          la moneda
        </Button>
        <a className="ob-hoy__bill" href="#/bill">
          Facturar
        </a>
        <DayField value="2026-03-14" aria-label="Fecha" />
      </main>
    </AntLook>,
  );
  await expect.element(page.getByRole("button", { name: "Sí" })).toBeVisible();
  const small = () =>
    [".ant-popconfirm button", ".ob-picker label", ".ob-gap", ".ob-hoy__bill", ".ant-picker-clear"]
      .flatMap((found) => [...document.querySelectorAll<HTMLElement>(found)])
      .filter((one) => one.offsetHeight < LEAST || one.offsetWidth < LEAST)
      .map((one) => `${one.className} ${one.offsetWidth}×${one.offsetHeight}`);
  expect(document.querySelectorAll(".ant-popconfirm button")).toHaveLength(2);
  expect(document.querySelectorAll(".ant-picker-clear")).toHaveLength(1);
  await expect.poll(small).toEqual([]);
});
