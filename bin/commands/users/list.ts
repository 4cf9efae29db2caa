import { listUsers } from '@/lib/services/accounts/users';
import { defineCommand, json } from '../../command';
import { remoteOptions } from '../../remote/client';
import { either } from '../../remote/either';
import { print } from '../../terminal/print';
import { table } from '../../terminal/text';

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

export const command = defineCommand({
  options: {
    search: { type: 'string', value: 'text', says: 'Part of a name or of an e-mail address.' },
    ...remoteOptions,
    json,
  },
  async run(values) {
    const { search } = values;
    const found = await either<User[]>(
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
