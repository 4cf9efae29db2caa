import { asc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import type { DatasetSchema } from '@/lib/core/schema';
import { nameExamples, type SourceText, schemaTexts, textKeys } from '@/lib/core/translations';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { consentHeadings } from '../consent/document';
import { type ConsentText, newestText } from '../consent/texts';
import { type GuidePart, guideOf, type StageGuide } from '../guide/guide-of';
import { effectivePolicy } from '../work/effective-policy';

const { projects, stages } = tables;

type Limits = Pick<SourceText, 'maxLength' | 'isMarkdown' | 'isMultiline'>;

const line = (maxLength: number): Limits => ({ maxLength, isMarkdown: false, isMultiline: false });
const paragraphs = (maxLength: number): Limits => ({ maxLength, isMarkdown: false, isMultiline: true });
const markdown = (maxLength: number): Limits => ({ maxLength, isMarkdown: true, isMultiline: true });

export interface ProjectSources {
  /** Of the originals. */
  language: string;
  texts: SourceText[];
}

/** Every text of a project that workers read and that its team wrote, as it is now. */
export async function sourceTexts(db: Db, projectId: string): Promise<ProjectSources> {
  const [project] = await db
    .select({
      name: projects.name,
      description: projects.description,
      policy: projects.policy,
      language: projects.language,
    })
    .from(projects)
    .where(eq(projects.id, projectId));
  if (!project) throw notFound('project');
  const schema = await readProjectSchema(db, projectId);
  const rows = await db
    .select({ id: stages.id, name: stages.name })
    .from(stages)
    .where(eq(stages.projectId, projectId))
    .orderBy(asc(stages.position), asc(stages.id));
  const guides: StageGuide[] = [];
  // One after the other: a transaction has one connection.
  for (const { id } of schema ? rows : []) guides.push(await guideOf(db, projectId, id));
  const texts = [
    ...landingTexts(project, rows),
    ...consentTexts(await newestText(db, projectId)),
    ...(schema ? guides.flatMap((guide) => guideTexts(guide, schema)) : []),
    // The description of the schema is shown only where the project has none of its own.
    ...(schema ? schemaTexts(schema) : []).filter(
      ({ key }) => key !== textKeys.schemaDescription || !project.description.trim(),
    ),
  ];
  return { language: project.language, texts: withoutRepeats(texts) };
}

/** A text that several stages share is translated once. */
function withoutRepeats(texts: readonly SourceText[]): SourceText[] {
  const byKey = new Map<string, SourceText>();
  for (const text of texts)
    if (text.original.trim() !== '' && !byKey.has(text.key)) byKey.set(text.key, text);
  return [...byKey.values()];
}

interface Landing {
  name: string;
  description: string;
  policy: Record<string, unknown>;
}

function landingTexts(
  { name, description, policy }: Landing,
  rows: readonly { id: string; name: string }[],
): SourceText[] {
  const common = { area: 'project' as const, group: 'Project and tasks' };
  return [
    { ...common, key: textKeys.projectName, label: 'Name of the project', original: name, ...line(200) },
    {
      ...common,
      key: textKeys.projectDescription,
      label: 'Description of the project',
      original: description,
      ...paragraphs(5000),
    },
    {
      ...common,
      key: textKeys.payTerms,
      label: 'How and when people are paid',
      original: effectivePolicy(policy, {}).pay.terms,
      ...paragraphs(2000),
    },
    ...rows.map((stage) => ({
      ...common,
      key: textKeys.stageName(stage.id),
      label: `${stage.name}: name of the task`,
      original: stage.name,
      ...line(200),
    })),
  ];
}

function consentTexts({ document }: ConsentText): SourceText[] {
  const common = { area: 'consent' as const, group: 'Consent text' };
  return [
    {
      ...common,
      key: textKeys.consent('projectTitle'),
      label: 'Title of the project',
      original: document.projectTitle,
      ...line(200),
    },
    ...consentHeadings.map(([field, label]) => ({
      ...common,
      key: textKeys.consent(field),
      label,
      original: document[field],
      ...paragraphs(4000),
    })),
  ];
}

/** What a curator wrote for a stage, and what the stage shows by itself where nobody wrote anything. */
function guideTexts({ stage, general, targets }: StageGuide, schema: DatasetSchema): SourceText[] {
  return [
    ...partTexts(stage, '', 'The whole stage', general),
    ...targets.flatMap((part) => {
      if (part.number !== null) return partTexts(stage, part.target, part.name, part);
      const key = defaultKey(stage.id, part, schema);
      if (key === null) return [];
      const label =
        key === textKeys.everyPiece ? 'What is drawn, without a definition' : `${part.name}: short`;
      return [
        { key, area: 'guide' as const, group: stage.name, label, original: part.short, ...markdown(2000) },
      ];
    }),
  ];
}

/** Where the short text of a target without a guide of its own comes from; null: from the schema. */
export function defaultKey(
  stageId: string,
  { target, short }: { target: string; short: string },
  schema: DatasetSchema,
): string | null {
  const isDefined = [...schema.attributes, ...schema.parts, ...schema.classes].some(
    ({ id, definition }) => id === target && definition === short,
  );
  if (isDefined) return null;
  return schema.parts.some(({ id }) => id === target)
    ? textKeys.everyPiece
    : textKeys.guideShort(stageId, target);
}

function partTexts(
  { id, name: group }: StageGuide['stage'],
  target: string,
  name: string,
  { short, full, examples }: GuidePart,
): SourceText[] {
  const names = nameExamples(examples.map(({ picture }) => picture));
  const common = { area: 'guide' as const, group };
  return [
    {
      ...common,
      key: textKeys.guideShort(id, target),
      label: `${name}: short`,
      original: short,
      ...markdown(2000),
    },
    {
      ...common,
      key: textKeys.guideFull(id, target),
      label: `${name}: full`,
      original: full,
      ...markdown(20_000),
    },
    ...examples.flatMap(({ caption, note }, index) => {
      const example = names[index] as string;
      return [
        {
          ...common,
          key: textKeys.exampleCaption(id, target, example),
          label: `${name}: example ${index + 1}, caption`,
          original: caption,
          ...line(300),
        },
        {
          ...common,
          key: textKeys.exampleNote(id, target, example),
          label: `${name}: example ${index + 1}, note`,
          original: note,
          ...paragraphs(1000),
        },
      ];
    }),
  ];
}
