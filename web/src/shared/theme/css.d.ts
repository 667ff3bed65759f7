import "react";

declare module "react" {
  interface CSSProperties {
    /** The style sheets' own variables. */
    [variable: `--${string}`]: string | number | undefined;
  }
}
