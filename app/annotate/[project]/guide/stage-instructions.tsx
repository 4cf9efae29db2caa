import { getTranslations } from 'next-intl/server';
import { ButtonLink } from '@/app/_ui/button';
import { Markdown } from '@/app/_ui/markdown';
import { Panel } from '@/app/_ui/panel';
import { type AttributeGroup, type DatasetSchema, partColour, partsOfClass } from '@/lib/core/schema';
import type { GuideExample as LabelledExample } from '@/lib/services/crowd/guide-examples';
import type { TranslatedGuide } from '@/lib/services/crowd/translations';
import { Definition } from './definition';
import { WrittenExamples } from './written-examples';

interface Props {
  guide: TranslatedGuide;
  schema: DatasetSchema;
  /** Pictures from the project's labels, by attribute or part. */
  labelled: ReadonlyMap<string, readonly LabelledExample[]>;
  /** Where the exam of the stage is, for those who have still to pass it. */
  examHref: string | null;
}

/** What one stage asks, in general and about each attribute or part. */
export async function StageInstructions({ guide, schema, labelled, examHref }: Props) {
  const { stage, general, pictures } = guide;
  const t = await getTranslations('guide');
  const picture = (sha256: string) => pictures[sha256];
  return (
    <section aria-labelledby={stage.id} className="flex scroll-mt-16 flex-col gap-4">
      <h2 id={stage.id} className="scroll-mt-16 text-xl font-semibold tracking-tight">
        {stage.name}
      </h2>
      <Panel title={t('short')}>
        <Markdown source={general.short} lang={general.languages.short} picture={picture} topLevel={4} />
      </Panel>
      {general.full !== '' && (
        <Panel title={t('full')}>
          <Markdown source={general.full} lang={general.languages.full} picture={picture} topLevel={4} />
        </Panel>
      )}
      {general.examples.length > 0 && (
        <Panel title={t('examples')}>
          <WrittenExamples examples={general.examples} pictures={pictures} />
        </Panel>
      )}
      {sectionsOf(guide, schema, t).map(({ title, description, targets, className }) => (
        <Panel key={title} title={title} description={description} flush>
          <ul className="divide-y divide-line">
            {targets.map((part) => (
              <Definition
                key={part.target}
                part={part}
                pictures={pictures}
                colour={colourOf(schema, part.target)}
                labelled={(labelled.get(part.target) ?? []).filter(
                  (example) => className === undefined || example.className === className,
                )}
              />
            ))}
          </ul>
        </Panel>
      ))}
      {examHref && (
        <ButtonLink href={examHref} size="large" className="self-start">
          {t('exam')}
        </ButtonLink>
      )}
    </section>
  );
}

type Translate = Awaited<ReturnType<typeof getTranslations<'guide'>>>;
type Target = TranslatedGuide['targets'][number];

interface Section {
  title: string;
  description?: string;
  targets: Target[];
  /** Only labelled pictures of this class belong here. */
  className?: string;
}

/** Attributes by their group when they are marked, and in one list when they are drawn; parts by their class; classes. */
function sectionsOf({ stage, targets }: TranslatedGuide, schema: DatasetSchema, t: Translate): Section[] {
  const among = (ids: readonly string[]) => targets.filter(({ target }) => ids.includes(target));
  const attributes = schema.attributes.map(({ id }) => id);
  const sections: Section[] =
    stage.kind === 'attributes'
      ? schema.attributeGroups.map((group) => ({
          title: group.name,
          description: ruleOf(group, t),
          targets: among(group.attributes),
        }))
      : stage.kind === 'oracle'
        ? [{ title: t('classes'), description: t('chooseOne'), targets }]
        : [{ title: t('draw'), targets: among(attributes) }];
  const parts = schema.classes.map((entry) => ({
    title: entry.name,
    description: entry.definition,
    targets: among(partsOfClass(schema, entry.id).map(({ id }) => id)),
    className: entry.id,
  }));
  return [...sections, ...(stage.kind === 'part-mask' ? parts : [])].filter(
    (each) => each.targets.length > 0,
  );
}

/** How many options of a group may be chosen. */
function ruleOf({ attributes, min, max }: AttributeGroup, t: Translate): string {
  if (max >= attributes.length) return min > 1 ? t('chooseAtLeast', { min }) : t('chooseAll');
  return min === max ? t('chooseExactly', { min }) : t('chooseBetween', { min, max });
}

function colourOf(schema: DatasetSchema, target: string): string {
  const part = schema.parts.find(({ id }) => id === target);
  return (
    part?.colour ??
    partColour(
      Math.max(
        0,
        schema.attributes.findIndex(({ id }) => id === target),
      ),
    )
  );
}
