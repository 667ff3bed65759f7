import Form, { type FormInstance } from "antd/es/form";
import Input from "antd/es/input/Input";
import { act, cleanup, fireEvent, render, renderHook, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { ApiError } from "@/shared/http/ApiError";
import { startI18n } from "@/shared/i18n";
import { FormBody, FormScope, showRefusal } from "./FormParts";

interface Values {
  guide: string;
  notes: string;
  rows: { quantity: string }[];
}

beforeAll(() => startI18n());
afterEach(cleanup);

const FIELDS = [
  ["guide", "guide"],
  ["notes", "notes"],
  [["rows", 0, "quantity"], "first"],
  [["rows", 1, "quantity"], "second"],
] as const;

function show() {
  const { result } = renderHook(() => Form.useForm<Values>());
  const [form] = result.current;
  const onValuesChange = vi.fn<() => void>();
  render(
    <FormScope>
      <FormBody<Values>
        form={form}
        busy={false}
        onValuesChange={onValuesChange}
        initialValues={{ guide: "", notes: "", rows: [{ quantity: "1" }, { quantity: "2" }] }}
      >
        {FIELDS.map(([name, label]) => (
          <Form.Item key={label} name={name as never} label={label}>
            <Input />
          </Form.Item>
        ))}
      </FormBody>
    </FormScope>,
  );
  return { form, onValuesChange };
}

const wrong = (form: FormInstance<Values>) =>
  form
    .getFieldsError()
    .filter(({ errors }) => errors.length > 0)
    .map(({ name }) => name.join("."));

it("removes the server's error from a field when its value changes, and from no other field", () => {
  const { form, onValuesChange } = show();
  const fields = ["guide", "notes", "rows.0.quantity", "rows.1.quantity"];
  const errors = fields.map((field) => ({ field, code: "required", message: "No." }));
  Element.prototype.scrollIntoView = () => undefined;
  act(() =>
    showRefusal(
      form,
      new ApiError(422, { code: "invalid_fields", message: "", params: {}, errors }),
    ),
  );
  expect(wrong(form)).toEqual(fields);
  fireEvent.change(screen.getByLabelText("guide"), { target: { value: "G-1" } });
  expect(wrong(form)).toEqual(["notes", "rows.0.quantity", "rows.1.quantity"]);
  fireEvent.change(screen.getByLabelText("second"), { target: { value: "3" } });
  expect(wrong(form)).toEqual(["notes", "rows.0.quantity"]);
  expect(onValuesChange).toHaveBeenCalledTimes(2);
});
