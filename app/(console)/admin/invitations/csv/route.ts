import { csvResponse } from '@/app/_ui/table/csv-response';
import { database } from '@/db';
import { requireRight } from '@/lib/services/access/page';
import { listInvitations } from '@/lib/services/accounts';

const pageSize = 500;

async function* allInvitations() {
  let before: string | undefined;
  for (;;) {
    const page = await listInvitations(database(), { limit: pageSize, before });
    for (const {
      id,
      project,
      roles,
      makesAdmin,
      email,
      seats,
      used,
      createdAt,
      expiresAt,
      revokedAt,
    } of page) {
      yield [id, project, roles.join(' '), makesAdmin, email, seats, used, createdAt, expiresAt, revokedAt];
    }
    if (page.length < pageSize) return;
    before = page.at(-1)?.id;
  }
}

export async function GET(): Promise<Response> {
  await requireRight('users.manage');
  const head = [
    'id',
    'project',
    'roles',
    'admin',
    'email',
    'seats',
    'used',
    'created',
    'open_until',
    'withdrawn',
  ];
  return csvResponse('invitations', head, allInvitations());
}
