import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { formatNumber } from '@/lib/core/format';
import { pageProject } from '@/lib/services/access/page';
import { isOpenIn } from '@/lib/services/access/policy';
import { MAX_LINES } from '@/lib/services/curation/gold';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { exampleLines } from './example-lines';
import { ImportForm } from './import-form';

export const metadata: Metadata = { title: 'Import gold' };

type Props = PageProps<'/projects/[project]/gold/import'>;

export default async function Import({ params }: Props) {
  const { project } = await pageProject((await params).project, 'gold.read');
  if (!isOpenIn('gold.write', project.state)) redirect(`/projects/${project.slug}/gold`);
  const schema = await readProjectSchema(database(), project.id);
  return (
    <Page narrow>
      <PageHeader
        title="Import gold"
        description={`Answers that you trust, one JSON object per line, at most ${formatNumber(MAX_LINES)} lines. A line that is not good is refused with its reason and stops no other.`}
      />
      <Panel title="A line" description="An image by its name or the SHA-256 of its file, and one answer.">
        <pre className="rounded-md bg-sunken p-3 font-mono text-xs break-all whitespace-pre-wrap">
          {exampleLines(schema)}
        </pre>
      </Panel>
      <Panel title="File">
        <ImportForm slug={project.slug} />
      </Panel>
    </Page>
  );
}
