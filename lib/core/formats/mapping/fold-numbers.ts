import { groupBy } from '@/lib/core/quality/group-by';
import type { CategoryMapping } from './mapping';
import { isGenericName, splitNumber } from './names';
import { toSchemaId } from './schema';

type Part = Extract<CategoryMapping, { to: 'part' }>;

/** More numbers than this are names rather than a count of instances. */
const MAX_NUMBER = 20;

/** Folds "wheel_1" and "wheel_2" into instances of one part "wheel". */
export function foldNumbers(categories: readonly CategoryMapping[]): CategoryMapping[] {
  const parts = categories.filter((entry): entry is Part => entry.to === 'part');
  const bases = groupBy(parts, (part) => baseOf(part) ?? '');
  const folded = new Map<Part, Part>();
  for (const [base, group] of bases) {
    const name = splitNumber(group[0]?.name ?? '')?.base ?? '';
    if (base === '' || isGenericName(name) || group.length === parts.length) continue;
    const plain = parts.find((part) => part.name === name);
    const numbers = group.map((part) => splitNumber(part.name)?.number ?? 0);
    if ((group.length < 2 && !plain) || numbers.some((number) => number > MAX_NUMBER)) continue;
    // Where the plain name is an instance as well, it is the first one.
    const offset = plain && numbers.includes(1) ? 1 : 0;
    const id = toSchemaId(name);
    if (plain) folded.set(plain, { ...plain, numbered: true, instance: 1 });
    for (const part of group) {
      const instance = (splitNumber(part.name)?.number ?? 1) + offset;
      const reason = `${part.reason ?? ''} The number makes it instance ${instance} of "${id}".`.trim();
      folded.set(part, { ...part, name: id, numbered: true, instance, reason });
    }
  }
  return categories.map((entry) => (entry.to === 'part' ? (folded.get(entry) ?? entry) : entry));
}

function baseOf({ name, of, parent }: Part): string | null {
  const found = splitNumber(name);
  return found && JSON.stringify([found.base, of, parent ?? null]);
}
