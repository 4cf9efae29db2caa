import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import type { LeasedPicture } from './find-picture';
import type { SuggestedMask } from './suggest-mask';

const { items, leases, models, predictions, suggestions } = tables;

/**
 * The promoted model's outline of what a lease asks for, made beforehand. Where it is withheld the answer is the same
 * as where the model has none: who draws cannot tell.
 */
export async function modelOutline(db: Db, { size }: LeasedPicture, leaseId: string): Promise<SuggestedMask> {
  const found = await db.execute<{ counts: string; model: string }>(sql`
    select p.masks->>i.target as counts, m.name as model
    from ${leases} l
    join ${items} i on i.id = l.item_id
    join ${suggestions} s on s.lease_id = l.id and s.state = 'shown'
    join ${models} m on m.id = s.model_id and m.state = 'promoted'
    join ${predictions} p on p.model_id = m.id and p.image_id = i.image_id and p.masks ? i.target
    where l.id = ${leaseId}`);
  const [row] = found.rows;
  if (!row)
    throw new TesseraError('unavailable', 'The model has no outline here. Draw it by hand.', {
      code: 'noModelOutline',
    });
  return { counts: row.counts, size: [size.height, size.width], ms: 0, model: row.model.slice(0, 200) };
}
