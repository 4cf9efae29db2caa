import type { Metadata } from 'next';
import Link from 'next/link';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { Thumbnail } from '@/app/_ui/thumbnail';
import { database } from '@/db';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import { looksLikeId } from '@/lib/services/access';
import { type LookalikeGroup, lastComparison, listLookalikes } from '@/lib/services/images/list-lookalikes';
import { pageImages } from '../page-images';
import { CompareButton, KeepButton } from './buttons';

export const metadata: Metadata = { title: 'Lookalikes' };

type Props = PageProps<'/projects/[project]/images/lookalikes'>;

export default async function Lookalikes({ params, searchParams }: Props) {
  const { project, mayWrite } = await pageImages(params, searchParams);
  const { after } = await searchParams;
  const [{ groups, next, open }, compared] = await Promise.all([
    listLookalikes(database(), {
      projectId: project.id,
      after: typeof after === 'string' && looksLikeId(after) ? after : undefined,
    }),
    lastComparison(database(), project.id),
  ]);
  const path = `/projects/${project.slug}/images`;
  const compare = mayWrite && <CompareButton slug={project.slug} isAgain={compared !== null} />;
  return (
    <Page>
      <PageHeader
        title="Lookalikes"
        facts={<span className="tabular-nums">{formatNumber(open)} groups to look at</span>}
        description="Images with similar perceptual hashes (at most 3 of 64 bits differ), such as copies, crops and video frames. Duplicates leak from training to test and cost twice."
        action={compare}
      />
      {compared?.finishedAt && (
        <p className="text-ink-2">
          Last compared {formatDateTime(compared.finishedAt)}
          {compared.state === 'done'
            ? `: ${formatNumber(Number(compared.result?.images))} images, ${formatNumber(Number(compared.result?.groups))} groups. Images that came later are not in it.`
            : `, ${compared.state}.`}
        </p>
      )}
      {groups.map((group) => (
        <Group key={group.id} group={group} slug={project.slug} mayWrite={mayWrite} />
      ))}
      {next && (
        <div>
          <ButtonLink href={`${path}/lookalikes?after=${next}`}>Next groups</ButtonLink>
        </div>
      )}
      {groups.length === 0 && (
        <EmptyState
          title={compared ? 'No duplicates in use' : 'Images not compared yet'}
          action={(!compared && compare) || <ButtonLink href={path}>Open images</ButtonLink>}
        >
          {compared ? 'Compare again after adding images.' : 'Comparing takes seconds and changes no images.'}
        </EmptyState>
      )}
    </Page>
  );
}

type GroupProps = { group: LookalikeGroup; slug: string; mayWrite: boolean };

function Group({ group, slug, mayWrite }: GroupProps) {
  const path = `/projects/${slug}/images`;
  return (
    <Panel
      title={group.images[0]?.name ?? 'Group'}
      description={`${formatNumber(group.size)} images, ${formatNumber(group.active)} in use`}
      actions={
        <ButtonLink size="small" variant="quiet" href={`${path}?lookalikes=${group.id}`}>
          Open in the grid
        </ButtonLink>
      }
    >
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3">
        {group.images.map((image) => (
          <li key={image.id} className="flex min-w-0 flex-col gap-1">
            <Link href={`${path}/${image.id}?lookalikes=${group.id}`} prefetch={false}>
              <Thumbnail
                src={image.thumbnail?.url}
                alt={image.name}
                width={image.thumbnail?.width ?? image.width}
                height={image.thumbnail?.height ?? image.height}
                className={image.state === 'active' ? '' : 'opacity-45'}
              />
              <span className="mt-1 block truncate text-xs" title={image.name}>
                {image.name}
              </span>
              <span className="block truncate text-2xs text-ink-3">
                {image.className ?? 'no class'} · {image.width}×{image.height} ·{' '}
                {image.state === 'active' ? `${image.labels} labels` : image.state}
              </span>
            </Link>
            {mayWrite && image.state === 'active' && (
              <KeepButton slug={slug} imageId={image.id} name={image.name} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
