import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { database } from '@/db';
import { schemaPresets } from '@/lib/core/schema/presets';
import { isOpenIn } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { examplePlaces } from '@/lib/services/crowd/guide';
import { crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { getVersion } from '@/lib/services/projects/schema';
import { SchemaEditor } from './schema-editor';

export const metadata: Metadata = { title: 'Edit the schema' };

type Props = PageProps<'/projects/[project]/schema/edit'>;

export default async function EditSchema({ params }: Props) {
  const { project } = await pageProject((await params).project, 'crowd.read');
  if (!isOpenIn('schema.write', project.state)) redirect(`/projects/${project.slug}/schema`);
  const db = database();
  const { number, document } = await getVersion(db, project.id);
  const stages = await crowdStages(db, project);
  return (
    <SchemaEditor
      slug={project.slug}
      projectId={project.id}
      number={number}
      saved={document}
      examples={await examplePlaces(db, project.id, document, stages)}
      presets={schemaPresets.map(({ id, name }) => ({ id, name }))}
    />
  );
}
