import { X } from 'lucide-react';
import Link from 'next/link';
import type { FilterChoices } from '@/lib/services/images/filter-choices';
import { type ImageFilter, imageQuery, noClass } from '@/lib/services/images/image-filter';

type Props = { path: string; filter: ImageFilter; choices: FilterChoices };

const nameOf = (entries: { id: string; name: string }[], id: string) =>
  entries.find((entry) => entry.id === id)?.name ?? id;

const words: { [Name in keyof ImageFilter]-?: (value: string, choices: FilterChoices) => string } = {
  text: (value) => `name has "${value}"`,
  class: (value, choices) =>
    value === noClass ? 'no class' : `class ${nameOf(choices.schemaClasses, value)}`,
  state: (value) => value,
  upload: () => 'of one upload',
  labels: (value) => (value === 'none' ? 'no labels yet' : 'labelled'),
  target: (value, choices) => `mask of ${nameOf(choices.targets, value)}`,
  attribute: (value, choices) => `has ${nameOf(choices.attributes, value)}`,
  worker: (value, choices) => `answered by ${nameOf(choices.workers, value)}`,
  agreementFrom: (value) => `agreement ≥ ${value}`,
  agreementTo: (value) => `agreement ≤ ${value}`,
  riskFrom: (value) => `expected error ≥ ${value}`,
  riskTo: (value) => `expected error ≤ ${value}`,
  sideFrom: (value) => `shorter side ≥ ${value} px`,
  sideTo: (value) => `shorter side ≤ ${value} px`,
  lookalikes: (value) => (value === 'any' ? 'looks like another' : 'one group of lookalikes'),
  group: (value) => (value === noClass ? 'no group' : `group ${value}`),
  slice: (value, choices) => `slice ${nameOf(choices.slices, value)}`,
};

/** What the list is cut down to, each condition with the way to drop it. */
export function FilterChips({ path, filter, choices }: Props) {
  const names = (Object.keys(words) as (keyof ImageFilter)[]).filter((name) => filter[name] !== undefined);
  if (names.length === 0) return null;
  return (
    <ul aria-label="Conditions" className="flex flex-wrap items-center gap-1.5">
      {names.map((name) => {
        const text = words[name](String(filter[name]), choices);
        const rest = imageQuery({ ...filter, [name]: undefined });
        return (
          <li key={name}>
            <Link
              href={`${path}?${rest}`}
              aria-label={`Drop the condition: ${text}`}
              className="flex h-6 items-center gap-1 rounded-md bg-accent-soft px-2 text-xs text-accent hover:bg-hover"
            >
              {text}
              <X aria-hidden className="size-3" />
            </Link>
          </li>
        );
      })}
      <li>
        <Link href={path} className="px-1 text-xs text-ink-2 hover:text-ink">
          Clear all
        </Link>
      </li>
    </ul>
  );
}
