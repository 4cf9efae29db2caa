import { and, eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';

const { labels } = tables;

type Label = Pick<typeof labels.$inferSelect, 'provenance'>;

/**
 * A part of which somebody said "nothing to label" took its attribute from the form of the picture. When that no
 * longer holds, the form says again what it said. Gives false where the form was changed since, and nothing was done.
 */
export async function restoreForm(tx: Transaction, { provenance }: Label): Promise<boolean> {
  const formId = (provenance.falsePositive as { label?: string } | undefined)?.label;
  if (!formId) return true;
  const [form] = await tx.select().from(labels).where(eq(labels.id, formId));
  if (!form) return true;
  const ended = await tx
    .update(labels)
    .set({ isCurrent: false })
    .where(
      and(
        eq(labels.itemId, form.itemId),
        eq(labels.isCurrent, true),
        sql`${labels.provenance}->>'method' = 'nothing-to-label' and ${labels.provenance}->'labels' ? ${formId}`,
      ),
    )
    .returning({ id: labels.id });
  if (ended.length === 0) return false;
  await tx.update(labels).set({ isCurrent: true }).where(eq(labels.id, formId));
  return true;
}
