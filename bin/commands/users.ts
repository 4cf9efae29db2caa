import { eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { type Role, roles } from '@/db/schema';
import { readConfig } from '@/lib/config';
import { notFound } from '@/lib/core/errors';
import { authorise } from '@/lib/services/access';
import { createInvitation, listUsers, type UserChange, updateUser } from '@/lib/services/accounts';
import { type Command, defineCommand, json, readCount, UsageError } from '../command';
import { commandLine, enterDatabase, localOrRemote } from '../database/enter';
import { remoteOptions } from '../remote';
import { print, table } from '../terminal';

/** More people than any instance has. */
const all = 100_000;

interface User {
  id: string;
  email: string;
  name: string;
  isAdmin: boolean;
  disabledAt: Date | string | null;
  roles: { project: string; role: string }[];
}

export const listCommand = defineCommand({
  options: {
    search: { type: 'string', value: 'text', description: 'Part of a name or of an e-mail address.' },
    ...remoteOptions,
    json,
  },
  async run(values) {
    const { search } = values;
    const found = await localOrRemote<User[]>(
      values,
      (db) => listUsers(db, { limit: all, search }),
      (remote) => remote.list('/users', all, { search }),
    );
    const users = found.map(({ id, email, name, isAdmin, disabledAt, roles }) => ({
      id,
      email,
      name,
      isAdmin,
      disabledAt,
      roles,
    }));
    print(values.json, users, () =>
      table(
        ['e-mail', 'name', 'roles'],
        users.map((user) => [user.email, user.name, describeRoles(user)]),
        'Nobody has an account. The first admin joins by a link: tessera users invite --admin',
      ),
    );
    return 0;
  },
});

function describeRoles({ isAdmin, disabledAt, roles }: User): string {
  const held = roles.map(({ project, role }) => `${role} of ${project}`);
  return [...(disabledAt ? ['disabled'] : []), ...(isAdmin ? ['admin'] : []), ...held].join(', ') || '–';
}

const defaultDays = 14;
const dayMs = 24 * 60 * 60 * 1000;

export const inviteCommand = defineCommand({
  options: {
    admin: { type: 'boolean', description: 'People who join become admins of this instance.' },
    project: { type: 'string', value: 'slug', description: 'The project to join.' },
    roles: { type: 'string', value: 'role,role', description: `Roles in the project: ${roles.join(', ')}.` },
    email: {
      type: 'string',
      value: 'address',
      description: 'Only the holder of this address may use the link.',
    },
    seats: { type: 'string', value: 'number', description: 'How many people may use it (default 1).' },
    days: { type: 'string', value: 'number', description: `Days until it ends (default ${defaultDays}).` },
    json,
  },
  async run(values) {
    const given = readRoles(values.roles);
    if (values.admin ? values.project || given.length > 0 : !values.project || given.length === 0) {
      throw new UsageError('Pass either --admin, or --project and --roles.');
    }
    const days = readCount('days', values.days, defaultDays);
    const seats = readCount('seats', values.seats, 1);
    await using entered = await enterDatabase();
    const { db } = entered;
    const access = values.project
      ? await authorise(db, commandLine, 'members.manage', { project: values.project })
      : undefined;
    const made = await createInvitation(db, commandLine, {
      projectId: access?.project.id ?? null,
      roles: given,
      makesAdmin: values.admin,
      email: values.email ?? null,
      seats,
      expiresAt: new Date(Date.now() + days * dayMs),
    });
    const link = `${readConfig().url}/join/${made.token}`;
    print(values.json, { id: made.id, link, expiresAt: made.expiresAt, seats }, () => link);
    return 0;
  },
});

function readRoles(text = ''): Role[] {
  const given = text.split(',').filter(Boolean);
  const unknown = given.find((role) => !(roles as readonly string[]).includes(role));
  if (unknown) throw new UsageError(`There is no role "${unknown}"; there are ${roles.join(', ')}.`);
  return given as Role[];
}

/** A command that changes the account with the given e-mail address. */
const changeAccount = (change: UserChange, done: string): Command =>
  defineCommand({
    usage: '<e-mail>',
    async run(_, [email]) {
      if (!email) throw new UsageError('Pass the e-mail address of the account.');
      await using entered = await enterDatabase();
      await updateUser(entered.db, commandLine, await userIdOf(entered.db, email), change);
      console.log(`${email.toLowerCase()} ${done}.`);
      return 0;
    },
  });

async function userIdOf(db: Database, email: string): Promise<string> {
  const [user] = await db
    .select({ id: tables.users.id })
    .from(tables.users)
    .where(eq(tables.users.email, email.toLowerCase()));
  if (!user) throw notFound('user');
  return user.id;
}

export const makeAdminCommand = changeAccount({ isAdmin: true }, 'is an admin now');

export const disableCommand = changeAccount(
  { isDisabled: true },
  'is disabled; all sessions and keys have ended',
);
