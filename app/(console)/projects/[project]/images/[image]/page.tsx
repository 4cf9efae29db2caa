import type { Metadata } from 'next';
import { DefinitionList } from '@/app/_ui/definition-list';
import { EmptyState } from '@/app/_ui/empty-state';
import { PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { formatDateTime, formatNumber, formatPercent } from '@/lib/format';
import { projectSchema } from '@/lib/ingest/project-schema';
import { LabelledPicture } from './labelled-picture';
import { layersOf } from './layers';
import { pageImage } from './page-image';

type Props = PageProps<'/projects/[project]/images/[image]'>;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { project: slug, image: imageId } = await params;
  const { project } = await pageProject(slug, 'images.read');
  return { title: (await pageImage(project.id, imageId)).name };
}

export default async function ImagePage({ params }: Props) {
  const { project: slug, image: imageId } = await params;
  const { project } = await pageProject(slug, 'images.read');
  const image = await pageImage(project.id, imageId);
  const layers = layersOf(await projectSchema(database(), project.id), image);
  const attributes = image.items.find((item) => item.stageKind === 'attributes')?.label?.value;
  return (
    <div className="flex flex-col gap-6 p-6">
      <PageHeader title={image.name} facts={<State state={image.state} />} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(20rem,1fr)]">
        <LabelledPicture
          url={(image.working ?? image.original).url}
          alt={image.name}
          width={image.width}
          height={image.height}
          layers={layers}
        />
        <div className="flex flex-col gap-6">
          <Panel title="Facts">
            <DefinitionList
              items={[
                { term: 'Class', value: image.className ?? 'no class' },
                ...(image.wnid ? [{ term: 'WordNet id', value: image.wnid }] : []),
                { term: 'Size', value: `${image.width} × ${image.height} pixels` },
                ...(image.groupKey ? [{ term: 'Group', value: image.groupKey }] : []),
                ...Object.entries(image.columns).map(([term, value]) => ({ term, value })),
                { term: 'Attributes', value: attributeWords(attributes) },
                { term: 'SHA-256', value: <code className="font-mono text-xs">{image.sourceSha256}</code> },
              ]}
            />
          </Panel>
          <Panel title="History" flush>
            <ol className="divide-y divide-line">
              {image.history.map((entry) => (
                <li key={`${entry.at.getTime()} ${entry.text}`} className="flex gap-3 px-4 py-1.5">
                  <time dateTime={entry.at.toISOString()} className="shrink-0 text-ink-3">
                    {formatDateTime(entry.at)}
                  </time>
                  <span className="min-w-0 flex-1 break-words">{entry.text}</span>
                  {entry.by && <span className="text-ink-2">{entry.by}</span>}
                </li>
              ))}
            </ol>
          </Panel>
        </div>
      </div>
      <Panel title="Items and labels" flush>
        <SmallTable
          caption="Items and labels"
          rows={image.items}
          rowKey={(item) => item.id}
          empty={
            <EmptyState title="Nothing is asked about this image yet">
              Items appear when the project starts to collect.
            </EmptyState>
          }
          columns={[
            { key: 'stage', title: 'Stage', cell: (item) => item.stage },
            { key: 'target', title: 'Target', cell: (item) => item.target || 'whole image' },
            { key: 'state', title: 'State', cell: (item) => <State state={item.state} /> },
            {
              key: 'answers',
              title: 'Answers',
              numeric: true,
              cell: (item) => `${item.answered} of ${item.overlap}`,
            },
            { key: 'label', title: 'Label', cell: (item) => labelWords(item.label) },
            {
              key: 'area',
              title: 'Area, pixels',
              numeric: true,
              cell: (item) => formatNumber(item.label?.area),
            },
            { key: 'source', title: 'Source', cell: (item) => item.label?.source ?? '–' },
            {
              key: 'confidence',
              title: 'Confidence',
              numeric: true,
              cell: (item) => formatPercent(item.label?.confidence, 0),
            },
          ]}
        />
      </Panel>
    </div>
  );
}

function attributeWords(value: Record<string, unknown> | undefined): string {
  const choices =
    value?.kind === 'attributes' ? Object.values(value.choices as Record<string, string[]>) : [];
  return (
    choices
      .flat()
      .filter((id) => id !== 'none')
      .join(', ') || '–'
  );
}

function labelWords(label: { value: Record<string, unknown> } | null): string {
  if (!label) return '–';
  if (label.value.kind === 'attributes') return attributeWords(label.value);
  return label.value.kind === 'nothing' ? 'nothing to label' : String(label.value.kind);
}
