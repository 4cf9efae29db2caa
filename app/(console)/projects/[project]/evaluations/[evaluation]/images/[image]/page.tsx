import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { z } from 'zod';
import { ButtonLink } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { SmallTable } from '@/app/_ui/table';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { formatNumber, formatPercent } from '@/lib/core/format';
import { type GalleryImage, loadGalleryImage } from '@/lib/services/evaluations/gallery';
import {
  readVariantResult,
  type VariantCell,
  type VariantResult,
} from '@/lib/services/evaluations/variant-pictures';
import { storage } from '@/lib/services/storage';
import { scoreWords } from '../../gallery-query';
import { pageEvaluation } from '../../page-evaluation';

type Props = PageProps<'/projects/[project]/evaluations/[evaluation]/images/[image]'>;

const _metadata: Metadata = { title: 'Image of an evaluation' };

const Asked = z.object({ variant: z.string().max(200).optional().catch(undefined) });

export default async function EvaluatedImage({ params, searchParams }: Props) {
  const { project: slug, evaluation: id, image: imageId } = await params;
  const { access, evaluation, home } = await pageEvaluation(slug, id);
  const db = database();
  const image = z.uuid().safeParse(imageId).success && (await loadGalleryImage(db, evaluation.id, imageId));
  if (!image) notFound();
  const variants = Object.keys(image.scores)
    .flatMap((name) => /^right ([^ ]+)$/.exec(name)?.[1] ?? [])
    .sort();
  const { variant = variants[0] } = Asked.parse(await searchParams);
  const context = { db, storage: storage(), signal: new AbortController().signal };
  const asked = { projectId: access.project.id, evaluationId: evaluation.id, imageId };
  const seen = variant ? await refused(readVariantResult(context, { ...asked, variant })) : null;
  const path = `${home}/evaluations/${evaluation.id}`;
  const api = `/api/v1/evaluations/${evaluation.id}/images/${imageId}/picture`;
  return (
    <Page>
      <PageHeader
        title={image.name}
        facts={
          <span className="text-xs">
            {image.className},{' '}
            {image.isRight ? 'recognised' : <span className="text-bad">predicted as {image.predicted}</span>}{' '}
            by {evaluation.model}, p {formatPercent(image.scores.pTrue)}
          </span>
        }
        more={<ButtonLink href={`${path}#gallery`}>All images</ButtonLink>}
        action={<ButtonLink href={`${home}/images/${imageId}`}>Labels and history</ButtonLink>}
      />
      <SeenPictures api={api} name={image.name} predicted={image.predicted} />
      {variants.length > 0 && (
        <Panel
          title="Variants"
          description="The perturbed pictures, regenerated with the same random seed, and the accuracy per variant."
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

/** Returns the reason if the result cannot be displayed. */
const refused = (asked: Promise<VariantResult>): Promise<VariantResult | string> =>
  asked.catch((error) => {
    if (error instanceof TesseraError) return error.message;
    throw error;
  });

function Scores({ image: { scores } }: { image: GalleryImage }) {
  // Drops caused by variants come last.
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
        empty="This image has no scores"
        columns={[
          { key: 'name', title: 'Score', cell: ([name]) => name },
          { key: 'value', title: 'Value', numeric: true, cell: ([, value]) => formatNumber(value, 3) },
          {
            key: 'says',
            title: 'Sort order',
            cell: ([name]) => <span className="text-ink-3">{scoreWords(name)}</span>,
          },
        ]}
      />
    </Panel>
  );
}

interface SeenPicturesProps {
  /** Address of the pictures of this image. */
  api: string;
  name: string;
  predicted: string;
}

/** The model input: alone, with the object mask and with the saliency map. */
const SeenPictures = ({ api, name, predicted }: SeenPicturesProps) => (
  <Panel title="Model input">
    <div className="flex flex-wrap gap-4">
      <Seen api={api} alt={`${name} at the input size of the model`} caption="Model input" />
      <Seen api={api} over="object" alt={`${name} with the outline of the object`} caption="Object mask" />
      <Seen
        api={api}
        over="saliency"
        alt={`${name} with the saliency map`}
        caption={`Saliency for ${predicted}: transparent (none) to yellow to red (high)`}
      />
    </div>
  </Panel>
);

interface SeenProps {
  api: string;
  over?: 'object' | 'saliency';
  alt: string;
  caption: string;
}

/** Rendered on demand; the caption stays readable if rendering fails. */
const Seen = ({ api, over, alt, caption }: SeenProps) => (
  <figure className="w-64">
    <div className="relative aspect-square overflow-hidden rounded-md bg-stage">
      {/* biome-ignore lint/performance/noImgElement: a small picture of our own, made for this page. */}
      <img src={api} alt={over ? '' : alt} className="size-full object-contain" />
      {over && (
        // biome-ignore lint/performance/noImgElement: see above.
        <img src={`${api}?kind=${over}`} alt={alt} className="absolute inset-0 size-full object-contain" />
      )}
    </div>
    <figcaption className="mt-1 text-xs text-ink-3">{caption}</figcaption>
  </figure>
);

interface VariantPanelProps {
  seen: VariantResult;
  api: string;
  name: string;
}

/** The picture in every setting of a variant, with the prediction of the model. */
function VariantPanel({ seen: { id, description, cells, refusal }, api, name }: VariantPanelProps) {
  return (
    <div className="grid content-start gap-3">
      <p className="text-ink-2">{description}</p>
      {refusal && <p className="text-xs text-warn">{refusal}</p>}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
        {cells.map((cell) => (
          <li key={cell.at} className="min-w-0 text-xs">
            <span className="flex aspect-square items-center justify-center overflow-hidden rounded-md bg-stage text-center text-ink-3">
              {cell.reason || refusal ? (
                <span className="p-2">{cell.reason ?? 'not regenerated'}</span>
              ) : (
                // biome-ignore lint/performance/noImgElement: a small picture of our own, made for this page.
                <img
                  src={`${api}?variant=${encodeURIComponent(id)}&at=${cell.at}`}
                  alt={`${name}, ${id}, ${cell.level}`}
                  loading="lazy"
                  className="size-full object-contain"
                />
              )}
            </span>
            {cells.length > 1 && <span className="mt-1 block truncate">{cell.level}</span>}
            <Said cell={cell} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Said({ cell: { reason, predicted, isRight, pTrue } }: { cell: VariantCell }) {
  if (reason !== null) return null;
  if (predicted === null) return <span className="block text-ink-3">the prediction is no longer stored</span>;
  return (
    <>
      <span className={cn('block truncate', isRight ? 'text-ink-3' : 'text-bad')}>
        {isRight ? 'correct' : `predicted as ${predicted}`}
      </span>
      <span className="block text-ink-3 tabular-nums">p {formatPercent(pTrue)}</span>
    </>
  );
}
