import type { Role } from '@/db/schema';
import { listUsers } from '@/lib/users/list-users';
import { defineCommand, json } from '../../command';
import { enterDatabase } from '../../database/enter';
import { print } from '../../terminal/print';
import { table } from '../../terminal/text';

interface Row {
  isAdmin: boolean;
  isDisabled: boolean;
  roles: { project: string; role: Role }[];
}

export const command = defineCommand({
  options: {
    search: { type: 'string', value: 'text', says: 'Part of a name or of an e-mail address.' },
    json,
  },
  async run(values) {
    await using entered = await enterDatabase();
    const users = (await listUsers(entered.db, { limit: 100_000, search: values.search })).map((user) => ({
      id: user.id,
      email: user.email,
      name: user.name,
      isAdmin: user.isAdmin,
      isDisabled: user.disabledAt !== null,
      roles: user.roles,
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

function describeRoles({ isAdmin, isDisabled, roles }: Row): string {
  const held = roles.map(({ project, role }) => `${role} of ${project}`);
  return [...(isDisabled ? ['disabled'] : []), ...(isAdmin ? ['admin'] : []), ...held].join(', ') || '–';
}
