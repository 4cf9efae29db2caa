import { tables } from './tables';

const marker = /(<!-- table: ([a-z-]+) -->\n)[\s\S]*?(\n<!-- end -->)/g;

/** A page with its generated tables made anew; the rest of it as it was. */
export async function fillTables(page: string): Promise<string> {
  const made = new Map<string, string>();
  for (const [, , name = ''] of page.matchAll(marker)) {
    const found = tables.find((each) => each.name === name);
    if (!found) throw new Error(`There is no generated table "${name}".`);
    made.set(name, await found.make());
  }
  return page.replace(marker, (_, opening: string, name: string, closing: string) =>
    [opening, made.get(name), closing].join(''),
  );
}
