import type { Metadata } from 'next';
import Link from 'next/link';
import { DefinitionList } from '@/app/_ui/definition-list';
import { PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { imageAnswers } from '@/lib/services/images/image-answers';
import { imageQuery } from '@/lib/services/images/image-filter';
import { projectSchema } from '@/lib/services/images/ingest/project-schema';
import { neighbours } from '@/lib/services/images/neighbours';
import { pageImages } from '../page-images';
import { AnswerTable, ItemTable } from './answer-table';
import { History } from './history';
import { attributeWords, namesIn } from './label-words';
import { LabelledPicture } from './labelled-picture';
import { layersOf } from './layers';
import { pageImage } from './page-image';
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
    projectSchema(database(), project.id),
    imageAnswers(database(), { imageId, namesWorkers: seesWorkers }),
    neighbours(database(), { projectId: project.id, imageId, filter }),
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
