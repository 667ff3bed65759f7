/** Make `t("…")` know the keys of each feature's Spanish file. Each feature has one line here. */
import "i18next";
import type account from "./es/account.json";
import type administration from "./es/administration.json";
import type batches from "./es/batches.json";
import type billing from "./es/billing.json";
import type catalogs from "./es/catalogs.json";
import type audit from "./es/audit.json";
import type customerPage from "./es/customerPage.json";
import type forecast from "./es/forecast.json";
import type forms from "./es/forms.json";
import type guide from "./es/guide.json";
import type home from "./es/home.json";
import type keyboard from "./es/keyboard.json";
import type labels from "./es/labels.json";
import type login from "./es/login.json";
import type metal from "./es/metal.json";
import type notices from "./es/notices.json";
import type notifications from "./es/notifications.json";
import type orders from "./es/orders.json";
import type piecework from "./es/piecework.json";
import type privacy from "./es/privacy.json";
import type reports from "./es/reports.json";
import type scanning from "./es/scanning.json";
import type secondFactor from "./es/secondFactor.json";
import type shared from "./es/shared.json";
import type shell from "./es/shell.json";
import type shopFloor from "./es/shopFloor.json";
import type standing from "./es/standing.json";
import type station from "./es/station.json";
import type weight from "./es/weight.json";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shared";
    returnNull: false;
  }
  interface ResourceNamespaceMap {
    account: typeof account;
    administration: typeof administration;
    batches: typeof batches;
    billing: typeof billing;
    catalogs: typeof catalogs;
    audit: typeof audit;
    customerPage: typeof customerPage;
    forecast: typeof forecast;
    forms: typeof forms;
    guide: typeof guide;
    home: typeof home;
    keyboard: typeof keyboard;
    labels: typeof labels;
    login: typeof login;
    metal: typeof metal;
    notices: typeof notices;
    notifications: typeof notifications;
    orders: typeof orders;
    piecework: typeof piecework;
    privacy: typeof privacy;
    reports: typeof reports;
    scanning: typeof scanning;
    secondFactor: typeof secondFactor;
    shared: typeof shared;
    shell: typeof shell;
    shopFloor: typeof shopFloor;
    standing: typeof standing;
    station: typeof station;
    weight: typeof weight;
  }
}
