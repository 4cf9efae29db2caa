import { demoPeople } from '@/lib/demo/people';
import { query } from './database';

/**
 * The stories answer badly, and the demo's rules stop whoever does that a few times. Told once more, its two workers
 * are at work again.
 */
export async function letWork(slug: string): Promise<void> {
  const people = [demoPeople.worker1.email, demoPeople.worker2.email];
  await query(
    `update standings s set state = 'active', since = now() from projects p, users u
     where p.id = s.project_id and p.slug = $1 and u.id = s.worker_id and u.email = any ($2) and s.state <> 'active'`,
    [slug, people],
  );
}
