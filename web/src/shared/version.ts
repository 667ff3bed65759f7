/** The package's version, put in by the build. */
export const VERSION: string = import.meta.env["VITE_VERSION"];
