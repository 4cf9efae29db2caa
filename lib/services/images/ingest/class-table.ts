import { parse } from 'csv-parse/sync';
import { and, eq, or, sql } from 'drizzle-orm';
import { tables } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { limits } from '@/lib/core/image-limits';
import { readAll } from '@/lib/services/storage';
import { ArchiveRefused, type Entries, openFile } from './archive';
import type { IngestContext } from './ingest-upload';
import { cleanLabel } from './label';
import { PictureRefused } from './read-picture';
import { settleFile } from './receive-file';

export interface TableRow {
  className: string | null;
  wnid: string | null;
  groupKey: string | null;
  columns: Record<string, string>;
}

/** What tables say about files, by the label of the file. */
export interface ClassTable {
  rows: number;
  find(label: string): TableRow | 'several' | null;
  /** Files that rows name and nobody sent. */
  unused(): string[];
}

class TableRefused extends Error {
  override readonly name = 'TableRefused';
}

const aliases = {
  name: ['name', 'file', 'filename', 'file_name', 'image', 'path'],
  className: ['class', 'label', 'class_name', 'category'],
  wnid: ['wnid', 'synset'],
  groupKey: ['group', 'group_key'],
} as const;

type Role = keyof typeof aliases;

function parseTable(text: string): [label: string, row: TableRow][] {
  let records: string[][];
  try {
    records = parse(text, {
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      trim: true,
      delimiter: delimiterOf(text),
      max_record_size: 100_000,
    });
  } catch (error) {
    throw new TableRefused(`The table cannot be read: ${(error as Error).message}`);
  }
  const [header, ...body] = records;
  if (!header) throw new TableRefused('The table is empty. Add rows and upload it again.');
  const roles = header.map(roleOf);
  if (!roles.includes('name'))
    throw new TableRefused(
      `The table has no column for the file; call it "name" or "file". It has: ${header.join(', ')}.`,
    );
  return body.flatMap((record) => readRecord(header, roles, record));
}

/** What the first line has most of: a comma within a cell of a table of semicolons is no delimiter. */
function delimiterOf(text: string): string {
  const head = /^.*$/m.exec(text)?.[0].replace(/"[^"]*"/g, '') ?? '';
  const times = (mark: string) => head.split(mark).length;
  return [',', ';', '\t'].reduce((best, mark) => (times(mark) > times(best) ? mark : best));
}

const roleOf = (column: string): Role | null => {
  const wanted = column.trim().toLowerCase();
  return (
    (Object.keys(aliases) as Role[]).find((role) => (aliases[role] as readonly string[]).includes(wanted)) ??
    null
  );
};

function readRecord(header: string[], roles: (Role | null)[], record: string[]): [string, TableRow][] {
  let label = '';
  const row: TableRow = { className: null, wnid: null, groupKey: null, columns: {} };
  for (const [index, column] of header.entries()) {
    const value = clean(record[index] ?? '');
    const role = roles[index] ?? null;
    if (value === '') continue;
    if (role === 'name') label ||= cleanLabel(value);
    else if (role && row[role] === null) row[role] = value;
    else row.columns[clean(column).slice(0, 100) || `column ${index + 1}`] = value.slice(0, 1000);
  }
  return label === '' ? [] : [[label, row]];
}

/** PostgreSQL has no place for U+0000 in a text. */
const clean = (text: string): string => text.replaceAll('\0', '').trim();

function joinTables(tables: [label: string, row: TableRow][][]): ClassTable {
  const rows = new Map<string, TableRow | 'several'>();
  const asked = new Set<string>();
  for (const [label, row] of tables.flat()) {
    const before = rows.get(label);
    // The same row twice says nothing new.
    rows.set(label, before && JSON.stringify(before) !== JSON.stringify(row) ? 'several' : row);
  }
  return {
    rows: rows.size,
    find(label) {
      // A table may name a file by its whole path, or by the end of it.
      for (let rest = label; ; rest = rest.slice(rest.indexOf('/') + 1)) {
        const row = rows.get(rest);
        if (row) {
          asked.add(rest);
          return row;
        }
        if (!rest.includes('/')) return null;
      }
    },
    unused: () => [...rows.keys()].filter((label) => !asked.has(label)),
  };
}

const { uploadFiles } = tables;

/** Reads all tables of an upload before any picture: a table may come after the pictures it is about. */
export async function readTables(
  context: IngestContext,
  uploadId: string,
  entries: Entries,
): Promise<ClassTable> {
  const files = await context.db
    .select()
    .from(uploadFiles)
    .where(
      and(
        eq(uploadFiles.uploadId, uploadId),
        sql`lower(${uploadFiles.name}) ~ '[.](csv|tsv)$'`,
        or(eq(uploadFiles.state, 'received'), eq(uploadFiles.state, 'accepted')),
      ),
    );
  const parsed = [];
  for (const file of files) {
    context.signal.throwIfAborted();
    try {
      const source = await openFile(context.storage, file, entries);
      const rows = parseTable((await readAll(source, limits.tableBytes)).toString('utf8'));
      parsed.push(rows);
      await settleFile(context.db, file.id, {
        state: 'accepted',
        reason: `Table of ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}.`,
      });
    } catch (error) {
      const reason = refusalOf(error);
      if (reason === null) throw error;
      await settleFile(context.db, file.id, { state: 'refused', reason });
    }
  }
  return joinTables(parsed);
}

/** The reason for a refusal, when an error is about the file; null when it is about us. */
export function refusalOf(error: unknown): string | null {
  if (error instanceof PictureRefused || error instanceof TableRefused || error instanceof ArchiveRefused)
    return error.message;
  if (error instanceof TesseraError && error.kind === 'too-large') return error.message;
  return null;
}
