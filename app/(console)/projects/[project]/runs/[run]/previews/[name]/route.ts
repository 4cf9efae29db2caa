import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { storage } from '@/lib/services/storage';
import { PreviewName, previewSheet } from '@/lib/services/training/report/preview-sheet';
import { pageRun } from '../../page-run';

type Context = { params: Promise<{ project: string; run: string; name: string }> };

/** A sheet of validation images with predicted masks. The content of a name never changes, so it can be cached. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const { project, run: id, name } = await params;
  const { access, run } = await pageRun(project, id);
  const parsed = PreviewName.safeParse(name);
  if (!parsed.success) return new Response(null, { status: 404 });
  try {
    const sheet = await previewSheet(database(), storage(), {
      projectId: access.project.id,
      runId: run.id,
      name: parsed.data,
      view: run.spec.data.view,
    });
    return new Response(new Uint8Array(sheet), {
      headers: { 'content-type': 'image/png', 'cache-control': 'private, max-age=86400' },
    });
  } catch (error) {
    if (error instanceof TesseraError && error.kind === 'not-found')
      return new Response(null, { status: 404 });
    throw error;
  }
}
