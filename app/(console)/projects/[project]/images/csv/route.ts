import type { NextRequest } from 'next/server';
import { z } from 'zod';
import { csvResponse } from '@/app/_ui/table/csv-response';
import { readText } from '@/app/api/_http/input';
import { database } from '@/db';
import { isAllowed } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { MAX_PICKED } from '@/lib/services/images/image-change';
import { readImageFilter } from '@/lib/services/images/image-filter';
import { type ListedImage, readImages, streamSelectedImages } from '@/lib/services/images/list-images';

const PAGE = 1000;

const head = [
  'id',
  'name',
  'class',
  'group',
  'width',
  'height',
  'state',
  'labels',
  'lookalike_of',
  'notes',
  'added',
];

const cells = (image: ListedImage) => [
  image.id,
  image.name,
  image.className,
  image.groupKey,
  image.width,
  image.height,
  image.state,
  image.labels,
  image.lookalikeOf,
  image.notes.join('; '),
  image.createdAt,
];

/** Maximum size of a form with all selected ids. */
const mostBytes = 64 * MAX_PICKED;

const Picked = z.array(z.uuid()).min(1).max(MAX_PICKED);

type Context = { params: Promise<{ project: string }> };

/** The images that match the filter of the URL, or the selected ones. Read-only, so the origin is not checked. */
export async function POST(request: NextRequest, { params }: Context): Promise<Response> {
  const { actor, project, roles } = await pageProject((await params).project, 'images.read');
  const { worker, ...filter } = readImageFilter(Object.fromEntries(request.nextUrl.searchParams));
  const seesWorkers = isAllowed('crowd.read', { isAdmin: actor.isAdmin, roles, scopes: actor.scopes });
  const text = await readText(request, mostBytes).catch(() => null);
  if (text === null) return new Response(`Select at most ${MAX_PICKED} images.`, { status: 413 });
  const ids = new URLSearchParams(text).get('ids');
  const parsed = typeof ids === 'string' ? Picked.safeParse(ids.split(',')) : null;
  if (parsed && !parsed.success)
    return new Response(`Select between 1 and ${MAX_PICKED} images.`, { status: 400 });
  const picked = parsed?.data;
  async function* all() {
    let after: string | undefined;
    do {
      const input = {
        ...filter,
        ...(seesWorkers && { worker }),
        projectId: project.id,
        after,
        limit: PAGE,
      };
      const page = picked
        ? await streamSelectedImages(database(), { projectId: project.id, ids: picked, after, limit: PAGE })
        : await readImages(database(), input);
      for (const image of page.images) yield cells(image);
      after = page.next ?? undefined;
    } while (after);
  }
  return csvResponse(`${project.slug}-images`, head, all());
}
