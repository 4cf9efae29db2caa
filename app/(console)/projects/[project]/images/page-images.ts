import { isAllowed, isOpenIn } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { type ImageFilter, readImageFilter } from '@/lib/services/images/image-filter';

type Query = Record<string, string | string[] | undefined>;

/** Loads the common data of pages about images: the project, the filter from the URL, and the rights of the user. */
export async function pageImages(params: Promise<{ project: string }>, searchParams: Promise<Query>) {
  const { project, actor, roles } = await pageProject((await params).project, 'images.read');
  const standing = { isAdmin: actor.isAdmin, roles, scopes: actor.scopes };
  const seesWorkers = isAllowed('crowd.read', standing);
  const { worker, ...rest } = readImageFilter(await searchParams);
  const filter: ImageFilter = seesWorkers && worker ? { ...rest, worker } : rest;
  const mayWrite = isAllowed('images.write', standing) && isOpenIn('images.write', project.state);
  return { project, actor, filter, mayWrite, seesWorkers };
}
