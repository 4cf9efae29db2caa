import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { type GuideExample, guideExamples } from '@/lib/crowd/guide-examples';
import { projectSchema } from '@/lib/ingest/project-schema';
import {
  type AttributeGroup,
  type DatasetSchema,
  partColour,
  partsOfClass,
  type SchemaClass,
} from '@/lib/schema';
import { ruleText } from '../../_attributes/words';
import { Definition } from './definition';

type Props = PageProps<'/annotate/[project]/guide'>;
type Examples = ReadonlyMap<string, readonly GuideExample[]>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project } = await pageProject((await params).project, 'work.read');
  return { title: `Guide to ${project.name}` };
}

export default async function Guide({ params }: Props) {
  const { project } = await pageProject((await params).project, 'work.read');
  const schema = await projectSchema(database(), project.id);
  if (!schema) throw new Error('A project has a schema from its first moment.');
  // Labels of a real project are nobody's choice of an example.
  const examples: Examples = project.isDemo ? await guideExamples(database(), project.id) : new Map();
  return (
    <>
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-tight">Guide to {project.name}</h1>
        <p className="max-w-prose text-ink-2">{project.description || schema.description}</p>
      </header>
      <Rules schema={schema} />
      {schema.attributeGroups.map((group) => (
        <Group key={group.id} schema={schema} group={group} examples={examples} />
      ))}
      {schema.parts.length > 0 &&
        schema.classes.map((entry) => (
          <Parts key={entry.id} schema={schema} entry={entry} examples={examples} />
        ))}
      <ButtonLink href="/annotate" variant="primary" size="large" className="self-start">
        Back to my work
      </ButtonLink>
    </>
  );
}

function Rules({ schema }: { schema: DatasetSchema }) {
  const draws = schema.parts.length > 0 || schema.attributes.some(({ kind }) => kind === 'localised');
  return (
    <Panel title="In short">
      <ul className="flex list-disc flex-col gap-1 pl-5">
        <li>Judge what you see in the picture, not what you know about such objects.</li>
        {schema.attributes.length > 0 && (
          <li>A part that is hidden is not marked. One that shows a little is.</li>
        )}
        {draws && <li>Draw along the edge of what is asked for, around every piece that shows.</li>}
        {draws && <li>If what is asked for is not there, choose “Nothing to label”.</li>}
        <li>Some items have a known answer. Your score comes from these; exams are paid either way.</li>
      </ul>
    </Panel>
  );
}

type GroupProps = { schema: DatasetSchema; group: AttributeGroup; examples: Examples };

function Group({ schema, group, examples }: GroupProps) {
  const attributes = schema.attributes.filter((attribute) => group.attributes.includes(attribute.id));
  return (
    <Panel title={group.name} description={ruleText(group)} flush>
      <ul className="divide-y divide-line">
        {attributes.map(({ id, name, definition }) => (
          <Definition
            key={id}
            name={name}
            definition={definition}
            colour={partColour(schema.attributes.findIndex((attribute) => attribute.id === id))}
            examples={examples.get(id) ?? []}
          />
        ))}
      </ul>
    </Panel>
  );
}

function Parts({
  schema,
  entry,
  examples,
}: {
  schema: DatasetSchema;
  entry: SchemaClass;
  examples: Examples;
}) {
  const parts = partsOfClass(schema, entry.id);
  if (parts.length === 0) return null;
  return (
    <Panel title={entry.name} description={entry.definition} flush>
      <ul className="divide-y divide-line">
        {parts.map(({ id, name, definition, colour }) => (
          <Definition
            key={id}
            name={name}
            definition={definition ?? 'Every piece of it that shows.'}
            colour={colour}
            examples={(examples.get(id) ?? []).filter((example) => example.className === entry.id)}
          />
        ))}
      </ul>
    </Panel>
  );
}
