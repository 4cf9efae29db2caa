/** What people call an id; an id that the schema does not know stays itself. */
export function namesOf(list: readonly { id: string; name: string }[]): (id: string) => string {
  const names = new Map(list.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}
