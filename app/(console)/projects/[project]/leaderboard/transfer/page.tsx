import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { z } from 'zod';
import { ButtonLink } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { Thumbnail } from '@/app/_ui/thumbnail';
import { database } from '@/db';
import { formatNumber, formatPercent } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { getEvaluation } from '@/lib/services/evaluations/list-evaluations';
import {
  listTransferPictures,
  type TransferPicture,
  TransferQuery,
} from '@/lib/services/evaluations/transfer/read-transfer';
import { GallerySteps, GroupLinks } from '../../evaluations/gallery-navigation';

export const metadata: Metadata = { title: 'Pictures made against another model' };

type Props = PageProps<'/projects/[project]/leaderboard/transfer'>;

const Asked = z.object({ from: z.uuid(), to: z.uuid() });

const choices = [
  ['all', 'all'],
  ['no', 'taken for another class'],
  ['yes', 'recognised'],
] as const;

/** The pictures of one cell of the matrix. */
export default async function Transfer({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project);
  const db = database();
  const asked = await searchParams;
  const home = `/projects/${project.slug}`;
  if (asked.from === undefined && asked.to === undefined) return <Nothing home={home} />;
  const pair = Asked.safeParse(asked);
  if (!pair.success) notFound();
  const find = (evaluationId: string) =>
    getEvaluation(db, { projectId: project.id, evaluationId }).catch(() => notFound());
  const [from, to] = [await find(pair.data.from), await find(pair.data.to)];
  const query = TransferQuery.parse(asked);
  const { right, offset, limit } = query;
  const { total, items } = await listTransferPictures(db, { from: from.id, to: to.id, ...query });
  const at = (which: string, first = 0) =>
    `${home}/leaderboard/transfer?from=${from.id}&to=${to.id}&right=${which}${first > 0 ? `&offset=${first}` : ''}`;
  const isOwn = from.id === to.id;
  return (
    <Page>
      <PageHeader
        title={
          isOwn ? `Pictures made against ${from.model}` : `Made against ${from.model}, shown to ${to.model}`
        }
        description="As far as the oracle still saw the class. First those in which it is seen least."
        more={<ButtonLink href={`${home}/leaderboard`}>Leaderboard</ButtonLink>}
      />
      <Panel title="Pictures" description={`${formatNumber(total)} that the oracle recognised.`}>
        <div className="grid gap-3">
          <GroupLinks label={`By ${to.model}`} choices={choices} chosen={right} at={at} />
          {items.length === 0 ? (
            <EmptyState title="No picture is like that">Choose another group of pictures.</EmptyState>
          ) : (
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3">
              {items.map((picture) => (
                <Shown key={picture.imageId} picture={picture} path={`${home}/evaluations/${to.id}`} />
              ))}
            </ul>
          )}
          <GallerySteps
            offset={offset}
            limit={limit}
            shown={items.length}
            total={total}
            hrefAt={(to) => at(right, to)}
          />
        </div>
      </Panel>
    </Page>
  );
}

/** Shown if the address has no parameters. */
const Nothing = ({ home }: { home: string }) => (
  <Page>
    <PageHeader title="Pictures made against another model" />
    <Panel title="Pictures" flush>
      <EmptyState
        title="No cell was chosen"
        action={
          <ButtonLink variant="primary" href={`${home}/leaderboard`}>
            Leaderboard
          </ButtonLink>
        }
      >
        Choose a cell of the matrix on the leaderboard: it shows its pictures.
      </EmptyState>
    </Panel>
  </Page>
);

function Shown({ picture, path }: { picture: TransferPicture; path: string }) {
  const { imageId, name, className, clean, predicted, pTrue, url } = picture;
  return (
    <li className="min-w-0 text-xs">
      <Link href={`${path}/images/${imageId}`} className="group block">
        <Thumbnail
          src={url}
          alt={name}
          width={128}
          height={128}
          className="group-hover:outline-2 group-hover:outline-accent"
        />
        <span className="mt-1 block truncate font-medium">{className}</span>
      </Link>
      <span className={cn('block truncate', clean === className ? 'text-ink-3' : 'text-bad')}>
        as it is: {clean === className ? 'right' : clean}
      </span>
      <span
        className={cn('block truncate tabular-nums', predicted === className ? 'text-ink-3' : 'text-bad')}
      >
        driven: {predicted === className ? 'right' : predicted}, p {formatPercent(pTrue, 0)}
      </span>
    </li>
  );
}
