import { notFound } from 'next/navigation';
import type { NextRequest } from 'next/server';
import { database } from '@/db';
import { readLocale } from '@/lib/core/i18n/locales';
import { fileFormats, writeTranslations } from '@/lib/core/translations';
import { pageProject } from '@/lib/services/access/page';
import { translationsOf } from '@/lib/services/crowd/translations';

type Context = { params: Promise<{ project: string }> };

/** One language as a file for a translator. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const { project } = await pageProject((await params).project, 'crowd.read');
  const query = request.nextUrl.searchParams;
  const language = readLocale(query.get('language'));
  const format = fileFormats.find((each) => each === query.get('format'));
  if (!language || !format) notFound();
  const { original, entries } = await translationsOf(database(), project.id, language);
  const head = { project: project.slug, from: original, to: language };
  return new Response(writeTranslations(format, head, entries), {
    headers: {
      'content-type': `${format === 'json' ? 'application/json' : 'text/csv'}; charset=utf-8`,
      'content-disposition': `attachment; filename="${project.slug}-${language}.${format}"`,
      'cache-control': 'no-store',
    },
  });
}
