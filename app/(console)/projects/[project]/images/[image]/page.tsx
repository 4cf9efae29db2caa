import { CircleHelp, Gavel, Hand, ImageIcon, type LucideIcon, MessageSquare, Tag } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { DefinitionList } from '@/app/_ui/definition-list';
import { PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import { looksLikeId } from '@/lib/services/access';
import {
  findNeighbours,
  getImage,
  type ImageDetail,
  listImageAnswers,
} from '@/lib/services/images/get-image';
import { imageQuery } from '@/lib/services/images/image-filter';
import type { HistoryEntry, HistoryKind } from '@/lib/services/images/image-history';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { pageImages } from '../page-images';
import { AnswerTable, ItemTable } from './answer-table';
import { LabelledPicture } from './labelled-picture';
import { attributeWords, layersOf, namesIn } from './layers';
import { Steps } from './steps';

type Props = PageProps<'/projects/[project]/images/[image]'>;

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const { project, seesWorkers } = await pageImages(params, searchParams);
  return { title: (await pageImage(project.id, (await params).image, seesWorkers)).name };
}

export default async function ImagePage({ params, searchParams }: Props) {
  const { image: imageId } = await params;
  const { project, filter, seesWorkers } = await pageImages(params, searchParams);
  const image = await pageImage(project.id, imageId, seesWorkers);
  const [schema, answers, beside] = await Promise.all([
    readProjectSchema(database(), project.id),
    listImageAnswers(database(), { imageId, namesWorkers: seesWorkers }),
    findNeighbours(database(), { projectId: project.id, imageId, filter }),
  ]);
  const attributes = image.items.find((item) => item.stageKind === 'attributes')?.label?.value;
  const nameOf = namesIn(schema);
  const path = `/projects/${project.slug}/images`;
  const query = imageQuery(filter).toString();
  const withQuery = (address: string) => (query ? `${address}?${query}` : address);
  const stepTo = (id: string | null) => id && withQuery(`${path}/${id}`);
  return (
    <div className="flex flex-col gap-6 p-6">
      <PageHeader
        title={image.name}
        facts={<State state={image.state} />}
        more={<Steps back={withQuery(path)} before={stepTo(beside.before)} after={stepTo(beside.after)} />}
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(22rem,1.2fr)]">
        <LabelledPicture
          key={image.id}
          url={(image.working ?? image.original).url}
          alt={image.name}
          width={image.width}
          height={image.height}
          layers={layersOf(schema, image, answers)}
        />
        <div className="flex min-w-0 flex-col gap-6">
          <Panel title="Facts">
            <DefinitionList
              items={[
                { term: 'Class', value: image.className ? nameOf(image.className) : 'no class' },
                ...(image.wnid ? [{ term: 'WordNet id', value: image.wnid }] : []),
                { term: 'Size', value: `${image.width} × ${image.height} pixels` },
                ...(image.groupKey ? [{ term: 'Group', value: image.groupKey }] : []),
                ...(image.lookalikeOf
                  ? [
                      {
                        term: 'Lookalikes',
                        value: (
                          <Link href={`${path}?lookalikes=${image.lookalikeOf}`} className="text-accent">
                            Show its group
                          </Link>
                        ),
                      },
                    ]
                  : []),
                ...Object.entries(image.columns).map(([term, value]) => ({ term, value })),
                { term: 'Attributes', value: attributeWords(attributes, nameOf) },
                {
                  term: 'SHA-256',
                  value: <code className="font-mono text-xs break-all">{image.sourceSha256}</code>,
                },
              ]}
            />
          </Panel>
          <History slug={project.slug} entries={image.history} />
        </div>
      </div>
      <ItemTable items={image.items} nameOf={nameOf} />
      <AnswerTable slug={project.slug} answers={answers} nameOf={nameOf} />
    </div>
  );
}

/** The image of a page, or the not-found page. */
const pageImage = cache(
  async (projectId: string, imageId: string, namesWorkers: boolean): Promise<ImageDetail> => {
    if (!looksLikeId(imageId)) notFound();
    return getImage(database(), { projectId, imageId, namesWorkers }).catch((error) => {
      if (error instanceof TesseraError && error.kind === 'not-found') notFound();
      throw error;
    });
  },
);

const icons: Record<HistoryKind, LucideIcon> = {
  image: ImageIcon,
  item: CircleHelp,
  lease: Hand,
  answer: MessageSquare,
  label: Tag,
  decision: Gavel,
};

/** All that happened to the image, oldest first. */
function History({ slug, entries }: { slug: string; entries: HistoryEntry[] }) {
  return (
    <Panel title="History" description={`${formatNumber(entries.length)} entries, oldest first, UTC`} flush>
      <section
        aria-label="History"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        className="max-h-[32rem] overflow-y-auto outline-offset-[-2px]"
      >
        <ol className="divide-y divide-line">
          {entries.map((entry, i) => {
            const Icon = icons[entry.kind];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes while it is shown.
              <li key={i} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 px-4 py-1.5">
                <Icon aria-hidden className="mt-0.5 size-3.5 text-ink-3" />
                <div className="min-w-0">
                  <p className="break-words">{entry.text}</p>
                  <p className="flex flex-wrap gap-x-2 text-xs text-ink-3">
                    <time dateTime={entry.at.toISOString()}>{formatDateTime(entry.at)}</time>
                    {entry.workerId ? (
                      <Link
                        href={`/projects/${slug}/crowd/${entry.workerId}`}
                        className="text-ink-2 hover:text-accent"
                      >
                        {entry.by}
                      </Link>
                    ) : (
                      entry.by && <span className="text-ink-2">{entry.by}</span>
                    )}
                  </p>
                </div>
              </li>
            );
          })}
        </ol>
      </section>
    </Panel>
  );
}
