import { ImagePlus } from 'lucide-react';
import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { PageHeader } from '@/app/_ui/page-header';
import { encodeCursor } from '@/app/api/_http/pagination';
import { database } from '@/db';
import { pageProject } from '@/lib/auth/page';
import { formatNumber } from '@/lib/format';
import { countByClass } from '@/lib/images/count-by-class';
import { listImages } from '@/lib/images/list-images';
import { ImageFilters } from './image-filters';
import { ImageGrid } from './image-grid';
import { readImageFilter } from './read-image-filter';

export const metadata: Metadata = { title: 'Images' };

type Props = PageProps<'/projects/[project]/images'>;

export default async function Images({ params, searchParams }: Props) {
  const { project } = await pageProject((await params).project, 'images.read');
  const filter = readImageFilter(await searchParams);
  const [first, classes] = await Promise.all([
    listImages(database(), { projectId: project.id, limit: 120, ...filter }),
    countByClass(database(), project.id),
  ]);
  const path = `/projects/${project.slug}/images`;
  const add = (
    <ButtonLink href={`${path}/add`} variant="primary" icon={<ImagePlus aria-hidden />}>
      Add images
    </ButtonLink>
  );
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return (
    <div className="flex h-full flex-col gap-4 px-6 pt-6">
      <PageHeader
        title="Images"
        facts={`${formatNumber(first.total)}${first.isTotalCapped ? ' or more' : ''}`}
        action={add}
      />
      <ImageFilters path={path} filter={filter} classes={classes} />
      {first.images.length > 0 ? (
        <ImageGrid
          key={JSON.stringify(filter)}
          project={project.slug}
          first={{ images: first.images, next: first.next && encodeCursor([first.next]) }}
          filter={filter}
        />
      ) : isFiltered ? (
        <EmptyState title="No image matches" action={<ButtonLink href={path}>Show all images</ButtonLink>}>
          Change the filter above, or show all images.
        </EmptyState>
      ) : (
        <EmptyState title="This project has no images yet" action={add}>
          Drop files, folders or a zip. The class of a picture can come from its folder, a CSV or its WordNet
          id.
        </EmptyState>
      )}
    </div>
  );
}
