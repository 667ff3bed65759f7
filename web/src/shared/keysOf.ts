/** The names of a table's rows. A row that its type does not know must not be in the table. */
export function keysOf<T extends object>(table: T): (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[];
}
