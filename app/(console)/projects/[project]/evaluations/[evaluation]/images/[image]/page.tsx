import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { z } from 'zod';
import { ButtonLink } from '@/app/_ui/button';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { formatNumber, formatPercent } from '@/lib/core/format';
import { type GalleryImage, galleryImage } from '@/lib/services/evaluations/gallery';
import { type SeenVariant, seenVariant } from '@/lib/services/evaluations/variant-pictures';
import { storage } from '@/lib/services/storage';
import { pageEvaluation } from '../../page-evaluation';
import { scoreWords } from '../../score-words';
import { SeenPictures } from './seen-pictures';
import { VariantPanel } from './variant-panel';

type Props = PageProps<'/projects/[project]/evaluations/[evaluation]/images/[image]'>;

export const metadata: Metadata = { title: 'Image of an evaluation' };

const Asked = z.object({ variant: z.string().max(200).optional().catch(undefined) });

export default async function EvaluatedImage({ params, searchParams }: Props) {
  const { project: slug, evaluation: id, image: imageId } = await params;
  const { access, evaluation, home } = await pageEvaluation(slug, id);
  const db = database();
  const image = z.uuid().safeParse(imageId).success && (await galleryImage(db, evaluation.id, imageId));
  if (!image) notFound();
  const variants = Object.keys(image.scores)
    .flatMap((name) => /^right ([^ ]+)$/.exec(name)?.[1] ?? [])
    .sort();
  const { variant = variants[0] } = Asked.parse(await searchParams);
  const context = { db, storage: storage(), signal: new AbortController().signal };
  const asked = { projectId: access.project.id, evaluationId: evaluation.id, imageId };
  const seen = variant ? await refused(seenVariant(context, { ...asked, variant })) : null;
  const path = `${home}/evaluations/${evaluation.id}`;
  const api = `/api/v1/evaluations/${evaluation.id}/images/${imageId}/picture`;
  return (
    <Page>
      <PageHeader
        title={image.name}
        facts={
          <span className="text-xs">
            {image.className},{' '}
            {image.isRight ? 'recognised' : <span className="text-bad">taken for {image.predicted}</span>} by{' '}
            {evaluation.model}, p {formatPercent(image.scores.pTrue)}
          </span>
        }
        more={<ButtonLink href={`${path}#gallery`}>All images</ButtonLink>}
        action={<ButtonLink href={`${home}/images/${imageId}`}>Labels and history</ButtonLink>}
      />
      <SeenPictures api={api} name={image.name} predicted={image.predicted} />
      {variants.length > 0 && (
        <Panel
          title="Changed pictures"
          description="As the model was given them, made again with the same chance. Beside each variant: how often the model was right."
        >
          <div className="grid gap-4 lg:grid-cols-[17rem_1fr]">
            <nav aria-label="Variants" className="max-h-96 overflow-y-auto text-xs lg:max-h-[36rem]">
              {variants.map((each) => (
                <Link
                  key={each}
                  href={`${path}/images/${imageId}?variant=${encodeURIComponent(each)}`}
                  scroll={false}
                  aria-current={each === variant ? 'true' : undefined}
                  className="flex justify-between gap-2 rounded-sm px-2 py-1 hover:bg-hover aria-[current]:bg-accent-soft aria-[current]:font-medium"
                >
                  <span className="truncate">{each}</span>
                  <span className="text-ink-3 tabular-nums">
                    {formatPercent(image.scores[`right ${each}`], 0)}
                  </span>
                </Link>
              ))}
            </nav>
            {typeof seen === 'string' ? (
              <p className="text-bad">{seen}</p>
            ) : (
              seen && <VariantPanel seen={seen} api={api} name={image.name} />
            )}
          </div>
        </Panel>
      )}
      <Scores image={image} />
    </Page>
  );
}

/** Why it cannot be seen, where that is known. */
const refused = (asked: Promise<SeenVariant>): Promise<SeenVariant | string> =>
  asked.catch((error) => {
    if (error instanceof TesseraError) return error.message;
    throw error;
  });

function Scores({ image: { scores } }: { image: GalleryImage }) {
  // What a variant takes away stands behind all else.
  const isDrop = (name: string) => Number(name.startsWith('drop '));
  const rows = Object.entries(scores)
    .filter(([name]) => !/^(right|valid|in) /.test(name))
    .toSorted(([a], [b]) => isDrop(a) - isDrop(b) || a.localeCompare(b, 'en'));
  const groups = Object.keys(scores)
    .filter((name) => name.startsWith('in '))
    .map((name) => name.slice('in '.length));
  return (
    <Panel
      title="Scores"
      description={groups.length > 0 ? `In these groups: ${groups.join('; ')}.` : undefined}
      flush
    >
      <SmallTable
        caption="Scores of the image"
        rows={rows}
        rowKey={([name]) => name}
        empty="This image has no scores."
        columns={[
          { key: 'name', title: 'Score', cell: ([name]) => name },
          { key: 'value', title: 'Value', numeric: true, cell: ([, value]) => formatNumber(value, 3) },
          {
            key: 'says',
            title: 'Sorted by it, what stands first',
            cell: ([name]) => <span className="text-ink-3">{scoreWords(name)}</span>,
          },
        ]}
      />
    </Panel>
  );
}
