import Link from 'next/link';
import { Button, ButtonLink } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Input, Select } from '@/app/_ui/forms';
import { Panel } from '@/app/_ui/panel';
import { Pager, type Query } from '@/app/_ui/table';
import { Thumbnail } from '@/app/_ui/thumbnail';
import type { PickedImage } from '@/lib/services/curation/gold';
import type { DrawableTarget } from './drawable-targets';

interface ImagePickerProps {
  path: string;
  stages: { id: string; name: string }[];
  stageId: string;
  targets: DrawableTarget[];
  target: string;
  name: string;
  query: Query;
  page: { images: PickedImage[]; next: string | null };
  addHref: string;
}

/** What to answer, and the pictures about which it is not known yet. */
export function ImagePicker(props: ImagePickerProps) {
  const { path, stages, stageId, targets, target, name, query, page, addHref } = props;
  const hrefOf = (image: string) => `${path}?${new URLSearchParams({ stage: stageId, target, image })}`;
  return (
    <>
      <search>
        <form action={path} className="flex flex-wrap items-center gap-2">
          <Select
            name="stage"
            aria-label="Stage"
            className="w-44"
            defaultValue={stageId}
            options={stages.map(({ id, name: label }) => ({ value: id, label }))}
          />
          {targets.length > 1 && (
            <Select
              name="target"
              aria-label="Target"
              className="w-52"
              defaultValue={target}
              options={targets.map(({ id, name: label }) => ({ value: id, label }))}
            />
          )}
          <Input
            type="search"
            name="name"
            aria-label="Name begins with"
            placeholder="Name begins with"
            defaultValue={name}
            className="w-48"
          />
          <Button type="submit">Show pictures</Button>
        </form>
      </search>
      {page.images.length === 0 ? (
        <Panel>
          <EmptyState title="No suitable picture" action={<ButtonLink href={addHref}>Add images</ButtonLink>}>
            Every picture of the classes that have it is gold already, or there is none. Choose another
            target, or add images.
          </EmptyState>
        </Panel>
      ) : (
        <>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
            {page.images.map((image) => (
              <li key={image.id}>
                <Link href={hrefOf(image.id)} className="group block">
                  <Thumbnail
                    src={image.url}
                    alt={image.name}
                    width={image.width}
                    height={image.height}
                    className="group-hover:outline-2 group-hover:outline-accent"
                  />
                  <span className="mt-1 block truncate text-xs">{image.name}</span>
                  <span className="block text-2xs text-ink-3">{image.className ?? 'no class'}</span>
                </Link>
              </li>
            ))}
          </ul>
          <Pager path={path} query={query} shown={page.images.length} next={page.next} />
        </>
      )}
    </>
  );
}
