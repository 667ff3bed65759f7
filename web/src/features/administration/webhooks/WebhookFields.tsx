/** Fields of the webhook form. Accounts and events that cannot be sent show the reason. */
import Checkbox from "antd/es/checkbox";
import Form from "antd/es/form";
import Input from "antd/es/input/Input";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ServiceAccount, Webhook } from "@/contract";
import { Select } from "@/shared/form/Select";
import { useEventName } from "./parts";
import { EVENT_TYPES, isKnown, isRead } from "./states";

const NAME_MOST = 200;
const URL_MOST = 2_000;

interface Props {
  webhook: Webhook | undefined;
  /** Undefined while loading. */
  accounts: readonly ServiceAccount[] | undefined;
  /** Whether the account has permissions that the user lacks. */
  isAbove: (account: ServiceAccount) => boolean;
}

export function WebhookFields({ webhook, accounts, isAbove }: Props) {
  const { t } = useTranslation(["administration", "forms"]);
  const accountId: unknown = Form.useWatch("accountId");
  const account = accounts?.find(({ id }) => id === accountId);
  const required = { required: true, whitespace: true, message: t("forms:required") };
  const noAccount = accounts?.every(({ active }) => !active) ?? false;
  return (
    <>
      <Form.Item name="name" label={t("webhook.field.name")} rules={[required]}>
        <Input maxLength={NAME_MOST} autoComplete="off" placeholder={t("webhook.nameExample")} />
      </Form.Item>
      <Form.Item
        name="url"
        label={t("webhook.field.url")}
        extra={t("webhook.urlHint")}
        rules={[required]}
      >
        <Input
          maxLength={URL_MOST}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder={t("webhook.urlExample")}
        />
      </Form.Item>
      <Form.Item
        name="accountId"
        label={t("webhook.field.accountId")}
        extra={
          noAccount ? (
            <Link to="/administration/integrations?record=new">{t("webhook.noAccount")}</Link>
          ) : (
            t("webhook.accountHint")
          )
        }
        rules={[{ required: true, message: t("forms:required") }]}
      >
        <AccountSelect webhook={webhook} accounts={accounts} isAbove={isAbove} />
      </Form.Item>
      <Form.Item
        name="types"
        label={t("webhook.field.types")}
        rules={[{ required: true, message: t("webhook.chooseTypes") }]}
      >
        <EventTypes account={account} kept={webhook?.types ?? []} />
      </Form.Item>
    </>
  );
}

interface AccountProps extends Props {
  id?: string;
  value?: number | null;
  onChange?: (id: number) => void;
}

function withReason({ data }: { data: { label: string; reason: string } }) {
  return (
    <>
      {data.label}
      {data.reason !== "" && <small className="ob-option__reason">{data.reason}</small>}
    </>
  );
}

/** Offer the active accounts, and the webhook's own account even if it is revoked. */
function AccountSelect({ webhook, accounts, isAbove, ...field }: AccountProps) {
  const { t } = useTranslation("administration");
  const offered = accounts?.filter(({ active, id }) => active || id === webhook?.accountId) ?? [];
  const options = offered.map((each) => {
    const refused = each.active ? isAbove(each) && t("webhook.accountAbove") : t("service.revoked");
    return {
      value: each.id,
      label: each.name,
      reason: refused === false ? "" : refused,
      disabled: refused !== false,
    };
  });
  return (
    <Select
      {...field}
      loading={accounts === undefined}
      placeholder={t("webhook.chooseAccount")}
      showSearch
      options={options}
      labelRender={({ label }) => label ?? webhook?.accountName ?? "…"}
      optionRender={withReason}
      notFoundContent={<span className="ob-quiet">{t("service.empty")}</span>}
    />
  );
}

interface EventProps {
  id?: string;
  value?: string[];
  onChange?: (types: string[]) => void;
  /**
   * The chosen account; undefined until one is chosen. Events that its permissions do not cover are
   * marked.
   */
  account: ServiceAccount | undefined;
  /** Types that the webhook already has, including types unknown to this client. */
  kept: readonly string[];
}

/**
 * Choose event types, shown with their API names. Types that the account may not read are marked.
 */
function EventTypes({ id, value, onChange, account, kept }: EventProps) {
  const { t } = useTranslation("administration");
  const nameOf = useEventName();
  const types = [...new Set<string>([...EVENT_TYPES, ...kept])].toSorted();
  return (
    <div id={id} role="group" aria-label={t("webhook.field.types")}>
      <Checkbox.Group<string>
        className="ob-stack"
        {...(value === undefined ? {} : { value })}
        {...(onChange === undefined ? {} : { onChange })}
        options={types.map((type) => ({
          value: type,
          label: (
            <>
              {nameOf(type)}
              <span className="ob-quiet ob-small ob-permissions__action">{type}</span>
              {account !== undefined && isKnown(type) && !isRead(type, account.permissions) && (
                <span className="ob-small ob-doubtful ob-permissions__reason">
                  {t("webhook.notRead")}
                </span>
              )}
            </>
          ),
        }))}
      />
    </div>
  );
}
