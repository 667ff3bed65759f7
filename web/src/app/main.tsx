/**
 * Start the page of a customer link or the product, whichever the address names. The page of a link
 * loads less code.
 */
import "@/shared/theme/typeface/typeface.css";
import "@/shared/theme/look";
import "virtual:palette.css";
import "@/shared/theme/base.css";
import { askEarly } from "@/shared/http/early";
import { followTranslators } from "./translators";

const PAGE = "#/c/";
/** Text after the token: messengers add punctuation, or parameters that count clicks. */
const ADDED = /[^\w-].*$/;

/** The token of a customer link in the address; null if the address is one of the product's. */
function tokenInAddress(): string | null {
  const { hash } = window.location;
  return hash.startsWith(PAGE) ? hash.slice(PAGE.length).replace(ADDED, "") : null;
}

followTranslators();
const token = tokenInAddress();
if (token === null) {
  askEarly();
  void import("./start");
} else {
  void import("@/features/customer-page/openPage").then(({ openPage }) => openPage(token));
}
// The page of a link and the product share no state. To change from one to the other, load the
// document again. This listener is added before the router's: the router must not see such an
// address, because it would replace it.
window.addEventListener("popstate", (event) => {
  if (tokenInAddress() === token) return;
  event.stopImmediatePropagation();
  window.location.reload();
});
