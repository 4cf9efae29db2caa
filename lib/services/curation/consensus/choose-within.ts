import { type DatasetSchema, NONE } from '@/lib/core/schema';

/**
 * The likely attributes of each group, the most likely first where the form allows fewer, the next likely where it
 * wants more: a consensus is never a form that nobody could have handed in.
 */
export function chooseWithin(
  schema: DatasetSchema,
  chance: ReadonlyMap<string, number>,
): Record<string, string[]> {
  return Object.fromEntries(
    schema.attributeGroups.map((group) => {
      const ranked = group.attributes.map((id) => ({ id, p: chance.get(id) ?? 0 })).sort((a, b) => b.p - a.p);
      const likely = ranked.filter(({ p }) => p > 0.5).length;
      if (likely === 0 && group.exclusiveNone) return [group.id, [NONE]];
      const wanted = Math.min(group.max, Math.max(group.min, likely));
      const chosen = new Set(ranked.slice(0, wanted).map(({ id }) => id));
      return [group.id, group.attributes.filter((id) => chosen.has(id))];
    }),
  );
}
