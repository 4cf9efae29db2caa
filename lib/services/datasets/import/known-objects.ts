import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { decodeCounts } from '@/lib/core/mask';
import { readTarget } from '@/lib/core/schema';
import type { KnownObject } from './number-objects';

const { items, labels, stages } = tables;

/** The objects that an image is asked about, drawn as by the labels that count today. Its localised attributes are no parts of any. */
export async function knownObjects(
  tx: Db,
  image: { id: string; className: string | null; width: number; height: number },
  partIds: ReadonlySet<string>,
): Promise<KnownObject[]> {
  const rows = await tx
    .select({ kind: stages.kind, target: items.target, mask: labels.mask })
    .from(items)
    .innerJoin(stages, eq(stages.id, items.stageId))
    .leftJoin(labels, and(eq(labels.itemId, items.id), eq(labels.isCurrent, true)))
    .where(eq(items.imageId, image.id));
  const found = new Map<string, KnownObject & { parts: KnownObject['parts'][number][] }>();
  for (const { kind, target, mask } of rows) {
    const { id, instance, className } = readTarget(target);
    const isOutline = kind === 'object-mask' && id === '';
    if (!isOutline && !(kind === 'part-mask' && partIds.has(id))) continue;
    const key = `${instance} ${className}`;
    const object = found.get(key) ?? {
      className: instance === 1 ? image.className : className,
      instance,
      outline: null,
      parts: [],
    };
    found.set(key, object);
    if (mask === null) continue;
    const drawn = decodeCounts(mask, image.height, image.width);
    if (isOutline) object.outline = drawn;
    else object.parts.push(drawn);
  }
  return [...found.values()];
}
