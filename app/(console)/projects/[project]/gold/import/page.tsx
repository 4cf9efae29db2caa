import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { Panel } from '@/app/_ui/panel';
import { database } from '@/db';
import { formatNumber } from '@/lib/core/format';
import { type DatasetSchema, localisedAttributes } from '@/lib/core/schema';
import { isOpenIn } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { MAX_LINES } from '@/lib/services/curation/gold';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { ImportForm } from './import-form';

/** Lines that would fit the schema, one for each kind of answer that it asks for. */
function exampleLines(schema: DatasetSchema | null): string {
  const lines: object[] = [];
  const image = 'bird-0001.png';
  const attributes = schema?.attributeGroups.flatMap((group) => group.attributes.slice(0, 1)) ?? [];
  if (attributes.length > 0) lines.push({ image, attributes });
  const target = schema?.parts[0]?.id ?? (schema ? localisedAttributes(schema)[0]?.id : undefined);
  if (target !== undefined) {
    lines.push({ image, target, segmentation: [[10, 10, 60, 10, 60, 40, 10, 40]] });
    lines.push({ image: 'bird-0002.png', target, nothing: true });
  }
  lines.push({ image, target: 'object', segmentation: { size: [480, 640], counts: 'PWm21e>0000…' } });
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

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
