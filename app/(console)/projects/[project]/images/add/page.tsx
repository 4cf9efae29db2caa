import type { Metadata } from 'next';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { database } from '@/db';
import { pageOpenProject } from '@/lib/services/access/page';
import { readProjectSchema } from '@/lib/services/images/ingest/project-schema';
import { Uploader } from './uploader';

export const metadata: Metadata = { title: 'Add images' };

type Props = PageProps<'/projects/[project]/images/add'>;

export default async function AddImages({ params }: Props) {
  const { project } = await pageOpenProject((await params).project, 'images.write');
  const schema = await readProjectSchema(database(), project.id);
  return (
    <Page>
      <PageHeader
        title="Add images"
        description="The class comes from a CSV (columns file and class or wnid) or from the folder name."
      />
      <Uploader
        project={project.slug}
        classes={schema?.classes.map(({ id, name }) => ({ id, name })) ?? []}
      />
    </Page>
  );
}
