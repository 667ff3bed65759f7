/** The package's version, set by the build. */
export const VERSION: string = import.meta.env["VITE_VERSION"];
