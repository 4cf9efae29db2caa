import { type Role, roles } from '@/db/schema';
import { readConfig } from '@/lib/config';
import { authorise } from '@/lib/services/access/authorise';
import { createInvitation } from '@/lib/services/accounts/invitations';
import { commandLine } from '../../actor';
import { defineCommand, json, readCount, UsageError } from '../../command';
import { enterDatabase } from '../../database/enter';
import { print } from '../../terminal/print';

const defaultDays = 14;
const dayMs = 24 * 60 * 60 * 1000;

export const command = defineCommand({
  options: {
    admin: { type: 'boolean', says: 'Whoever joins becomes an admin of this instance.' },
    project: { type: 'string', value: 'slug', says: 'The project to join.' },
    roles: { type: 'string', value: 'role,role', says: `Roles in the project: ${roles.join(', ')}.` },
    email: { type: 'string', value: 'address', says: 'Only the holder of this address may use the link.' },
    seats: { type: 'string', value: 'number', says: 'How many people may use it (default 1).' },
    days: { type: 'string', value: 'number', says: `Days until it ends (default ${defaultDays}).` },
    json,
  },
  async run(values) {
    const given = readRoles(values.roles);
    if (values.admin ? values.project || given.length > 0 : !values.project || given.length === 0) {
      throw new UsageError('Say either --admin, or --project and --roles.');
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
