import { Copy, ImagePlus } from 'lucide-react';
import type { Metadata } from 'next';
import { cookies } from 'next/headers';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { PageHeader } from '@/app/_ui/page-header';
import { database } from '@/db';
import { formatNumber } from '@/lib/core/format';
import { listFilterChoices, listFilters } from '@/lib/services/images/filters';
import { imageQuery, isFiltered } from '@/lib/services/images/image-filter';
import { listPageEnds, readImages } from '@/lib/services/images/list-images';
import { ImageBrowser } from './image-browser';
import { FilterChips, ImageFilters } from './image-filters';
import { pageImages } from './page-images';
import { SavedFilters } from './saved-filters';
import { readView, viewCookie } from './view-preference';

export const metadata: Metadata = { title: 'Images' };

/** Number of images in the first response: enough to fill a large screen with small tiles. The page requests the rest. */
const FIRST = 120;

type Props = PageProps<'/projects/[project]/images'>;

export default async function Images({ params, searchParams }: Props) {
  const { project, actor, filter, mayWrite, seesWorkers } = await pageImages(params, searchParams);
  const [{ images }, ends, choices, saved] = await Promise.all([
    readImages(database(), { projectId: project.id, limit: FIRST, ...filter }),
    listPageEnds(database(), { projectId: project.id, filter }),
    listFilterChoices(database(), { projectId: project.id, withWorkers: seesWorkers }),
    listFilters(database(), { projectId: project.id, ownerId: actor.userId }),
  ]);
  const view = readView((await cookies()).get(viewCookie)?.value);
  const path = `/projects/${project.slug}/images`;
  const add = mayWrite && (
    <ButtonLink href={`${path}/add`} variant="primary" icon={<ImagePlus aria-hidden />}>
      Add images
    </ButtonLink>
  );
  return (
    <div className="flex h-full flex-col gap-3 px-6 pt-6">
      <PageHeader
        title="Images"
        facts={<span className="tabular-nums">{formatNumber(ends.total)}</span>}
        more={
          <ButtonLink href={`${path}/lookalikes`} icon={<Copy aria-hidden />}>
            Lookalikes
          </ButtonLink>
        }
        action={add}
      />
      <div className="flex flex-wrap items-start justify-between gap-2">
        <ImageFilters key={imageQuery(filter).toString()} path={path} filter={filter} choices={choices} />
        <SavedFilters project={project.slug} filter={filter} saved={saved} />
      </div>
      <FilterChips path={path} filter={filter} choices={choices} />
      {ends.total > 0 ? (
        <ImageBrowser
          key={imageQuery(filter).toString()}
          project={project.slug}
          first={{ images: images.map(({ notes: _, createdAt: __, ...image }) => image), ends }}
          filter={filter}
          view={view}
          classes={choices.schemaClasses}
          mayWrite={mayWrite}
        />
      ) : isFiltered(filter) ? (
        <EmptyState title="No matching images" action={<ButtonLink href={path}>Show all images</ButtonLink>}>
          Remove a filter above, or show all images.
        </EmptyState>
      ) : (
        <EmptyState title="This project has no images yet" action={add || undefined}>
          Drop files, folders or a zip. Classes can be read from folder names, a CSV file or WordNet ids.
        </EmptyState>
      )}
    </div>
  );
}
