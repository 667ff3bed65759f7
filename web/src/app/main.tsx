/** Start what the address names: a customer's page by link, which needs little, or the product. */
import "@/shared/theme/typeface/typeface.css";
import "@/shared/theme/look";
import "virtual:palette.css";
import "@/shared/theme/base.css";
import { followTranslators } from "./translators";

const PAGE = "#/c/";
/** What messengers add to an address in a sentence, or to count clicks. */
const ADDED = /[^\w-].*$/;

/** The token of the page in the address; null if the address is one of the product's. */
function tokenInAddress(): string | null {
  const { hash } = window.location;
  return hash.startsWith(PAGE) ? hash.slice(PAGE.length).replace(ADDED, "") : null;
}

followTranslators();
const token = tokenInAddress();
if (token === null) void import("./start");
else void import("@/features/customer-page/openPage").then(({ openPage }) => openPage(token));
// The two share no state: from one to the other, load the document again. The router must not see such an address
// before, because it would replace it; it listens later than this.
window.addEventListener("popstate", (event) => {
  if (tokenInAddress() === token) return;
  event.stopImmediatePropagation();
  window.location.reload();
});
