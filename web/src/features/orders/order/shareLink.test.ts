import { afterEach, expect, it, vi } from "vitest";
import { mailAddress, openOutbox, whatsappAddress } from "./shareLink";

afterEach(() => vi.restoreAllMocks());

it("escapes the message of WhatsApp and of a mail", () => {
  const message = "Siga su pedido PO&1: http://localhost/#/c/abc";
  expect(new URL(whatsappAddress(message)).searchParams.get("text")).toBe(message);
  const mail = mailAddress("Su pedido PO&1", message);
  const asked = new URLSearchParams(mail.slice(mail.indexOf("?")));
  expect([asked.get("subject"), asked.get("body")]).toEqual(["Su pedido PO&1", message]);
});

it("opens a window at once, without a way back to this one, and sends it on later", () => {
  const replace = vi.fn<(address: string) => void>();
  const opened = { opener: window, location: { replace }, close: vi.fn<() => void>() };
  vi.spyOn(window, "open").mockReturnValue(opened as unknown as Window);
  const outbox = openOutbox();
  expect(opened.opener).toBeNull();
  outbox.goTo("https://wa.me/?text=x");
  expect(replace).toHaveBeenCalledExactlyOnceWith("https://wa.me/?text=x");
  outbox.close();
  expect(opened.close).toHaveBeenCalledOnce();
});
