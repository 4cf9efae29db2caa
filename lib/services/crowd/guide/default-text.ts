import type { StageKind } from '@/db/schema';
import type { AttributeGroup, DatasetSchema } from '@/lib/core/schema';

const looking = 'Judge what you see in the picture, not what you know about such objects.';
const checked = 'Some items have a known answer. Your score comes from these; exams are paid either way.';

const describing = (schema: DatasetSchema): string[] => [
  looking,
  'Describe the main object, or all of them if there are several. Leave the background alone.',
  'A part that is hidden is not marked. One that shows a little is.',
  ...schema.attributeGroups.map((group) => `${group.name}: ${ruleOf(group)}.`),
  'Where you are in doubt, choose what most people would say.',
  checked,
];

const drawing = (): string[] => [
  looking,
  'Draw along the edge of what is asked for, around every piece that shows.',
  'Do not draw what is hidden behind something else, and leave holes open.',
  'If what is asked for is not there, choose “Nothing to label”.',
  checked,
];

/** What a stage says before a curator has written anything. */
export function defaultStageText(schema: DatasetSchema, kind: StageKind): string {
  const rules =
    kind === 'attributes'
      ? describing(schema)
      : kind === 'oracle'
        ? ['Say what the picture shows.', 'Where nothing in it tells, choose “Cannot tell”.', checked]
        : drawing();
  return rules.map((rule) => `- ${rule}`).join('\n');
}

function ruleOf({ min, max, attributes, exclusiveNone }: AttributeGroup): string {
  const all = max >= attributes.length;
  const amount = all
    ? min > 1
      ? `choose at least ${min}`
      : 'choose all that apply'
    : `choose ${min === max ? min : `${min} to ${max}`}`;
  return exclusiveNone ? `${amount}, or “none” if nothing does` : amount;
}

export interface GuideTarget {
  target: string;
  name: string;
  /** What the schema says about it. */
  definition: string;
}

/** What a stage asks about, one by one: attributes to mark, attributes and parts to draw, classes to choose from. */
export function targetsOf(schema: DatasetSchema, kind: StageKind): GuideTarget[] {
  const attributes = schema.attributes.filter(
    (attribute) => kind === 'attributes' || (kind === 'part-mask' && attribute.kind === 'localised'),
  );
  const parts = kind === 'part-mask' ? schema.parts : [];
  const classes = kind === 'oracle' ? schema.classes : [];
  return [...attributes, ...parts, ...classes].map(({ id, name, definition }) => ({
    target: id,
    name,
    definition: definition ?? (kind === 'oracle' ? `A picture of ${name}.` : 'Every piece of it that shows.'),
  }));
}
