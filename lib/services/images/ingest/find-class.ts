import type { DatasetSchema } from '@/lib/core/schema';
import type { TableRow } from './class-table';
import type { UploadOptions } from './uploads';

export interface FoundClass {
  className: string | null;
  wnid: string | null;
  groupKey: string | null;
  columns: Record<string, string>;
  notes: string[];
}

export interface ClassIndex {
  byName: Map<string, string>;
  byWnid: Map<string, string>;
}

export function indexClasses(schema: DatasetSchema | null): ClassIndex {
  const index: ClassIndex = { byName: new Map(), byWnid: new Map() };
  for (const entry of schema?.classes ?? []) {
    index.byName.set(entry.id.toLowerCase(), entry.id);
    index.byName.set(entry.name.toLowerCase(), entry.id);
    for (const wnid of entry.wnids ?? []) index.byWnid.set(wnid, entry.id);
  }
  return index;
}

const wnidPattern = /^n\d{8}$/;

/**
 * The class of a file: what a table says, else the class chosen for all, else the innermost folder that
 * names a class or a wnid, else the wnid that its name starts with. Or the reason why it has none.
 */
export function findClass(
  label: string,
  row: TableRow | 'several' | null,
  index: ClassIndex,
  options: UploadOptions,
): FoundClass | { reason: string } {
  if (row === 'several') return { reason: 'The table has several rows for this file.' };
  const found: FoundClass = {
    className: null,
    wnid: row?.wnid ?? null,
    groupKey: row?.groupKey ?? null,
    columns: { ...row?.columns },
    notes: [],
  };
  const said = row?.className ?? row?.wnid ?? null;
  if (said !== null) found.className = lookUp(said, index) ?? (row?.wnid ? lookUp(row.wnid, index) : null);
  else if (options.className) found.className = options.className;
  else readPath(label, index, found);
  if (found.className !== null) return found;

  const why = said
    ? `"${said}" is not a class of the schema`
    : label.includes('/')
      ? `no folder of "${label}" is named like a class of the schema`
      : 'neither a folder nor a table names its class';
  if (options.unknownClass === 'refuse') return { reason: `No class: ${why}.` };
  if (said) found.notes.push(why);
  return found;
}

const lookUp = (text: string, index: ClassIndex): string | null =>
  index.byWnid.get(text) ?? index.byName.get(text.toLowerCase()) ?? null;

function readPath(label: string, index: ClassIndex, found: FoundClass): void {
  const folders = label.split('/');
  const name = folders.pop() ?? '';
  for (const folder of folders.reverse()) {
    const className = lookUp(folder, index);
    if (className === null) continue;
    found.className = className;
    if (wnidPattern.test(folder)) found.wnid = folder;
    return;
  }
  // ImageNet calls its files n01440764_10026.JPEG.
  const wnid = /^(n\d{8})_/.exec(name)?.[1] ?? null;
  found.wnid ??= wnid;
  found.className = wnid && (index.byWnid.get(wnid) ?? null);
}
