/** Every form of the application: its fields below their labels, its keys, and nothing sent while a field is wrong. */
import Form, { type FormInstance, type FormProps } from "antd/es/form";
import type { ReactNode } from "react";
import { useFormScope } from "./FormScope";
import { sendKeys } from "./sendKeys";

type Props<V> = Omit<FormProps<V>, "form" | "children"> & {
  form: FormInstance<V>;
  children: ReactNode;
};

export function FormBody<V extends object>({ form, onFinish, ...props }: Props<V>) {
  const { isWrong } = useFormScope();
  return (
    <Form<V>
      layout="vertical"
      requiredMark={false}
      {...props}
      {...sendKeys(form.submit)}
      form={form}
      onFinish={(values) => {
        if (isWrong()) goToFirstWrong();
        else onFinish?.(values);
      }}
    />
  );
}

/** Beside it stands why it cannot be taken. */
function goToFirstWrong(): void {
  document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
}
