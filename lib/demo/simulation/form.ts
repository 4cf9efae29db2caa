import { choicesFrom, type DatasetSchema } from '@/lib/core/schema';
import type { Rng } from '@/lib/demo/scenes/prng';

/**
 * A form that may be submitted: what was marked, cut to what a group allows; where a group wants more than that
 * and offers no "none", the preferred options fill it up.
 */
export function fillForm(
  schema: DatasetSchema,
  marked: readonly string[],
  preferred: readonly string[],
): Record<string, string[]> {
  const kept = schema.attributeGroups.flatMap((group) => {
    const chosen = group.attributes.filter((id) => marked.includes(id)).slice(0, group.max);
    if (chosen.length >= group.min || (chosen.length === 0 && group.exclusiveNone)) return chosen;
    const others = group.attributes.filter((id) => !chosen.includes(id));
    const ranked = [...others.filter((id) => preferred.includes(id)), ...others];
    return [...chosen, ...new Set(ranked)].slice(0, Math.max(group.min, chosen.length));
  });
  return choicesFrom(schema, kept);
}

/** Share of the options that somebody marks who does not look. */
const MARKED_BLINDLY = 0.2;

export function fillFormBlindly(schema: DatasetSchema, random: Rng): Record<string, string[]> {
  const options = schema.attributeGroups.flatMap((group) => [...group.attributes]);
  const marked = options.filter(() => random.chance(MARKED_BLINDLY));
  return fillForm(schema, marked, []);
}
