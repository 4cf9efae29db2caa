import type { Metadata } from 'next';
import { Page, PageHeader } from '@/app/_ui/page-header';
import { database } from '@/db';
import { pageOpenProject } from '@/lib/services/access/page';
import { getProject } from '@/lib/services/projects';
import { ModelForm } from './model-form';

export const metadata: Metadata = { title: 'Add a model' };

type Props = PageProps<'/projects/[project]/models/new'>;

export default async function NewModel({ params }: Props) {
  const { project } = await pageOpenProject((await params).project, 'models.write');
  const { schema } = await getProject(database(), project.id);
  return (
    <Page>
      <PageHeader
        title="Add a model"
        description="An ONNX file that was made elsewhere. It is read and run in a process of its own, and what is found is shown before anything is entered."
      />
      <ModelForm slug={project.slug} classes={(schema?.classes ?? []).map(({ id }) => id)} />
    </Page>
  );
}
