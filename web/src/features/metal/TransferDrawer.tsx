/** Move metal between two accounts: give it out of the vault, take it back, send it outside, correct a balance. */
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import TextArea from "antd/es/input/TextArea";
import { useTranslation } from "react-i18next";
import { FormDrawer } from "@/shared/form/FormDrawer";
import { Select } from "@/shared/form/Select";
import { formatGrams } from "@/shared/format/numbers";
import { taken, type Typed } from "@/shared/format/typedNumber";
import { useLanguage } from "@/shared/i18n";
import { Balances, useAccountName } from "./accounts";
import { ChoiceItem, GramsItem, TEXT_MOST } from "./fields";
import { transfer, useLotsOf, useReloadMetal, type Account, type TransferIn } from "./metal.api";
import { LEDGER } from "@/entities/metal/paths";

/** The kinds of accounts that name a process. */
const WITH_PROCESS: readonly string[] = ["person", "dust", "bath"];
const FROM = ["vault", "person", "outside", "scrap", "dust", "bath", "finished", "lost"] as const;
const TO = [...FROM, "supplier"] as const;
type Kind = (typeof TO)[number];

const FIELDS = [
  "fromKind",
  "fromUserId",
  "fromProductionProcessId",
  "fromName",
  "toKind",
  "toUserId",
  "toProductionProcessId",
  "toName",
  "alloyId",
  "lotId",
  "grams",
  "reason",
  "notes",
] as const;

type Values = Required<
  Pick<TransferIn, Exclude<(typeof FIELDS)[number], "alloyId" | "grams" | "fromKind" | "toKind">>
> & {
  fromKind: Exclude<Kind, "supplier"> | null;
  toKind: Kind | null;
  alloyId: number | null;
  grams: Typed;
};

/** The kind of account for corrections of a balance. A transfer from or to it needs a reason. */
const CORRECTS = "lost";

interface Props {
  /** The account that the metal leaves; without it the user chooses one. */
  account?: Account;
  onClose: () => void;
}

export default function TransferDrawer({ account, onClose }: Props) {
  const { t } = useTranslation(["metal", "forms"]);
  const reload = useReloadMetal();
  const nameOf = useAccountName();
  const only = account?.balances.length === 1 ? account.balances[0] : undefined;
  return (
    <FormDrawer<Values>
      title={t("transfer.title")}
      name={`metal/transfers/${account?.id ?? "new"}`}
      saveLabel={t("transfer.save")}
      initial={{
        fromKind: account === undefined ? "vault" : null,
        fromUserId: null,
        fromProductionProcessId: null,
        fromName: null,
        toKind: account === undefined ? "person" : "vault",
        toUserId: null,
        toProductionProcessId: null,
        toName: null,
        alloyId: only?.alloyId ?? null,
        lotId: null,
        grams: null,
        reason: "",
        notes: "",
      }}
      fields={FIELDS}
      save={async (headers, values) => {
        const entry = await transfer(headers, bodyOf(values, account));
        reload();
        const moved = { from: nameOf(entry.from), to: nameOf(entry.to) };
        return { name: t("ledger.moved", moved), path: LEDGER };
      }}
      describe={(field, values) => ({
        label: t(`field.${field}`),
        text: String(values[field] ?? ""),
      })}
      top={
        account !== undefined && (
          <section className="ob-stack ob-below" aria-label={t("field.fromKind")}>
            <h3>{t("transfer.of", { name: nameOf(account) })}</h3>
            <Balances balances={account.balances} />
          </section>
        )
      }
      onClose={onClose}
    >
      {account === undefined && <End side="from" kinds={FROM} />}
      <End side="to" kinds={TO} />
      <ChoiceItem name="alloyId" label={t("field.alloyId")} catalog="alloys" />
      <LotItem isVault={account?.kind === "vault"} />
      <GramsItem name="grams" label={t("field.grams")} />
      <ReasonItem />
      <Form.Item name="notes" label={t("field.notes")}>
        <TextArea maxLength={TEXT_MOST} showCount autoSize={{ minRows: 1, maxRows: 4 }} />
      </Form.Item>
    </FormDrawer>
  );
}

/** Build the request body. Each end has only the fields that its kind needs. */
function bodyOf(values: Values, account: Account | undefined): TransferIn {
  const { fromKind, toKind, lotId } = values;
  const isVault = (account?.kind ?? fromKind) === "vault";
  const hasPerson = (kind: Kind | null) => kind === "person";
  const hasProcess = (kind: Kind | null) => kind !== null && WITH_PROCESS.includes(kind);
  const hasName = (kind: Kind | null) => kind === "outside" || kind === "supplier";
  return {
    ...values,
    ...(account === undefined ? {} : { fromAccountId: account.id }),
    fromUserId: hasPerson(fromKind) ? values.fromUserId : null,
    fromProductionProcessId: hasProcess(fromKind) ? values.fromProductionProcessId : null,
    fromName: hasName(fromKind) ? values.fromName : null,
    toUserId: hasPerson(toKind) ? values.toUserId : null,
    toProductionProcessId: hasProcess(toKind) ? values.toProductionProcessId : null,
    toName: hasName(toKind) ? values.toName : null,
    alloyId: taken(values.alloyId),
    lotId: isVault ? lotId : null,
    grams: taken(values.grams),
    reason: values.reason.trim(),
    notes: values.notes.trim(),
  };
}

/** One end of the transfer: the kind of the account, and the fields that identify it. */
function End({ side, kinds }: { side: "from" | "to"; kinds: readonly Kind[] }) {
  const { t } = useTranslation(["metal", "forms"]);
  const kind = Form.useWatch<Kind | null>(`${side}Kind`, { preserve: true });
  return (
    <fieldset className="ob-box ob-below">
      <legend>{t(`field.${side}Kind`)}</legend>
      <Form.Item name={`${side}Kind`} rules={[{ required: true, message: t("forms:required") }]}>
        <Select<Kind>
          aria-label={t(`field.${side}Kind`)}
          options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
        />
      </Form.Item>
      {kind === "person" && (
        <ChoiceItem name={`${side}UserId`} label={t("column.person")} catalog="users" />
      )}
      {kind !== null && WITH_PROCESS.includes(kind) && (
        <ChoiceItem
          name={`${side}ProductionProcessId`}
          label={t("column.process")}
          catalog="production-processes"
        />
      )}
      {(kind === "outside" || kind === "supplier") && (
        <Form.Item
          name={`${side}Name`}
          label={t("field.name")}
          rules={[{ required: true, whitespace: true, message: t("forms:required") }]}
        >
          <Input maxLength={TEXT_MOST} autoComplete="off" />
        </Form.Item>
      )}
    </fieldset>
  );
}

/** The lot of metal that leaves the vault; without one the server takes the oldest. */
function LotItem({ isVault }: { isVault: boolean }) {
  const { t } = useTranslation("metal");
  const language = useLanguage();
  const from = Form.useWatch<Kind | null>("fromKind", { preserve: true });
  const alloyId = Form.useWatch<number | null>("alloyId", { preserve: true }) ?? null;
  const shown = isVault || from === "vault";
  const lots = useLotsOf(shown ? alloyId : null);
  if (!shown || lots.length === 0) return null;
  return (
    <Form.Item name="lotId" label={t("field.lotId")} normalize={(value?: number) => value ?? null}>
      <Select<number>
        allowClear
        placeholder={t("transfer.anyLot")}
        options={lots.map(({ id, day, supplier, leftGrams }) => ({
          value: id,
          label: `${day} · ${supplier} · ${formatGrams(leftGrams, language)}`,
        }))}
      />
    </Form.Item>
  );
}

/** Why the metal moves. A correction needs it. */
function ReasonItem() {
  const { t } = useTranslation(["metal", "forms"]);
  const from = Form.useWatch<Kind | null>("fromKind", { preserve: true });
  const to = Form.useWatch<Kind | null>("toKind", { preserve: true });
  const required = from === CORRECTS || to === CORRECTS;
  return (
    <Form.Item
      name="reason"
      label={t("field.reason")}
      rules={[{ required, whitespace: required, message: t("forms:required") }]}
    >
      <Input maxLength={TEXT_MOST} autoComplete="off" />
    </Form.Item>
  );
}
