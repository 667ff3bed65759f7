/** The three widths of window, in pixels, at which layouts change. Style sheets name no others. */
export const WIDTHS = {
  /** A phone: one column, and drawers fill the window. */
  phone: 760,
  /** A tablet: lists are cards. `.98`, because a window may be a part of a pixel wider than 1023. */
  hand: 1023.98,
  /** A small desk: parts that are side by side on larger windows are below each other. */
  desk: 1279.98,
};
