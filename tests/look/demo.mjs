/** The pages of the demo workshop, from the product's own table of routes: a new one cannot be forgotten. */
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const web = new URL("../../web/", import.meta.url);
const vite = createRequire(new URL("package.json", web)).resolve("vite");
const { runnerImport } = await import(pathToFileURL(vite));

/** The table without its pages, whose code needs a browser. */
const NO_PAGES = {
  name: "no-pages",
  enforce: "pre",
  resolveId: (id) => (id.endsWith("/shared/ui/lazyPart") ? "\0no-pages" : null),
  load: (id) => (id === "\0no-pages" ? "export const lazyPart = () => null;" : null),
};
const { module: table } = await runnerImport(fileURLToPath(new URL("src/app/routes.tsx", web)), {
  configFile: false,
  root: fileURLToPath(web),
  resolve: { alias: { "@": fileURLToPath(new URL("src", web)) } },
  plugins: [NO_PAGES],
});
export const ROUTES = table.ROUTES;

export const PASSWORD = "Taller.2026";

/** What the API answers to the person who is signed in on the page. */
export const ask = (page, address, request = {}) =>
  page.evaluate(
    async ([url, { headers, ...rest }]) => {
      const token = localStorage.getItem("token");
      const answer = await fetch(url, {
        headers: { Authorization: `Bearer ${token}`, ...headers },
        ...rest,
      });
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    [address, request],
  );

/** What the API answers when the person makes a record. */
const create = (page, address, record) =>
  ask(page, address, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(record),
  });

/** The process of the person that most pieces stand in; undefined for who works in none. */
export async function ownProcess(page) {
  const processes = await ask(page, "/api/shop-floor/own");
  const [most] = processes.toSorted((one, other) => other.piecesInside - one.piecesInside);
  return most?.productionProcessId;
}

/** A webhook's id. The demo holds no service account, webhook or screen: one of each is made where there is none. */
async function aWebhook(page) {
  const [known] = await ask(page, "/api/webhooks?limit=1");
  if (known !== undefined) return known.id;
  const { code } = await create(page, "/api/displays/pairings", {});
  await create(page, "/api/displays", { code, name: "Entrada del taller" });
  const permissions = ["ListMaterials"];
  const account = await create(page, "/api/service-accounts", { name: "ERP", permissions });
  const { id } = await create(page, "/api/webhooks", {
    name: "ERP",
    url: "https://erp.example.com/obrador",
    types: ["catalog.changed"],
    accountId: account.id,
  });
  await create(page, `/api/webhooks/${id}/secret`, {});
  return id;
}

/** Records of the demo that show the most: the order with the most lines, a pre-bill, the fullest process of the person. */
export async function demoRecords(page) {
  const orders = await ask(page, "/api/sales-order?limit=100");
  const bills = await ask(page, "/api/deliveries/search?limit=100");
  const [batch] = await ask(page, "/api/batches?limit=1");
  const [order] = orders.toSorted((one, other) => other.linesCount - one.linesCount);
  return {
    order: order.id,
    bill: bills[0].id,
    preBill: (bills.find(({ status }) => status === "PreBill") ?? bills[0]).id,
    batch: batch.id,
    webhook: await aWebhook(page),
    process: await ownProcess(page),
  };
}

/** The address of a new link to all orders of the customer that the first order is for. */
export async function customerLink(page) {
  const [{ customerId }] = await ask(page, "/api/sales-order?limit=1");
  const { token } = await create(page, "/api/customer-links", { customerId });
  return `/#/c/${token}`;
}

/** A route's path with the records' ids in it. Fails for a part that it does not know. */
export function addressOf(path, { order, bill, preBill, batch, webhook, process }) {
  const ids = {
    "/batches/": batch,
    "/webhooks/": webhook,
    "/bills/:id/edit": preBill,
    "/bills/": bill,
  };
  const [, id = order] = Object.entries(ids).find(([part]) => path.includes(part)) ?? [];
  const parts = {
    ":id": id,
    ":position": 1,
    ":configuration?": "a",
    ":processId": process,
    ":email": "ana@obrador.test",
    ":token": "1-x",
  };
  return path.replaceAll(/:\w+(\?$)?/g, (part) => {
    if (parts[part] === undefined) throw new Error(`${path}: nothing is known for ${part}.`);
    return encodeURIComponent(parts[part]);
  });
}
