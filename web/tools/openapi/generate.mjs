/** Write the types of the contract and of the client's tables into the ignored folder web/.contract. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const folder = new URL("../../.contract/", import.meta.url);

const contract = await openapiTS(JSON.parse(read("../../../infra/docs/contract.json")), {
  defaultNonNullable: false,
});
mkdirSync(folder, { recursive: true });
writeFileSync(new URL("openapi.d.ts", folder), astToString(contract));
// Any JSON value is also the type that holds just this value.
writeFileSync(
  new URL("tables.d.ts", folder),
  `export type Tables = ${read("../../src/contract/tables.json")}`,
);
