import { sql } from 'drizzle-orm';
import { timestamp, uuid } from 'drizzle-orm/pg-core';
import { newId } from '../id';

export const id = () =>
  uuid('id')
    .primaryKey()
    .$defaultFn(() => newId());

export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

export const createdAt = () => moment('created_at').notNull().default(sql`now()`);
