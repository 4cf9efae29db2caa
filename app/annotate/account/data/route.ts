import { database } from '@/db';
import { requireRight } from '@/lib/services/access/page';
import { myData } from '@/lib/services/crowd/worker';

export async function GET(): Promise<Response> {
  const actor = await requireRight('account.manage');
  return new Response(JSON.stringify(await myData(database(), actor), null, 2), {
    headers: {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="data-about-me.json"',
      'cache-control': 'no-store',
    },
  });
}
