import { newId, type Transaction, tables } from '@/db';

type Insert = {
  items: typeof tables.items.$inferInsert;
  batches: typeof tables.batches.$inferInsert;
  leases: typeof tables.leases.$inferInsert;
  answers: typeof tables.answers.$inferInsert;
  gold: typeof tables.gold.$inferInsert;
  checks: typeof tables.checks.$inferInsert;
  exams: typeof tables.exams.$inferInsert;
  decisions: typeof tables.decisions.$inferInsert;
  labels: typeof tables.labels.$inferInsert;
  ledger: typeof tables.ledger.$inferInsert;
};

/** Parents before children, as the foreign keys want it. */
const order = [
  'items',
  'batches',
  'leases',
  'answers',
  'gold',
  'checks',
  'exams',
  'decisions',
  'labels',
  'ledger',
] as const satisfies (keyof Insert)[];

/** PostgreSQL takes 65,535 parameters per statement; the widest table here has fewer than 20 columns. */
const ROWS_PER_INSERT = 2000;

type Rows = { [Table in keyof Insert]: Insert[Table][] };

/** Rows of past work, collected in memory and written in a few statements. */
export class Book {
  readonly rows = Object.fromEntries(order.map((table) => [table, []])) as unknown as Rows;

  /** The id carries the row's own moment, so that pages in order of id are in order of time. */
  add<Table extends keyof Insert>(table: Table, row: Omit<Insert[Table], 'id'>): string {
    const id = newId((row as { createdAt?: Date }).createdAt?.getTime());
    this.rows[table].push({ ...row, id } as unknown as Insert[Table]);
    return id;
  }

  async write(tx: Transaction): Promise<void> {
    for (const table of order) {
      const rows = this.rows[table];
      for (let i = 0; i < rows.length; i += ROWS_PER_INSERT) {
        await tx.insert(tables[table]).values(rows.slice(i, i + ROWS_PER_INSERT) as never);
      }
    }
  }
}
