import { PenLine } from 'lucide-react';
import type { Metadata } from 'next';
import { Badge } from '@/app/_ui/badge';
import { ButtonLink } from '@/app/_ui/button';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { formatCount, formatNumber } from '@/lib/core/format';
import type { AttributeGroup, DatasetSchema } from '@/lib/core/schema';
import { pageProject } from '@/lib/services/access/page';
import { isAllowed, isOpenIn } from '@/lib/services/access/policy';
import { getVersion } from '@/lib/services/projects/schema';

export const metadata: Metadata = { title: 'Schema' };

type Props = PageProps<'/projects/[project]/schema'>;

export default async function Schema({ params }: Props) {
  const { project, actor, roles } = await pageProject((await params).project);
  const { number, document: schema } = await getVersion(database(), project.id);
  const mayEdit =
    isAllowed('schema.write', { isAdmin: actor.isAdmin, roles, scopes: null }) &&
    isOpenIn('schema.write', project.state);
  const path = `/projects/${project.slug}/schema`;
  return (
    <Page>
      <PageHeader
        title="Schema"
        facts={
          <>
            {schema.name}
            <Badge>version {number}</Badge>
          </>
        }
        description={`${schema.description}${schema.citation ? ` After ${schema.citation}.` : ''}`}
        more={
          <>
            {mayEdit && (
              <ButtonLink href={`/projects/${project.slug}/crowd/guide`}>Example pictures</ButtonLink>
            )}
            <ButtonLink href={`${path}/versions`}>Versions</ButtonLink>
          </>
        }
        action={
          mayEdit && (
            <ButtonLink href={`${path}/edit`} variant="primary" icon={<PenLine aria-hidden />}>
              Edit
            </ButtonLink>
          )
        }
      />
      {schema.attributeGroups.map((group) => (
        <GroupPanel key={group.id} group={group} schema={schema} />
      ))}
      {schema.parts.length > 0 && <PartsPanel schema={schema} />}
      <ClassesPanel schema={schema} />
    </Page>
  );
}

function ClassesPanel({ schema }: { schema: DatasetSchema }) {
  return (
    <Panel title="Classes" flush>
      <SmallTable
        caption="Classes"
        rows={schema.classes}
        rowKey={(entry) => entry.id}
        empty={null}
        columns={[
          { key: 'name', title: 'Class', cell: (entry) => <span className="font-medium">{entry.name}</span> },
          {
            key: 'kind',
            title: 'Kind',
            cell: (entry) =>
              entry.kind === 'stuff' ? 'Stuff' : entry.numbered ? 'Several objects' : 'One object',
          },
          { key: 'superclass', title: 'Super-class', cell: (entry) => entry.superclass ?? '–' },
          {
            key: 'parts',
            title: 'Parts',
            numeric: true,
            cell: (entry) =>
              formatNumber(schema.parts.filter((part) => part.classes.includes(entry.id)).length),
          },
          {
            key: 'wnids',
            title: 'WordNet ids',
            cell: (entry) => <span className="font-mono text-xs">{entry.wnids?.join(' ') ?? '–'}</span>,
          },
          { key: 'definition', title: 'Definition', cell: (entry) => entry.definition ?? '–' },
        ]}
      />
    </Panel>
  );
}

function rulesOf(group: AttributeGroup): string {
  const least = group.min > 0 ? `at least ${group.min}` : 'any number';
  const most = group.max < group.attributes.length ? `, at most ${group.max}` : '';
  return `${formatCount(group.attributes.length, 'attribute')}: ${least}${most}${group.exclusiveNone ? ', or “none” alone' : ''}`;
}

function GroupPanel({ group, schema }: { group: AttributeGroup; schema: DatasetSchema }) {
  const rows = schema.attributes.filter((attribute) => group.attributes.includes(attribute.id));
  return (
    <Panel title={group.name} description={rulesOf(group)} flush>
      <SmallTable
        caption={`Attributes of ${group.name}`}
        rows={rows}
        rowKey={(attribute) => attribute.id}
        empty={null}
        columns={[
          {
            key: 'name',
            title: 'Attribute',
            className: 'w-48',
            cell: (attribute) => <span className="font-medium">{attribute.name}</span>,
          },
          { key: 'kind', title: 'Mask', className: 'w-40', cell: (attribute) => attribute.kind },
          { key: 'definition', title: 'Definition', cell: (attribute) => attribute.definition },
        ]}
      />
    </Panel>
  );
}

function PartsPanel({ schema }: { schema: DatasetSchema }) {
  return (
    <Panel
      title="Parts"
      description="Where parts overlap, an export that needs one id per pixel keeps the part with the highest order."
      flush
    >
      <SmallTable
        caption="Parts"
        rows={schema.parts}
        rowKey={(part) => part.id}
        empty={null}
        columns={[
          {
            key: 'name',
            title: 'Part',
            cell: (part) => (
              <span className="flex items-center gap-2 font-medium">
                <span aria-hidden className="size-3 rounded-sm" style={{ background: part.colour }} />
                {part.name}
              </span>
            ),
          },
          { key: 'classes', title: 'Classes', cell: (part) => part.classes.join(', ') },
          {
            key: 'several',
            title: 'Several per object',
            cell: (part) => (part.numbered ? 'Yes' : 'No'),
          },
          {
            key: 'parent',
            title: 'Part of',
            cell: (part) => schema.parts.find(({ id }) => id === part.parent)?.name ?? 'The object',
          },
          { key: 'order', title: 'Order', numeric: true, cell: (part) => part.zOrder },
          { key: 'definition', title: 'Definition', cell: (part) => part.definition ?? '–' },
        ]}
      />
    </Panel>
  );
}
