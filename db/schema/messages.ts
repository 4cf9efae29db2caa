import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt } from './columns';
import { projects } from './projects';
import { users } from './users';
import { leases } from './work';

export const messageKinds = ['comment', 'broken-image'] as const;

/** What a worker tells the curator. The id is made by the client, so that a repeated send is one message. */
export const messages = pgTable(
  'messages',
  {
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The work it is about, if it is about a piece of work. */
    leaseId: uuid('lease_id').references(() => leases.id, { onDelete: 'cascade' }),
    authorId: uuid('author_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: messageKinds }).notNull(),
    text: text('text').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('messages_project').on(t.projectId, t.createdAt),
    index('messages_lease').on(t.leaseId),
    check('messages_kind', sql`${t.kind} in ('comment', 'broken-image')`),
  ],
);
