import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { requireRight } from '@/lib/services/access/page';
import { listUsers } from '@/lib/services/accounts';
import { describeRoles } from '../../labels';

const pageSize = 500;

async function* everyone() {
  let after: string | undefined;
  for (;;) {
    const users = await listUsers(database(), { limit: pageSize, after });
    for (const user of users) {
      const { id, name, email, isAdmin, disabledAt, roles, createdAt } = user;
      yield [id, name, email, isAdmin, disabledAt, describeRoles(roles), createdAt];
    }
    if (users.length < pageSize) return;
    after = users.at(-1)?.id;
  }
}

export async function GET(): Promise<Response> {
  await requireRight('users.manage');
  return csvResponse('users', ['id', 'name', 'email', 'admin', 'disabled', 'roles', 'created'], everyone());
}
